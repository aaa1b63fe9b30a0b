import { visibleAmong } from '../store/access.ts'
import type { Block } from '../store/blocks.ts'
import type { Scope } from './scope.ts'

/**
 * Those pages below something visible that the caller sees too. A bot sees all that lies below; to a member, a rule may close what
 * lies below an open page.
 */
export async function seenBelow({ db, actor }: Scope, ids: readonly string[]): Promise<readonly string[]> {
  if (actor.memberLevel === undefined || ids.length === 0) return ids
  const visible = await visibleAmong(db, actor, ids)
  return ids.filter((id) => visible.has(id))
}

/** As `seenBelow`, of children of one block. Rules stand on pages and databases alone. */
export async function seenChildren(scope: Scope, children: readonly Block[]): Promise<readonly Block[]> {
  const items = children.filter(({ type }) => type === 'child_page' || type === 'child_database').map(({ id }) => id)
  const seen = new Set(await seenBelow(scope, items))
  return seen.size === items.length ? children : children.filter(({ id }) => seen.has(id) || !items.includes(id))
}
