import { generateNKeysBetween } from 'fractional-indexing'
import { lastRank } from '../../../store/sibling_ranks.ts'
import { listClosedInBlocks, movePageBlock } from '../../../store/page_places.ts'
import { trashedAmong } from '../../../store/trash.ts'
import type { WriteScope } from '../../shared/index.ts'

const PAGES_AT_ONCE = 500

/**
 * Makes a change that removes blocks of a page. Pages and databases inside those blocks that are not visible to the caller are
 * moved to the end of the page instead of the trash: callers cannot remove what they cannot see.
 */
export async function keepClosed<Result>(scope: WriteScope, pageId: string, change: () => Promise<Result>): Promise<Result> {
  const before = await closedInBlocks(scope, pageId)
  const result = await change()
  const gone = await trashedAmong(scope.db, scope.actor.workspaceId, before)
  await moveToEnd(scope, pageId, [...gone].toSorted())
  return result
}

/**
 * The pages and databases inside blocks of a page, outside the trash, that are not visible to the caller. None for a bot, which sees
 * everything below what it sees.
 */
async function closedInBlocks({ db, actor }: WriteScope, pageId: string): Promise<string[]> {
  if (actor.memberLevel === undefined) return []
  const closed: string[] = []
  for (let found: string[] | undefined; found === undefined || found.length === PAGES_AT_ONCE;) {
    found = await listClosedInBlocks(db, actor, pageId, closed.at(-1), PAGES_AT_ONCE)
    closed.push(...found)
  }
  const trashed = await trashedAmong(db, actor.workspaceId, closed)
  return closed.filter((id) => !trashed.has(id))
}

/** Moves pages and databases out of the blocks that contain them to the end of the page. */
export async function moveToEnd({ db, actor }: WriteScope, pageId: string, ids: readonly string[]): Promise<void> {
  const { workspaceId } = actor
  if (ids.length === 0) return
  const ranks = generateNKeysBetween(await lastRank(db, workspaceId, pageId), null, ids.length)
  for (const [index, id] of ids.entries())
    await movePageBlock(db, workspaceId, id, { parentType: 'page_id', parentId: pageId, pageId, rank: ranks[index] ?? '' })
}
