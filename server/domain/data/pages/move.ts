import { generateKeyBetween } from 'fractional-indexing'
import type { MovePageRequest, PageObject, PartialPage } from '../../../../generated/types.ts'
import { touch, type Block } from '../../../store/blocks.ts'
import { isAtOrBelow, movePageBlock } from '../../../store/page_places.ts'
import { requireOpen, requireVisible, requirePage } from '../../content/index.ts'
import { hasColumns, type DataSource } from '../data_sources/load.ts'
import { recordEvent, moving } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { requireBelowRowLimit, requireRowParent } from '../rows/create.ts'
import { enterDataSource, removeFromDataSource, valuesForSource } from '../rows/leave.ts'
import { retrievePage } from './pages.ts'
import { placeOf } from './parents.ts'

/**
 * Moves a page with everything below it to the end of another page or into a data source. Its permissions follow from the new
 * place.
 */
export async function movePage(scope: WriteScope, id: string, { parent }: MovePageRequest): Promise<PageObject | PartialPage> {
  const { db, actor } = scope
  const block = await requirePage(scope, id, 'path.page_id')
  const path = 'page_id' in parent ? 'body.parent.page_id' : 'body.parent.data_source_id'
  const { target, dataSource } = await requireTarget(scope, parent, path)
  await requireOpen(scope, block, 'page', 'path.page_id')
  await requireOpen(scope, target, dataSource ? 'data source' : 'page', path)
  if (await isAtOrBelow(db, actor.workspaceId, target.id, block.id))
    throw invalid(path, `should be the id of a ${dataSource ? 'data source' : 'page'} outside the page that is moved`)
  if (block.parentId !== target.id) await moveBelow(scope, block, target, dataSource)
  return retrievePage(scope, block.id)
}

interface Target {
  readonly target: Block
  /** Undefined if the target is a page. */
  readonly dataSource?: DataSource
}

/**
 * The target page or data source. For a database, its only data source.
 * @param path the path of the target in the request
 */
async function requireTarget(scope: WriteScope, parent: MovePageRequest['parent'], path: string): Promise<Target> {
  if ('page_id' in parent && (await requireVisible(scope, parent.page_id, 'page')).type !== 'child_database')
    return { target: await requirePage(scope, parent.page_id, path) }
  const dataSource = await requireRowParent(scope, 'page_id' in parent ? { database_id: parent.page_id } : parent)
  return { target: dataSource.block, dataSource }
}

async function moveBelow(scope: WriteScope, block: Block, target: Block, dataSource: DataSource | undefined): Promise<void> {
  const { db, actor, now } = scope
  if (dataSource) await requireBelowRowLimit(scope, dataSource)
  const values = dataSource && (await valuesForSource(scope, block, dataSource))
  const { after, before, ...to } = await placeOf(scope, { block: target, dataSource })
  if (!dataSource && hasColumns(block)) await removeFromDataSource(scope, block)
  await movePageBlock(db, actor.workspaceId, block.id, { ...to, rank: generateKeyBetween(after, before) })
  if (dataSource && values) await enterDataSource(scope, { ...block, ...to }, dataSource, values)
  const pages = [block.pageId, dataSource ? null : target.id].filter((page) => page !== null)
  await touch(db, actor.workspaceId, [...new Set([block.id, ...pages])], actor.userId, now)
  await recordEvent(scope, moving(block, to))
}
