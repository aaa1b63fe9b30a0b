import type { Connection } from './database.ts'
import { rowsById } from './rows_by_id.ts'
import { sql } from './sql.ts'

/** The given ids whose block is in the trash, or below one that is. */
export async function trashedAmong(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all(
    { id: 'text' },
    sql`with recursive ancestry (start, parent_id, parent_type, in_trash) as (
       select b.id, b.parent_id, b.parent_type, b.in_trash from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}
       union all
       select a.start, b.parent_id, b.parent_type, b.in_trash
       from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.parent_id`)}
       where a.parent_type <> 'workspace')
     select distinct start as id from ancestry where in_trash = 1`,
  )
  return new Set(rows.map(({ id }) => id))
}
