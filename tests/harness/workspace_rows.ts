import type { Database } from '../../server/store/database.ts'

/** The tables with a workspace id, from the engine's catalog. */
const TABLES = {
  sqlite: `select m.name as name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'workspace_id' where m.type = 'table'`,
  postgresql: `select table_name::text as name from information_schema.columns
    where column_name = 'workspace_id' and table_schema = 'public'`,
} as const

export async function tablesOfWorkspaces(database: Database): Promise<string[]> {
  const rows = await database.read((db) => db.all({ name: 'text' }, TABLES[database.engine]))
  return rows.map(({ name }) => name).toSorted()
}

/** All rows of a workspace, by table, in an order that does not depend on the engine. Empty tables are omitted. */
export async function rowsOfWorkspace(
  database: Database,
  workspaceId: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {}
  for (const table of await tablesOfWorkspaces(database)) {
    const rows = await database.read((db) => db.all({}, `select * from ${table} where workspace_id = ?`, workspaceId))
    if (rows.length > 0) found[table] = rows.map((row) => asText(row)).toSorted()
  }
  return found
}

/** Columns that the database numbers or computes, with different values in other databases and engines. */
const OWN_TO_ENGINE = new Set(['number', 'short_words', 'keys'])

function asText(row: object): string {
  return JSON.stringify(
    Object.entries(row)
      .filter(([name]) => !('words' in row || 'stream' in row || 'keys' in row) || !OWN_TO_ENGINE.has(name))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
      ]),
  )
}
