import { generateNKeysBetween } from 'fractional-indexing'
import { siblingsBeside, setRanks, type RankedSibling } from '../../store/sibling_ranks.ts'
import type { WriteScope } from '../scope.ts'

/** Cursors carry a rank, and the contract bounds them; PostgreSQL bounds what an index takes. */
const RANK_LENGTH_MAX = 100
/** What may stay beside siblings that are given new ranks. */
const OUTER_RANK_LENGTH_MAX = 50
const REACH = 64

/**
 * Makes room behind a sibling. Inserting behind the same block over and over halves the same gap, and each halving makes ranks longer;
 * when they are too long, the siblings around get new, short ones, evenly spread. Ranks only ever change here.
 * @param rank of the sibling
 * @returns whether ranks have changed
 */
export async function makeRoomAfter(scope: WriteScope, parentId: string, rank: string, next: string | null): Promise<boolean> {
  if (Math.max(rank.length, next?.length ?? 0) <= RANK_LENGTH_MAX) return false
  for (let reach = REACH; ; reach *= 2) {
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
