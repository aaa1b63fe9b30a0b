import type { Connection, Database, Transaction } from './database.ts'
import { readCatalogue, type CatalogueTable } from './dialects/catalogue.ts'
import { raw, sql, valueList } from './sql.ts'

export type { CatalogueTable } from './dialects/catalogue.ts'

/**
 * The tables that hold what belongs to workspaces, as the database itself lists them, so that none is forgotten: those that refer to
 * others first. The objects of the file storage are left out: their rows go when their bytes have gone.
 */
export async function workspaceTables(database: Database): Promise<readonly CatalogueTable[]> {
  const tables = await database.read((db) => readCatalogue(database.engine, db))
  return tables.filter(({ name, columns }) => name !== 'file_objects' && columns.some((column) => column.name === 'workspace_id'))
}

/** Deletes rows of a workspace. @returns how many, fewer than `limit` when none is left */
export function deleteRows(db: Transaction, table: CatalogueTable, workspaceId: string, limit: number): Promise<number> {
  const [name, key] = [raw(table.name), raw(table.key.join(', '))]
  return db.run(
    sql`delete from ${name} where (${key}) in (select ${key} from ${name} where workspace_id = ${workspaceId} limit ${limit})`,
  )
}

/** Deletes titles with what search finds them by. @returns how many */
export async function deleteTitles(db: Transaction, workspaceId: string, limit: number): Promise<number> {
  const titles = await db.all(
    { id: 'text', number: 'integer' },
    sql`select id, number from titles where workspace_id = ${workspaceId} limit ${limit}`,
  )
  for (const { id, number } of titles) {
    await db.titleKeys.remove(db, { workspaceId, id, number })
    await db.run(sql`delete from titles where workspace_id = ${workspaceId} and id = ${id}`)
  }
  return titles.length
}

/** Deletes the accounts of people who belong to no other workspace, with all that signs them in. @returns how many */
export async function deleteLoneAccounts(db: Transaction, workspaceId: string, limit: number): Promise<number> {
  const rows = await db.all(
    { id: 'text' },
    sql`select a.id from users u join accounts a on a.id = u.id where u.workspace_id = ${workspaceId} and u.kind = 'person'
      and not exists (select 1 from users o where o.id = u.id and o.workspace_id <> ${workspaceId}) limit ${limit}`,
  )
  if (rows.length === 0) return 0
  const ids = valueList(rows.map(({ id }) => id))
  await db.run(sql`delete from sign_in_links where account_id in (${ids})`)
  await db.run(sql`delete from browser_sessions where account_id in (${ids})`)
  return db.run(sql`delete from accounts where id in (${ids})`)
}

/** Objects of a workspace that files of other workspaces consist of: copies of pages share them. */
export async function objectsUsedElsewhere(db: Connection, workspaceId: string): Promise<ReadonlySet<string>> {
  const rows = await db.all(
    { object_id: 'text' },
    sql`select distinct object_id from file_parts where object_workspace_id = ${workspaceId} and workspace_id <> ${workspaceId}`,
  )
  return new Set(rows.map(({ object_id: id }) => id))
}

/** Objects of a workspace in the order of their ids. @param after the last one seen; empty to begin */
export async function listObjectsAfter(db: Connection, workspaceId: string, after: string, limit: number): Promise<string[]> {
  const later = after === '' ? sql`` : sql`and id > ${after}`
  const rows = await db.all(
    { id: 'text' },
    sql`select id from file_objects where workspace_id = ${workspaceId} ${later} order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** What rows of other workspaces say of a workspace that goes, and the workspace itself. */
export async function deleteWorkspaceRow(db: Transaction, workspaceId: string): Promise<void> {
  await db.run(sql`delete from webhook_workspaces where home_id = ${workspaceId}`)
  await db.run(sql`delete from workspaces where id = ${workspaceId}`)
}
