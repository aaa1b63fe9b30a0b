import { generateNKeysBetween } from 'fractional-indexing'
import type { MovePageRequest, PageObject, PartialPage } from '../../../generated/types.ts'
import { touch, type Block } from '../../store/blocks.ts'
import { isAtOrBelow, movePageBlock } from '../../store/page_places.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed } from '../blocks/access.ts'
import { placeBelow } from '../blocks/blocks.ts'
import { hasColumns } from '../data_sources/load.ts'
import { invalid } from '../failures.ts'
import { leaveDataSource } from '../rows/leave.ts'
import type { WriteScope } from '../scope.ts'
import { requirePage } from './access.ts'
import { retrievePage } from './pages.ts'
import { requireOpen, rowsLater } from './parents.ts'

const TARGET = 'body.parent.page_id'

/** Moves a page, with all below it, to the end of another page. What may be seen and done with it follows from its new place. */
export async function movePage(scope: WriteScope, id: string, { parent }: MovePageRequest): Promise<PageObject | PartialPage> {
  const block = await requirePage(scope, id, 'path.page_id')
  if (!('page_id' in parent)) throw rowsLater()
  const target = await requirePage(scope, parent.page_id, TARGET)
  await requireMayEdit(scope, block, 'page')
  requireNotTrashed(block, 'path.page_id')
  await requireLiveAncestors(scope, block, 'path.page_id')
  await requireOpen(scope, target, TARGET)
  if (await isAtOrBelow(scope.db, scope.actor.workspaceId, target.id, block.id))
    throw invalid(TARGET, 'should be the id of a page outside the one that is moved')
  if (block.parentId !== target.id) await moveBelow(scope, block, target)
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
}
