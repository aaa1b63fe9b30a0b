import { trashBlocks } from '../../../store/block_trees.ts'
import { findBlocks } from '../../../store/blocks.ts'
import type { Transaction } from '../../../store/database.ts'
import { dropBelowErased, eraseContent } from '../../../store/erased_blocks.ts'
import { listPagesInBlocks, listPagesOn, trashPagesOn } from '../../../store/page_places.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { seenBelow, type WriteScope } from '../../shared/index.ts'
import { hasListeners, recordEvent, contentChange, trashing } from '../../events/index.ts'
import { recordTranscriptsErased } from './lost_transcript.ts'
import { moveToEnd } from './keep_closed.ts'

/** Blocks beyond this number are deleted after the response, in batches. Until then, they can no longer be reached. */
const BLOCKS_AT_ONCE = 2_000
const PAGES_AT_ONCE = 500

/**
 * Deletes the content of a page permanently. Pages and databases on it are moved to the trash; those that were inside other blocks will be
 * at the end of the page when they are restored. Records that were already in the trash stay there, and records that are not visible to the
 * caller stay on the page.
 * @returns whether there was any content
 */
export async function erasePage(scope: WriteScope, pageId: string): Promise<boolean> {
  const { db, actor, now } = scope
  await recordPagesTrashed(scope, pageId, '')
  await recordTranscriptsErased(scope, pageId)
  const inBlocks = await moveOutPages(scope, pageId)
  const trashed = await trashPagesOn(db, actor, pageId, now)
  const erased = await eraseContent(db, actor.workspaceId, pageId)
  const page = { parentType: 'page_id', parentId: pageId, pageId } as const
  const blocks = erased.map((id) => ({ id, type: 'block' }))
  await recordEvent(scope, contentChange(page, blocks))
  if (erased.length > 0) await dropBelowErased(db, actor.workspaceId, BLOCKS_AT_ONCE)
  return inBlocks + trashed + erased.length > 0
}

/** Records that the pages and databases directly on a page, after a rank, are about to be moved to the trash. */
export async function recordPagesTrashed(scope: WriteScope, pageId: string, rank: string): Promise<void> {
  if (!(await hasListeners(scope))) return
  const around = { parentType: 'page_id', parentId: pageId, pageId } as const
  for (let [after, isOver] = [rank, false]; !isOver;) {
    const found = await listPagesOn(scope.db, scope.actor, pageId, after, PAGES_AT_ONCE)
    const changes = found.flatMap((page) => trashing({ ...around, ...page }, true))
    await recordEvent(scope, changes)
    after = found.at(-1)?.rank ?? after
    isOver = found.length < PAGES_AT_ONCE
  }
}

/**
 * Moves pages and databases that are inside other blocks to the end of the page, and those among them that the caller sees to the trash.
 */
async function moveOutPages(scope: WriteScope, pageId: string): Promise<number> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  for (let lifted = 0; ;) {
    const ids = await listPagesInBlocks(db, workspaceId, pageId, PAGES_AT_ONCE)
    if (ids.length === 0) return lifted
    const seen = await seenBelow(scope, ids)
    lifted += seen.length
    await recordTrashed(scope, seen)
    await moveToEnd(scope, pageId, ids)
    await trashBlocks(db, workspaceId, seen, userId, now)
  }
}

/** Like `recordPagesTrashed`, for the pages with these ids. Those that were already in the trash are not recorded. */
async function recordTrashed(scope: WriteScope, ids: readonly string[]): Promise<void> {
  if (!(await hasListeners(scope))) return
  const { db, actor } = scope
  const before = await trashedAmong(db, actor.workspaceId, ids)
  const fresh = ids.filter((id) => !before.has(id))
  const blocks = await findBlocks(db, actor.workspaceId, fresh)
  const changes = [...blocks.values()].flatMap((block) => trashing(block, true))
  await recordEvent(scope, changes)
}

/** Continues where `erasePage` stopped. @returns the number of deleted rows; fewer than `limit` if nothing is left */
export function sweepErased(db: Transaction, _now: number, limit: number): Promise<number> {
  return dropBelowErased(db, undefined, limit)
}
