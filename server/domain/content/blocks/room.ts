import { generateNKeysBetween } from 'fractional-indexing'
import { siblingsBeside, setRanks, type RankedSibling } from '../../../store/sibling_ranks.ts'
import type { WriteScope } from '../../shared/index.ts'

/**
 * Longer ranks are replaced: ranks are part of cursors, whose length the contract limits, and of index entries, whose size PostgreSQL
 * limits.
 */
const RANK_LENGTH_MAX = 100
/** When ranks are replaced, siblings whose ranks exceed this length get new ones as well. */
const OUTER_RANK_LENGTH_MAX = 50
const SIBLINGS_AT_FIRST = 64

/**
 * Makes space after a sibling. Each insertion after the same block halves the gap, which makes ranks longer. Ranks that are too long, and
 * those of the siblings around them, are replaced by short and evenly spaced ones. Nothing else changes ranks.
 * @param rank the rank of the sibling
 * @returns whether ranks have changed
 */
export async function makeRoomAfter(scope: WriteScope, parentId: string, rank: string, next: string | null): Promise<boolean> {
  if (Math.max(rank.length, next?.length ?? 0) <= RANK_LENGTH_MAX) return false
  for (let reach = SIBLINGS_AT_FIRST; ; reach *= 2) {
    const left = await siblingsBeside(scope.db, scope.actor.workspaceId, parentId, 'upTo', rank, reach + 1)
    const right = await siblingsBeside(scope.db, scope.actor.workspaceId, parentId, 'after', rank, reach + 1)
    const outerLeft = left.length > reach ? left.pop() : undefined
    const outerRight = right.length > reach ? right.pop() : undefined
    if (!isShort(outerLeft) || !isShort(outerRight)) continue
    const siblings = [...left.reverse(), ...right]
    const ranks = generateNKeysBetween(outerLeft?.rank ?? null, outerRight?.rank ?? null, siblings.length)
    const ranked = siblings.map(({ id }, place) => ({ id, rank: ranks[place] ?? '' }))
    await setRanks(scope.db, scope.actor.workspaceId, ranked)
    return true
  }
}

function isShort(sibling: RankedSibling | undefined): boolean {
  return sibling === undefined || sibling.rank.length <= OUTER_RANK_LENGTH_MAX
}
