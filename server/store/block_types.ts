import type { Connection } from './database.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { sql } from './sql.ts'

export async function findBlockTypes(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await findRowsById(db, { id: 'text', type: 'text' }, 'blocks', workspaceId, ids)
  return new Map(rows.map(({ id, type }) => [id, type]))
}

/** For each block, the type of the previous sibling outside the trash. Blocks without one are omitted. */
export async function typesBefore(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    { id: 'text', type: 'text?' },
    sql`select b.id, (select s.type from blocks s where s.workspace_id = ${workspaceId} and s.parent_id = b.parent_id
      and s.in_trash = 0 and s.rank < b.rank order by s.rank desc limit 1) as type
      from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}`,
  )
  return new Map(rows.flatMap(({ id, type }) => (type === null ? [] : [[id, type]])))
}
