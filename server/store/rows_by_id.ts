import type { Connection } from './database.ts'
import { columnNames, type RowOf, type RowShape } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

/** An SQL text to place after `from`: the rows of a table with these ids, each found by its key. */
export function rowsById(db: Connection, table: string, alias: string, workspaceId: string, ids: readonly string[]): Sql {
  const row = raw(alias)
  return sql`${db.wanted(ids)} ${db.lookUp(table, alias, sql`${row}.workspace_id = ${workspaceId} and ${row}.id = wanted.id`)}`
}

/** The rows of a table with these ids, in no particular order. Unknown ids are omitted. */
export async function findRowsById<const S extends RowShape>(
  db: Connection,
  shape: S,
  table: string,
  workspaceId: string,
  ids: readonly string[],
): Promise<RowOf<S>[]> {
  if (ids.length === 0) return []
  return db.all(shape, sql`select ${columnNames(shape, 't')} from ${rowsById(db, table, 't', workspaceId, ids)}`)
}
