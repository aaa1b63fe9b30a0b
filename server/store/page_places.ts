import type { ParentType } from './blocks.ts'
import type { Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { isClosedBelow, isVisibleBelow } from './visibility.ts'

/** Whether a block is another one or lies below it: as many steps as it is deep. */
export async function isAtOrBelow(db: Connection, workspaceId: string, id: string, aboveId: string): Promise<boolean> {
  const row = await db.get(
    {},
    `with recursive ancestry (id, parent_id, parent_type) as (
       select id, parent_id, parent_type from blocks where workspace_id = ? and id = ?
       union all
       select b.id, b.parent_id, b.parent_type
       from ancestry a ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = a.parent_id')} where a.parent_type <> 'workspace')
     select a.id from ancestry a where a.id = ? limit 1`,
    workspaceId,
    id,
    workspaceId,
    aboveId,
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
    'update blocks set parent_type = ?, parent_id = ?, page_id = ?, rank = ? where workspace_id = ? and id = ?',
    place.parentType,
    place.parentId,
    place.pageId,
    place.rank,
    workspaceId,
    id,
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
    `select b.id, b.type, b.rank from blocks b
     where b.workspace_id = ? and b.parent_id = ? and b.in_trash = 0 and b.rank > ? and b.type in ('child_page', 'child_database')
       ${seen.sql} order by b.rank limit ?`,
    viewer.workspaceId,
    pageId,
    afterRank,
    ...seen.parameters,
    limit,
  )
}

/** Moves all pages and databases to the trash that stand directly on a page, where the caller sees them. @returns how many */
export function trashPagesOn(db: Transaction, viewer: Viewer, pageId: string, now: number): Promise<number> {
  const seen = isVisibleBelow(db, viewer)
  return db.run(
    `update blocks as b set in_trash = 1, last_edited_time = ?, last_edited_by = ?
     where b.workspace_id = ? and b.parent_id = ? and b.in_trash = 0 and b.type in ('child_page', 'child_database') ${seen.sql}`,
    now,
    viewer.userId,
    viewer.workspaceId,
    pageId,
    ...seen.parameters,
  )
}

/** Pages and databases that stand on a page inside other blocks, those in the trash included. */
export async function listPagesInBlocks(db: Connection, workspaceId: string, pageId: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    `select id from blocks where workspace_id = ? and page_id = ? and type in ('child_page', 'child_database') and parent_id <> ?
     limit ?`,
    workspaceId,
    pageId,
    pageId,
    limit,
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
  const closed = isClosedBelow(db, viewer)
  const rows = await db.all(
    { id: 'text' },
    `select b.id from blocks b where b.workspace_id = ? and b.page_id = ? and b.type in ('child_page', 'child_database')
       and b.parent_id <> ? and b.in_trash = 0 ${afterId === undefined ? '' : 'and b.id > ?'} ${closed.sql} order by b.id limit ?`,
    viewer.workspaceId,
    pageId,
    pageId,
    ...(afterId === undefined ? [] : [afterId]),
    ...closed.parameters,
    limit,
  )
  return rows.map(({ id }) => id)
}
