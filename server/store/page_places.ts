import type { ParentType } from './blocks.ts'
import type { Connection, Transaction } from './database.ts'

/** Whether a block is another one or lies below it: as many steps as it is deep. */
export async function isAtOrBelow(db: Connection, workspaceId: string, id: string, aboveId: string): Promise<boolean> {
  const row = await db.get(
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
export interface PagePlace {
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

/** Moves all pages and databases to the trash that stand directly on a page. @returns how many */
export function trashPagesOn(db: Transaction, workspaceId: string, pageId: string, userId: string, now: number): Promise<number> {
  return db.run(
    `update blocks set in_trash = 1, last_edited_time = ?, last_edited_by = ?
     where workspace_id = ? and parent_id = ? and in_trash = 0 and type in ('child_page', 'child_database')`,
    now,
    userId,
    workspaceId,
    pageId,
  )
}

/** Pages and databases that stand on a page inside other blocks, those in the trash included. */
export async function listPagesInBlocks(db: Connection, workspaceId: string, pageId: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `select id from blocks where workspace_id = ? and page_id = ? and type in ('child_page', 'child_database') and parent_id <> ?
     limit ?`,
    workspaceId,
    pageId,
    pageId,
    limit,
  )
  return rows.map(({ id }) => id)
}
