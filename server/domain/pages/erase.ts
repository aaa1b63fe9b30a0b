import { trashBlocks } from '../../store/block_trees.ts'
import type { Transaction } from '../../store/database.ts'
import { dropBelowErased, eraseContent } from '../../store/erased_blocks.ts'
import { listPagesInBlocks, trashPagesOn } from '../../store/page_places.ts'
import { seenBelow } from '../below.ts'
import type { WriteScope } from '../scope.ts'
import { moveToEnd } from './closed.ts'

/** More blocks than this go after the answer, in pieces: no one can find them any more. */
const BLOCKS_AT_ONCE = 2_000
const PAGES_AT_ONCE = 500

/**
 * Drops the content of a page for good. Pages and databases in it go to the trash; those that stood inside other blocks, which are
 * gone, will come back at the end of the page. What was in the trash before stays there; what the caller cannot see stays on the page.
 * @returns whether there was anything
 */
export async function erasePage(scope: WriteScope, pageId: string): Promise<boolean> {
  const { db, actor, now } = scope
  const inBlocks = await liftPages(scope, pageId)
  const trashed = await trashPagesOn(db, actor, pageId, now)
  const erased = await eraseContent(db, actor.workspaceId, pageId)
  if (erased > 0) await dropBelowErased(db, actor.workspaceId, BLOCKS_AT_ONCE)
  return inBlocks + trashed + erased > 0
}

/** Takes pages and databases out of the blocks they stand in, to the end of the page, and those that the caller sees into the trash. */
async function liftPages(scope: WriteScope, pageId: string): Promise<number> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  for (let lifted = 0; ;) {
    const ids = await listPagesInBlocks(db, workspaceId, pageId, PAGES_AT_ONCE)
    if (ids.length === 0) return lifted
    const seen = await seenBelow(scope, ids)
    lifted += seen.length
    await moveToEnd(scope, pageId, ids)
    await trashBlocks(db, workspaceId, seen, userId, now)
  }
}

/** Goes on where `erasePage` stopped. @returns how many rows went; fewer than `limit` when nothing is left */
export function sweepErased(db: Transaction, _now: number, limit: number): Promise<number> {
  return dropBelowErased(db, undefined, limit)
}
