import type { ParentType } from './blocks.ts'
import type { Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { isClosedBelow, isVisibleBelow } from './visibility.ts'
import { sql } from './sql.ts'

/** Whether a block is the same as another one or below it. The cost depends on the depth of the block. */
export async function isAtOrBelow(db: Connection, workspaceId: string, id: string, aboveId: string): Promise<boolean> {
  const row = await db.get(
    {},
    sql`with recursive ancestry (id, parent_id, parent_type) as (
       select id, parent_id, parent_type from blocks where workspace_id = ${workspaceId} and id = ${id}
       union all
       select b.id, b.parent_id, b.parent_type
       from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.parent_id`)}
       where a.parent_type <> 'workspace') select a.id from ancestry a where a.id = ${aboveId} limit 1`,
  )
  return row !== undefined
}

/** The new parent and rank of a page or database. */
interface PagePlace {
  readonly parentType: ParentType
  readonly parentId: string
  /** The nearest page above the record; null at the top of the workspace. */
  readonly pageId: string | null
  readonly rank: string
}

/** Moves a page or database, with everything below it. */
export async function movePageBlock(db: Transaction, workspaceId: string, id: string, place: PagePlace): Promise<void> {
  await db.run(
    sql`update blocks set parent_type = ${place.parentType}, parent_id = ${place.parentId}, page_id = ${place.pageId}, rank =
      ${place.rank} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** The pages and databases that are direct children of a page and visible to the viewer, outside the trash, after a rank. */
export async function listPagesOn(
  db: Connection,
  viewer: Viewer,
  pageId: string,
  afterRank: string,
  limit: number,
): Promise<{ readonly id: string; readonly type: string; readonly rank: string }[]> {
  const visible = isVisibleBelow(db, viewer)
  return db.all(
    { id: 'text', type: 'text', rank: 'text' },
    sql`select b.id, b.type, b.rank from blocks b
     where b.workspace_id = ${viewer.workspaceId} and b.parent_id = ${pageId} and b.in_trash = 0 and b.rank > ${afterRank}
     and b.type in ('child_page', 'child_database') ${visible} order by b.rank limit ${limit}`,
  )
}

/**
 * The pages and databases anywhere on a page, outside the trash: first those on the page itself, then those inside its blocks. A block that
 * contains them may be in the trash.
 */
export async function listRecordsOn(
  db: Connection,
  workspaceId: string,
  pageId: string,
): Promise<{ readonly id: string; readonly type: string; readonly parent_id: string }[]> {
  return db.all(
    { id: 'text', type: 'text', parent_id: 'text' },
    sql`select b.id, b.type, b.parent_id from blocks b
     where b.workspace_id = ${workspaceId} and b.page_id = ${pageId} and b.in_trash = 0
     and b.type in ('child_page', 'child_database')
     order by case when b.parent_id = ${pageId} then 0 else 1 end, b.rank, b.created_time, b.id`,
  )
}

/**
 * Moves the direct child pages and databases of a page that the viewer can see to the trash. @returns the number of moved pages and
 * databases
 */
export function trashPagesOn(db: Transaction, viewer: Viewer, pageId: string, now: number): Promise<number> {
  const visible = isVisibleBelow(db, viewer)
  return db.change(
    sql`update blocks as b set in_trash = 1, last_edited_time = ${now}, last_edited_by = ${viewer.userId}
     where b.workspace_id = ${viewer.workspaceId} and b.parent_id = ${pageId} and b.in_trash = 0
     and b.type in ('child_page', 'child_database') ${visible}`,
  )
}

/** The pages and databases inside other blocks of a page, including those in the trash; at most `limit`. */
export async function listPagesInBlocks(db: Connection, workspaceId: string, pageId: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and page_id = ${pageId}
      and type in ('child_page', 'child_database') and parent_id <> ${pageId} limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Like `listPagesInBlocks`, but only those outside the trash that a member cannot see, ordered by id.
 * @param afterId undefined for the beginning
 */
export async function listClosedInBlocks(
  db: Connection,
  viewer: Viewer,
  pageId: string,
  afterId: string | undefined,
  limit: number,
): Promise<string[]> {
  const following = afterId === undefined ? sql`` : sql`and b.id > ${afterId}`
  const rows = await db.all(
    { id: 'text' },
    sql`select b.id from blocks b where b.workspace_id = ${viewer.workspaceId} and b.page_id = ${pageId}
      and b.type in ('child_page', 'child_database') and b.parent_id <> ${pageId} and b.in_trash = 0 ${following}
      ${isClosedBelow(db, viewer)} order by b.id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
