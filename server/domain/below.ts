import { visibleAmong } from '../store/access.ts'
import { withVisibleChildren, type Block } from '../store/blocks.ts'
import type { Scope } from './scope.ts'

/**
 * Those pages below something visible that the caller sees too. A bot sees everything below; to a member, a rule may close what
 * lies below an open page.
 */
export async function seenBelow({ db, actor }: Scope, ids: readonly string[]): Promise<readonly string[]> {
  if (actor.memberLevel === undefined || ids.length === 0) return ids
  const visible = await visibleAmong(db, actor, ids)
  return ids.filter((id) => visible.has(id))
}

/**
 * Visible blocks as the caller sees them: those of which every child is closed to it have none. Nothing is looked up for a bot, which
 * sees everything below.
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
