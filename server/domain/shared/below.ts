import { visibleAmong } from '../../store/access.ts'
import { withVisibleChildren, type Block } from '../../store/blocks.ts'
import type { Scope } from './scope.ts'

/**
 * The pages below a visible item that are also visible to the caller. Bots see everything below what they see; for members, access rules
 * may restrict pages below an accessible one.
 */
export async function seenBelow({ db, actor }: Scope, ids: readonly string[]): Promise<readonly string[]> {
  if (actor.memberLevel === undefined || ids.length === 0) return ids
  const visible = await visibleAmong(db, actor, ids)
  return ids.filter((id) => visible.has(id))
}

/**
 * Visible blocks as the caller sees them: a block without visible children appears to have none. For bots, which see everything below what
 * they see, nothing is read.
 */
export async function asSeen<Some extends Pick<Block, 'id' | 'hasChildren'>>(
  { db, actor }: Scope,
  blocks: readonly Some[],
): Promise<readonly Some[]> {
  const parents = blocks.filter(({ hasChildren }) => hasChildren).map(({ id }) => id)
  if (actor.memberLevel === undefined || parents.length === 0) return blocks
  const open = await withVisibleChildren(db, actor, parents)
  return blocks.map((block) => (block.hasChildren && !open.has(block.id) ? { ...block, hasChildren: false } : block))
}
