import { generateNKeysBetween } from 'fractional-indexing'
import type { MovePageRequest, PageObject, PartialPage } from '../../../generated/types.ts'
import { touch, type Block } from '../../store/blocks.ts'
import { isAtOrBelow, movePageBlock } from '../../store/page_places.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed, requireVisible } from '../blocks/access.ts'
import { placeBelow } from '../blocks/blocks.ts'
import { hasColumns, requireDataSource, type DataSource } from '../data_sources/load.ts'
import { recordEvent } from '../events/record.ts'
import { moving } from '../events/tree_changes.ts'
import { invalid } from '../failures.ts'
import { onlySourceOf, placeInDataSource, requireBelowRowLimit } from '../rows/create.ts'
import { enterDataSource, leaveDataSource, valuesForSource } from '../rows/leave.ts'
import type { WriteScope } from '../scope.ts'
import { requirePage } from './access.ts'
import { retrievePage } from './pages.ts'
import { requireOpen } from './parents.ts'

const TARGET = 'body.parent.page_id'
const SOURCE = 'body.parent.data_source_id'

/** Moves a page, with all below it, to the end of another page. What may be seen and done with it follows from its new place. */
export async function movePage(scope: WriteScope, id: string, { parent }: MovePageRequest): Promise<PageObject | PartialPage> {
  const block = await requirePage(scope, id, 'path.page_id')
  const dataSource = await targetSource(scope, parent)
  if (dataSource) return moveIntoSource(scope, block, dataSource, 'page_id' in parent ? TARGET : SOURCE)
  const target = await requirePage(scope, 'page_id' in parent ? parent.page_id : '', TARGET)
  await requireMayEdit(scope, block, 'page')
  requireNotTrashed(block, 'path.page_id')
  await requireLiveAncestors(scope, block, 'path.page_id')
  await requireOpen(scope, target, TARGET)
  if (await isAtOrBelow(scope.db, scope.actor.workspaceId, target.id, block.id))
    throw invalid(TARGET, 'should be the id of a page outside the one that is moved')
  if (block.parentId !== target.id) await moveBelow(scope, block, target)
  return retrievePage(scope, block.id, undefined)
}

/** The data source that is meant, itself or by its database; undefined where a page is. */
async function targetSource(scope: WriteScope, parent: MovePageRequest['parent']): Promise<DataSource | undefined> {
  if ('data_source_id' in parent) return requireDataSource(scope, parent.data_source_id)
  const block = await requireVisible(scope, parent.page_id, 'page')
  return block.type === 'child_database' ? requireDataSource(scope, await onlySourceOf(scope, block)) : undefined
}

/** @param path where the target was named */
async function moveIntoSource(
  scope: WriteScope,
  block: Block,
  dataSource: DataSource,
  path: string,
): Promise<PageObject | PartialPage> {
  const { db, actor, now } = scope
  await requireMayEdit(scope, block, 'page')
  requireNotTrashed(block, 'path.page_id')
  await requireLiveAncestors(scope, block, 'path.page_id')
  await requireOpen(scope, dataSource.block, path)
  if (await isAtOrBelow(db, actor.workspaceId, dataSource.id, block.id))
    throw invalid(path, 'should be the id of a data source outside the page that is moved')
  if (block.parentId === dataSource.id) return retrievePage(scope, block.id, undefined)
  await requireBelowRowLimit(scope, dataSource)
  const values = await valuesForSource(scope, block, dataSource)
  const { parentType, parentId, pageId, behind, before } = await placeInDataSource(scope, dataSource)
  const [rank = ''] = generateNKeysBetween(behind, before, 1)
  await movePageBlock(db, actor.workspaceId, block.id, { parentType, parentId, pageId, rank })
  await enterDataSource(scope, { ...block, parentType, parentId, pageId }, dataSource, values)
  const around = block.pageId === null ? [] : [block.pageId]
  await touch(db, actor.workspaceId, [block.id, ...around], actor.userId, now)
  await recordEvent(scope, moving(block, { parentType, parentId, pageId }))
  return retrievePage(scope, block.id, undefined)
}

async function moveBelow(scope: WriteScope, block: Block, target: Block): Promise<void> {
  const { workspaceId, userId } = scope.actor
  const { parentType, parentId, pageId, behind, before } = await placeBelow(scope, target, undefined)
  const [rank = ''] = generateNKeysBetween(behind, before, 1)
  if (hasColumns(block)) await leaveDataSource(scope, block)
  await movePageBlock(scope.db, workspaceId, block.id, { parentType, parentId, pageId, rank })
  const around = block.pageId === null ? [] : [block.pageId]
  await touch(scope.db, workspaceId, [...new Set([block.id, ...around, target.id])], userId, scope.now)
  await recordEvent(scope, moving(block, { parentType, parentId, pageId }))
}
