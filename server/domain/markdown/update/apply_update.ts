import type { UpdatePageMarkdownRequest } from '../../../../generated/types.ts'
import { inSlices } from '../../../kernel/yield_to_event_loop.ts'
import { trashAfter } from '../../../store/block_trees.ts'
import { findBlock } from '../../../store/blocks.ts'
import { listContent } from '../../../store/placed_content.ts'
import { keepClosed } from '../../pages/closed.ts'
import { recordPagesTrashed } from '../../pages/erase.ts'
import { OutdatedError } from '../../prepared_change.ts'
import { requireReferences, requireStillThere } from '../../references.ts'
import type { WriteScope } from '../../scope.ts'
import { extentOf, loadPart, reloadTree, type Extent } from '../write/load_tree.ts'
import { renderNodes, type Rendering } from '../write/render_block.ts'
import { applyPlan } from './apply_plan.ts'
import { isSameTree } from './is_same_tree.ts'
import type { PlannedPart, PlannedUpdate } from './markdown_update.ts'
import type { Planned } from './plan_blocks.ts'
import { requireNoLoss, requireNoLossInRest } from './require_no_loss.ts'

/** Most parts that are reloaded one by one after a change, in place of the whole page. */
const RELOADED_MAX = 20

/**
 * Makes a planned change of a page. The blocks that it was planned for are read again, which takes much less than parsing them.
 * @param present the page as the plan has found it
 * @returns the page after the change
 * @throws OutdatedError if the page has changed since
 */
export async function applyUpdate(
  scope: WriteScope,
  present: Rendering,
  update: PlannedUpdate,
  request: UpdatePageMarkdownRequest,
): Promise<Rendering> {
  const { tree } = present
  const { block: page } = tree.root
  if (!(await inSlices(isSameTree(tree, await reloadTree(scope, tree, page))))) throw new OutdatedError()
  const { isAllowed, path } = permissionOf(request)
  const { parts, difference, references, isClear, isWhole } = update
  const loss = await requireNoLoss(scope, tree, difference, isAllowed, path)
  await requireStillThere(scope, references)
  await requireReferences(scope, references)
  const before = present.segments[(parts[0]?.start ?? 0) - 1]?.node
  const apply = async (): Promise<boolean> => {
    const isApplied = await applyPlan(scope, tree, planOf(present, parts), loss.removed, before)
    return (isClear && (await clearRest(scope, present, isAllowed, path))) || isApplied
  }
  const takes = isClear || loss.removed.length > 0
  const hasChanged = takes ? await keepClosed(scope, page.id, apply) : await apply()
  if (!hasChanged) return present
  const partly = loss.hasPages || isWhole ? undefined : await shownAfter(scope, present, parts)
  if (partly) return partly
  const after = await reloadTree(scope, tree, page)
  return renderNodes(scope, after, after.root.children)
}

/** The plan from the first part to the last, with the blocks between them. */
function planOf({ segments }: Rendering, parts: readonly PlannedPart[]): Planned[] {
  return parts.flatMap(({ start, plan }, index) => {
    const between = segments.slice(parts[index - 1]?.end ?? start, start)
    return [...between.map(({ node, block }): Planned => ({ block, kept: node, children: undefined })), ...plan]
  })
}

/** The page after a change of some parts, without reloading the rest; undefined if the rest has to be reloaded. */
async function shownAfter(scope: WriteScope, present: Rendering, parts: readonly PlannedPart[]): Promise<Rendering | undefined> {
  if (parts.length > RELOADED_MAX) return undefined
  const { tree, segments } = present
  const inside = extentOf(parts.flatMap(({ start, end }) => segments.slice(start, end).map(({ node }) => node)))
  let others = { blocks: tree.extent.blocks - inside.blocks, size: tree.extent.size - inside.size }
  let [rendering, end]: [Rendering, number] = [{ ...present, segments: [] }, 0]
  for (const part of parts) {
    const shown = await reloaded(scope, present, part, others)
    if (!shown) return undefined
    const { extent } = shown.tree
    others = { blocks: others.blocks + extent.blocks, size: others.size + extent.size }
    rendering = { ...shown, segments: [...rendering.segments, ...segments.slice(end, part.start), ...shown.segments] }
    end = part.end
  }
  return { ...rendering, segments: [...rendering.segments, ...segments.slice(end)] }
}

async function reloaded(
  scope: WriteScope,
  present: Rendering,
  { start, end, plan: { length: count } }: PlannedPart,
  others: Extent,
): Promise<Rendering | undefined> {
  const { db, actor } = scope
  const root = present.tree.root.block
  const [before, next] = [start - 1, end].map((index) => present.segments[index]?.node.block)
  // Ranks may have changed by now.
  const rank = before && (await findBlock(db, actor.workspaceId, before.id))?.rank
  const found = await listContent(db, actor.workspaceId, root.id, rank, count + 1)
  if (found.length < count || found[count]?.id !== next?.id) return undefined
  const part = await loadPart(scope, root, found.slice(0, count), others)
  if (!part.isWhole || part.originals.size > 0) return undefined
  return renderNodes(scope, part, part.root.children)
}

/** Clearing a page also removes the blocks that were too many to load. */
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
