import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { valueList, sql } from './sql.ts'
import { readJson, readNullableJson } from './stored/read_json.ts'

/** The stored data of a database besides its block. */
export interface DatabaseDetails {
  readonly description: unknown
  readonly icon: unknown
  readonly cover: unknown
  readonly isInline: boolean
  readonly isLocked: boolean
  /** Whether the database shares its title and description with its data source. It does as long as it has never had a second one. */
  readonly sharesWords: boolean
}

const databaseRow = rowOf({
  id: 'text',
  description: 'text',
  icon: 'text?',
  cover: 'text?',
  is_inline: 'integer',
  is_locked: 'integer',
  shares_words: 'integer',
})

export async function findDatabases(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, DatabaseDetails>> {
  const rows = await findRowsById(db, databaseRow, 'databases', workspaceId, ids)
  return new Map(rows.map((row) => [row.id, fromRow(row)]))
}

function fromRow(row: RowOf<typeof databaseRow>): DatabaseDetails {
  return {
    description: readJson('databases.description', row.id, row.description),
    icon: readNullableJson('databases.icon', row.id, row.icon),
    cover: readNullableJson('databases.cover', row.id, row.cover),
    isInline: Boolean(row.is_inline),
    isLocked: Boolean(row.is_locked),
    sharesWords: Boolean(row.shares_words),
  }
}

export async function insertDatabase(db: Transaction, workspaceId: string, id: string, details: DatabaseDetails): Promise<void> {
  await db.run(
    sql`insert into databases (workspace_id, id, ${COLUMNS}) values (${workspaceId}, ${id}, ${valueList(valuesOf(details))})`,
  )
}

export async function updateDatabaseDetails(
  db: Transaction,
  workspaceId: string,
  id: string,
  details: DatabaseDetails,
): Promise<void> {
  await db.run(
    sql`update databases set (${COLUMNS}) = (${valueList(valuesOf(details))}) where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

const COLUMNS = sql`description, icon, cover, is_inline, is_locked, shares_words`

function valuesOf(details: DatabaseDetails): (string | number | null)[] {
  return [
    JSON.stringify(details.description),
    details.icon === null ? null : JSON.stringify(details.icon),
    details.cover === null ? null : JSON.stringify(details.cover),
    Number(details.isInline),
    Number(details.isLocked),
    Number(details.sharesWords),
  ]
}
