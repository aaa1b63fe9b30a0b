import type { Connection, Transaction } from './database.ts'
import { rowOf } from './row_shape.ts'

/** What a database has besides its block. */
export interface DatabaseDetails {
  readonly description: unknown
  readonly icon: unknown
  readonly cover: unknown
  readonly isInline: boolean
  readonly isLocked: boolean
  /** Title and description are those of the only data source there has ever been. */
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
  const found = new Map<string, DatabaseDetails>()
  if (ids.length === 0) return found
  const wanted = db.wanted(ids)
  const rows = await db.all(
    databaseRow,
    `select d.id, d.description, d.icon, d.cover, d.is_inline, d.is_locked, d.shares_words
     from ${wanted.table} ${db.lookUp('databases', 'd', 'd.workspace_id = ? and d.id = wanted.id')}`,
    wanted.parameter,
    workspaceId,
  )
  for (const row of rows) {
    found.set(row.id, {
      description: JSON.parse(row.description),
      icon: row.icon === null ? null : JSON.parse(row.icon),
      cover: row.cover === null ? null : JSON.parse(row.cover),
      isInline: Boolean(row.is_inline),
      isLocked: Boolean(row.is_locked),
      sharesWords: Boolean(row.shares_words),
    })
  }
  return found
}

export async function insertDatabase(db: Transaction, workspaceId: string, id: string, details: DatabaseDetails): Promise<void> {
  await db.run(
    `insert into databases (description, icon, cover, is_inline, is_locked, shares_words, workspace_id, id)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...parametersOf(details),
    workspaceId,
    id,
  )
}

export async function updateDatabaseDetails(
  db: Transaction,
  workspaceId: string,
  id: string,
  details: DatabaseDetails,
): Promise<void> {
  await db.run(
    `update databases set description = ?, icon = ?, cover = ?, is_inline = ?, is_locked = ?, shares_words = ?
     where workspace_id = ? and id = ?`,
    ...parametersOf(details),
    workspaceId,
    id,
  )
}

function parametersOf(details: DatabaseDetails): (string | number | null)[] {
  return [
    JSON.stringify(details.description),
    details.icon === null ? null : JSON.stringify(details.icon),
    details.cover === null ? null : JSON.stringify(details.cover),
    Number(details.isInline),
    Number(details.isLocked),
    Number(details.sharesWords),
  ]
}
