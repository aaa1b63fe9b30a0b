import type { UpdatePageMarkdownRequest } from '../../../../../generated/types.ts'
import { inSlices } from '../../../../kernel/yield_to_event_loop.ts'
import { trashAfter } from '../../../../store/block_trees.ts'
import { keepClosed } from '../../blocks/keep_closed.ts'
import { recordPagesTrashed } from '../../blocks/erase_page.ts'
import { OutdatedError, type WriteScope } from '../../../shared/index.ts'
import { requireReferences, requireStillThere } from '../../references.ts'
import { reloadTree } from '../write/load_tree.ts'
import { renderNodes, type Rendering } from '../write/render_block.ts'
import { applyPlan } from './apply_plan.ts'
import { isSameTree } from './is_same_tree.ts'
import type { PlannedUpdate } from './markdown_update.ts'
import { planBetween } from './plan_blocks.ts'
import { requireNoLoss, requireNoLossInRest } from './require_no_loss.ts'

/**
 * Makes a planned change of a page. The blocks that it was planned for are read again, which takes much less than parsing them.
 * @param present the page for which the plan was made
 * @param after the page after the change, if known
 * @returns the page after the change, if the caller may read it
 * @throws OutdatedError if the page has changed since
 */
export async function applyUpdate(
  scope: WriteScope,
  { present, after }: { readonly present: Rendering; readonly after: Rendering | undefined },
  update: PlannedUpdate,
  request: UpdatePageMarkdownRequest,
): Promise<Rendering> {
  const { tree } = present
  const { block: page } = tree.root
  if (!(await inSlices(isSameTree(tree, await reloadTree(scope, tree, page))))) throw new OutdatedError()
  const { isAllowed, path } = permissionOf(request)
  const { parts, difference, references, isClear } = update
  const loss = await requireNoLoss(scope, tree, difference, isAllowed, path)
  await requireStillThere(scope, references)
  await requireReferences(scope, references)
  const before = present.segments[(parts[0]?.start ?? 0) - 1]?.node
  const apply = async (): Promise<boolean> => {
    const isApplied = await applyPlan(scope, tree, planBetween(present, parts), loss.removed, before)
    return (isClear && (await clearRest(scope, present, isAllowed, path))) || isApplied
  }
  const takes = isClear || loss.removed.length > 0
  const hasChanged = takes ? await keepClosed(scope, page.id, apply) : await apply()
  if (!hasChanged || !scope.actor.capabilities.has('read_content')) return present
  if (after) return after
  const now = await reloadTree(scope, tree, page)
  return renderNodes(scope, now, now.root.children)
}

/** Removes the blocks that were too many to load, because clearing a page removes those as well. */
async function clearRest(scope: WriteScope, { tree }: Rendering, isAllowed: boolean, path: string): Promise<boolean> {
  const { root, hasMore } = tree
  if (!hasMore) return false
  await requireNoLossInRest(scope, root.block.id, isAllowed, path)
  const { db, actor, now } = scope
  const rank = root.children.at(-1)?.block.rank ?? ''
  await recordPagesTrashed(scope, root.block.id, rank)
  await trashAfter(db, actor, root.block.id, rank, now)
  return true
}

function permissionOf(request: UpdatePageMarkdownRequest): { readonly isAllowed: boolean; readonly path: string } {
  const path = `body.${request.type}.allow_deleting_content`
  switch (request.type) {
    case 'update_content':
      return { path, isAllowed: request.update_content.allow_deleting_content ?? false }
    case 'replace_content':
      return { path, isAllowed: request.replace_content.allow_deleting_content ?? false }
    case 'replace_content_range':
      return { path, isAllowed: request.replace_content_range.allow_deleting_content ?? false }
    case 'insert_content':
      return { path: 'body.insert_content', isAllowed: false }
  }
}
