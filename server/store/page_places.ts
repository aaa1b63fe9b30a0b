import type { ParentType } from './blocks.ts'
import type { Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { isClosedBelow, isVisibleBelow } from './visibility.ts'
import { sql } from './sql.ts'

/** Whether a block is another one or lies below it: as many steps as it is deep. */
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

/** Where a page or database goes. */
interface PagePlace {
  readonly parentType: ParentType
  readonly parentId: string
  /** The page around it. */
  readonly pageId: string | null
  readonly rank: string
}

/** Moves a page or database to another place. What is below it stays below it. */
export async function movePageBlock(db: Transaction, workspaceId: string, id: string, place: PagePlace): Promise<void> {
  await db.run(
    sql`update blocks set parent_type = ${place.parentType}, parent_id = ${place.parentId}, page_id = ${place.pageId}, rank =
      ${place.rank} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Pages and databases outside the trash that stand directly on a page, behind a rank, where the caller sees them. */
export function listPagesOn(
  db: Connection,
  viewer: Viewer,
  pageId: string,
  afterRank: string,
  limit: number,
): Promise<{ readonly id: string; readonly type: string; readonly rank: string }[]> {
  const seen = isVisibleBelow(db, viewer)
  return db.all(
    { id: 'text', type: 'text', rank: 'text' },
    sql`select b.id, b.type, b.rank from blocks b
     where b.workspace_id = ${viewer.workspaceId} and b.parent_id = ${pageId} and b.in_trash = 0 and b.rank > ${afterRank}
     and b.type in ('child_page', 'child_database') ${seen} order by b.rank limit ${limit}`,
  )
}

/** Moves all pages and databases to the trash that stand directly on a page, where the caller sees them. @returns how many */
export function trashPagesOn(db: Transaction, viewer: Viewer, pageId: string, now: number): Promise<number> {
  const seen = isVisibleBelow(db, viewer)
  return db.run(
    sql`update blocks as b set in_trash = 1, last_edited_time = ${now}, last_edited_by = ${viewer.userId}
     where b.workspace_id = ${viewer.workspaceId} and b.parent_id = ${pageId} and b.in_trash = 0
     and b.type in ('child_page', 'child_database') ${seen}`,
  )
}

/** Pages and databases that stand on a page inside other blocks, those in the trash included. */
export async function listPagesInBlocks(db: Connection, workspaceId: string, pageId: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and page_id = ${pageId}
      and type in ('child_page', 'child_database') and parent_id <> ${pageId} limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * As `listPagesInBlocks`, of pages and databases outside the trash that are closed to a member, in the order of their ids.
 * @param afterId undefined to begin with
 */
export async function listClosedInBlocks(
  db: Connection,
  viewer: Viewer,
  pageId: string,
  afterId: string | undefined,
  limit: number,
): Promise<string[]> {
  const behind = afterId === undefined ? sql`` : sql`and b.id > ${afterId}`
  const rows = await db.all(
    { id: 'text' },
    sql`select b.id from blocks b where b.workspace_id = ${viewer.workspaceId} and b.page_id = ${pageId}
      and b.type in ('child_page', 'child_database') and b.parent_id <> ${pageId} and b.in_trash = 0 ${behind}
      ${isClosedBelow(db, viewer)} order by b.id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
