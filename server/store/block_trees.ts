import { chunks, TimeSlice } from '../kernel/yield_to_event_loop.ts'
import type { Viewer } from './access.ts'
import type { ParentType } from './blocks.ts'
import type { Connection, Transaction } from './database.ts'
import { isVisibleBelow } from './visibility.ts'
import { sql } from './sql.ts'

/** The new parent and rank of a block. */
export interface NewPlace {
  readonly id: string
  readonly parentType: ParentType
  readonly parentId: string
  readonly rank: string
}

/** Moves blocks, with the blocks below them, to other places on the same page. */
export async function moveBlocks(db: Transaction, workspaceId: string, places: readonly NewPlace[]): Promise<void> {
  const slice = new TimeSlice()
  for (const { id, parentType, parentId, rank } of places) {
    if (slice.isOver) await slice.next()
    await db.run(
      sql`update blocks set parent_type = ${parentType}, parent_id = ${parentId}, rank = ${rank}
        where workspace_id = ${workspaceId} and id = ${id}`,
    )
  }
}

const IDS_AT_ONCE = 500

/** Moves blocks to the trash, and records the user as their editor. */
export async function trashBlocks(
  db: Transaction,
  workspaceId: string,
  ids: readonly string[],
  userId: string,
  now: number,
): Promise<void> {
  const slice = new TimeSlice()
  for (const some of chunks(ids, IDS_AT_ONCE)) {
    if (slice.isOver) await slice.next()
    // One statement for all blocks could read the whole workspace. These statements are sent together.
    const changes = some.map((id) =>
      db.run(
        sql`update blocks set in_trash = 1, last_edited_time = ${now}, last_edited_by = ${userId}
          where workspace_id = ${workspaceId} and id = ${id}`,
      ),
    )
    await Promise.all(changes)
  }
}

/** Moves the children after a rank to the trash, if the viewer can see them. */
export async function trashAfter(db: Transaction, viewer: Viewer, parentId: string, rank: string, now: number): Promise<void> {
  const seen = isVisibleBelow(db, viewer)
  await db.run(
    sql`update blocks as b set in_trash = 1, last_edited_time = ${now}, last_edited_by = ${viewer.userId}
     where b.workspace_id = ${viewer.workspaceId} and b.parent_id = ${parentId} and b.in_trash = 0 and b.rank > ${rank} ${seen}`,
  )
}

/** The ranks of children in the trash, which keep their positions among their siblings; at most `limit`. */
export async function listTrashedRanks(db: Connection, workspaceId: string, parentId: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    { rank: 'text' },
    sql`select rank from blocks where workspace_id = ${workspaceId} and parent_id = ${parentId} and in_trash = 1 order by rank
      limit ${limit}`,
  )
  return rows.map(({ rank }) => rank)
}

/**
 * The pages and databases on a page, outside the trash and visible to the viewer, that are at any depth below one of the blocks; at most
 * `limit`. In the statement, `is true` keeps the planner from turning the list into a join, which would compare every pair.
 */
export async function childPagesBelow(
  db: Connection,
  viewer: Viewer,
  pageId: string,
  blockIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (blockIds.length === 0) return []
  const seen = isVisibleBelow(db, viewer)
  const rows = await db.all(
    { id: 'text' },
    sql`with recursive above (start, id, parent_id) as (
       select b.id, b.id, b.parent_id from blocks b
       where b.workspace_id = ${viewer.workspaceId} and b.page_id = ${pageId} and b.in_trash = 0
       and b.type in ('child_page', 'child_database') ${seen}
       union all
       select a.start, b.id, b.parent_id from above a
       ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${viewer.workspaceId} and b.id = a.parent_id`)}
       where a.parent_id <> ${pageId})
     select distinct start as id from above where (id in (select wanted.id from ${db.wanted(blockIds)})) is true limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** The pages and databases anywhere in a page's content, at any depth, outside the trash and visible to the viewer; at most `limit`. */
export async function childPagesOf(db: Connection, viewer: Viewer, pageId: string, limit: number): Promise<string[]> {
  const seen = isVisibleBelow(db, viewer)
  const rows = await db.all(
    { id: 'text' },
    sql`select b.id from blocks b
     where b.workspace_id = ${viewer.workspaceId} and b.page_id = ${pageId} and b.in_trash = 0
     and b.type in ('child_page', 'child_database') ${seen} limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Whether a block has more than `count` children outside the trash. */
export async function hasMoreChildren(db: Connection, workspaceId: string, parentId: string, count: number): Promise<boolean> {
  const row = await db.get(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and parent_id = ${parentId} and in_trash = 0
      order by rank limit 1 offset ${count}`,
  )
  return row !== undefined
}
