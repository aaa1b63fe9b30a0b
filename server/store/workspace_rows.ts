import { yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import type { Connection, Database, Transaction } from './database.ts'
import { loadCatalog, type CatalogTable } from './dialects/catalog.ts'
import { dropRefusedRequests } from './refused_requests.ts'
import { dropUsage } from './usage.ts'
import { joinSql, raw, sql, valueList, type Sql, type SqlValue } from './sql.ts'

export type { CatalogTable } from './dialects/catalog.ts'

/** The values of a row, in the order of the columns. */
export type StoredRow = readonly SqlValue[]

const NUMBERS_MAX = 900

/** The condition for the rows of a table that belong to a workspace. */
function rowsOf({ name }: CatalogTable, workspaceId: string): Sql {
  const people = sql`select id from users where workspace_id = ${workspaceId} and kind = 'person'`
  const clients = sql`select client_id from connections where workspace_id = ${workspaceId}`
  if (name === 'workspaces') return sql`id = ${workspaceId}`
  if (name === 'accounts') return sql`id in (${people})`
  if (name === 'client_secrets') return sql`client_id in (${clients})`
  // Objects with a drop time will be deleted.
  if (name === 'file_objects') return sql`workspace_id = ${workspaceId} and drop_time is null`
  return sql`workspace_id = ${workspaceId}`
}

/** The tables with rows that belong to a workspace. Each table comes before those to which it refers. Sign-in sessions are not exported. */
export async function tablesToExport(database: Database): Promise<readonly CatalogTable[]> {
  const tables = await database.read((db) => loadCatalog(database.engine, db))
  const named = new Set(['workspaces', 'accounts', 'client_secrets'])
  return tables.filter(({ name, columns }) => named.has(name) || columns.some((column) => column.name === 'workspace_id'))
}

/** How many leading columns of a table's key the condition `workspace_id = …` fixes. */
export function leadingWorkspace({ key }: CatalogTable): number {
  return key.length > 1 && key[0] === 'workspace_id' ? 1 : 0
}

/** Rows are split into portions of about this size. A longer row is a portion of its own. */
const PORTION_BYTES = 1024 * 1024

/** The rows of a workspace in a table, with all columns, by key, in portions of at most `limit` rows and a bounded size. */
export function streamRows(
  db: Connection,
  table: CatalogTable,
  workspaceId: string,
  limit: number,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  return streamWhere(db, table, rowsOf(table, workspaceId), limit, leadingWorkspace(table))
}

/**
 * Like `streamRows`, but for every row that meets a condition.
 * @param fixed how many leading columns of the key the condition fixes; without it, SQLite would read the rows of earlier portions again
 */
export async function* streamWhere(
  db: Connection,
  table: CatalogTable,
  condition: Sql,
  limit: number,
  fixed = 0,
): AsyncGenerator<readonly StoredRow[], void, undefined> {
  const shape = Object.fromEntries(table.columns.map(({ name, isBytes }) => [name, isBytes ? 'bytes?' : 'key'] as const))
  const names = raw(table.columns.map(({ name }) => name).join(', '))
  const compared = table.key.slice(fixed)
  const key = raw(compared.join(', '))
  const positions = compared.map((name) => table.columns.findIndex((column) => column.name === name))
  const after = (last: StoredRow | undefined): Sql =>
    last === undefined ? sql`` : sql`and (${key}) > (${valueList(positions.map((at) => last[at] ?? null))})`
  for (let last: StoredRow | undefined; ;) {
    const from = sql`from ${raw(table.name)} where ${condition} ${after(last)} order by ${key}`
    const sizes = await db.all({ bytes: 'integer' }, sql`select ${sizeOf(table)} as bytes ${from} limit ${limit}`)
    const portion = rowsThatFit(sizes)
    if (portion === 0) return
    const rows = await db.all(shape, sql`select ${names} ${from} limit ${portion}`)
    const values = rows.map((row) => table.columns.map(({ name }) => row[name] ?? null))
    if (values.length > 0) yield values
    await yieldToEventLoop()
    if (portion === sizes.length && portion < limit) return
    last = values.at(-1) ?? last
  }
}

/** An SQL expression for the size of the texts of a row, which engines know without reading them. */
function sizeOf({ columns }: CatalogTable): Sql {
  const long = columns.filter(({ type }) => type === 'text' || type === 'bytes')
  return raw(['0', ...long.map(({ name }) => `coalesce(octet_length(${name}), 0)`)].join(' + '))
}

function rowsThatFit(sizes: readonly { readonly bytes: number }[]): number {
  let [rows, left] = [0, PORTION_BYTES]
  while (rows < sizes.length && left > 0) {
    left -= sizes[rows]?.bytes ?? 0
    rows += 1
  }
  return rows
}

/** Inserts rows unchanged. @param ignoreConflicts whether to skip rows that already exist */
export async function addRows(
  db: Transaction,
  table: CatalogTable,
  rows: readonly StoredRow[],
  ignoreConflicts: boolean,
): Promise<void> {
  const columns = table.columns.filter(({ isCounted }) => !isCounted)
  const end = raw(ignoreConflicts ? ' on conflict do nothing' : '')
  const names = raw(columns.map(({ name }) => name).join(', '))
  // One statement inserts many rows: with a statement for each, a transaction takes several times as long.
  const atOnce = Math.max(1, Math.floor(NUMBERS_MAX / columns.length))
  for (let start = 0; start < rows.length; start += atOnce) {
    const values = rows.slice(start, start + atOnce).map((row) => sql`(${storedList(columns, row)})`)
    await db.run(sql`insert into ${raw(table.name)} (${names}) values ${joinSql(values, ', ')}${end}`)
  }
}

function storedList(columns: CatalogTable['columns'], row: StoredRow): Sql {
  if (!columns.some(({ isSearched }) => isSearched)) return valueList(row)
  return joinSql(
    row.map((value, index) => (columns[index]?.isSearched ? sql`cast(${value} as text)` : sql`${value}`)),
    ', ',
  )
}

/** The given ids that rows of a table already have. */
export async function existingIds(
  db: Connection,
  table: 'accounts' | 'connections',
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db.all({ id: 'text' }, sql`select id from ${raw(table)} where id in (${valueList(ids)})`)
  return rows.map(({ id }) => id)
}

/**
 * The tables with a workspace id, each before those to which it refers. The list comes from the catalog of the database, so it is complete.
 * File objects are excluded: their rows are deleted after their bytes.
 */
export async function workspaceTables(database: Database): Promise<readonly CatalogTable[]> {
  const tables = await database.read((db) => loadCatalog(database.engine, db))
  return tables.filter(({ name, columns }) => name !== 'file_objects' && columns.some((column) => column.name === 'workspace_id'))
}

/**
 * Deletes rows of a workspace.
 * @returns the number of rows; fewer than `limit` if none are left
 */
export function deleteRows(db: Transaction, table: CatalogTable, workspaceId: string, limit: number): Promise<number> {
  const [name, key] = [raw(table.name), raw(table.key.join(', '))]
  return db.change(
    sql`delete from ${name} where workspace_id = ${workspaceId}
      and (${key}) in (select ${key} from ${name} where workspace_id = ${workspaceId} limit ${limit})`,
  )
}

/**
 * Deletes the accounts of people who do not belong to another workspace, with their sessions and sign-in links. @returns the number of
 * accounts
 */
export async function deleteOrphanedAccounts(db: Transaction, workspaceId: string, limit: number): Promise<number> {
  const rows = await db.all(
    { id: 'text' },
    sql`select a.id from users u join accounts a on a.id = u.id where u.workspace_id = ${workspaceId} and u.kind = 'person'
      and not exists (select 1 from users o where o.id = u.id and o.workspace_id <> ${workspaceId}) limit ${limit}`,
  )
  if (rows.length === 0) return 0
  const ids = valueList(rows.map(({ id }) => id))
  await db.run(sql`delete from sign_in_links where account_id in (${ids})`)
  await db.run(sql`delete from browser_sessions where account_id in (${ids})`)
  return db.change(sql`delete from accounts where id in (${ids})`)
}

/** The ids of a workspace's objects to which files of other workspaces refer. Copies of pages do so. */
export async function objectsUsedElsewhere(db: Connection, workspaceId: string): Promise<ReadonlySet<string>> {
  const rows = await db.all(
    { object_id: 'text' },
    sql`select distinct object_id from file_parts where object_workspace_id = ${workspaceId} and workspace_id <> ${workspaceId}`,
  )
  return new Set(rows.map(({ object_id: id }) => id))
}

/** The objects of a workspace by id. @param after the id after which to continue; empty for the beginning */
export async function listObjectsAfter(db: Connection, workspaceId: string, after: string, limit: number): Promise<string[]> {
  const later = after === '' ? sql`` : sql`and id > ${after}`
  const rows = await db.all(
    { id: 'text' },
    sql`select id from file_objects where workspace_id = ${workspaceId} ${later} order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Deletes the row of a workspace, and rows of other workspaces that refer to it. */
export async function deleteWorkspaceRow(db: Transaction, workspaceId: string): Promise<void> {
  await dropRefusedRequests(db, workspaceId)
  await dropUsage(db, workspaceId)
  await db.run(sql`delete from webhook_workspaces where home_id = ${workspaceId}`)
  await db.run(sql`delete from workspaces where id = ${workspaceId}`)
}

/** The given ids, of accounts or of OAuth clients, that do not belong to anyone in the workspace. */
export async function idsOutside(
  db: Connection,
  table: 'accounts' | 'client_secrets',
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const own =
    table === 'accounts'
      ? sql`select id as id from users where workspace_id = ${workspaceId} and kind = 'person' and id in (${valueList(ids)})`
      : sql`select client_id as id from connections where workspace_id = ${workspaceId} and client_id in (${valueList(ids)})`
  const found = new Set((await db.all({ id: 'text' }, own)).map(({ id }) => id))
  return ids.filter((id) => !found.has(id))
}

/** The tables through which people or programs get access to the workspace or receive its events. */
export const credentialTables: ReadonlySet<string> = new Set([
  'authorization_codes',
  'client_secrets',
  'connections',
  'grants',
  'idempotency_keys',
  'token_families',
  'tokens',
  'webhook_deliveries',
  'webhook_subscriptions',
  'webhook_workspaces',
])

/** Removes bots of connections of other workspaces from a workspace. They stay as authors; their tokens and shares are deleted. */
export async function removeForeignBots(db: Transaction, workspaceId: string, now: number): Promise<void> {
  const isForeign = sql`connection_id is not null
    and not exists (select 1 from connections c where c.workspace_id = ${workspaceId} and c.id = connection_id)`
  const bots = sql`select id from users where workspace_id = ${workspaceId} and ${isForeign}`
  await db.run(sql`delete from tokens where workspace_id = ${workspaceId} and user_id in (${bots})`)
  await db.run(sql`delete from token_families where workspace_id = ${workspaceId} and bot_id in (${bots})`)
  await db.run(sql`delete from grants where workspace_id = ${workspaceId} and bot_id in (${bots})`)
  await db.run(sql`delete from authorization_codes where workspace_id = ${workspaceId} and ${isForeign}`)
  await db.run(
    sql`update users set connection_id = null, left_time = coalesce(left_time, ${now}) where workspace_id = ${workspaceId} and ${isForeign}`,
  )
}
