import { accessPathSql, type Key, type AccessPath, type AccessPathSql, type RowSet, type Tie } from './access_paths.ts'
import type { Connection, SqlValue } from './database.ts'
import { rowOf } from './row_shape.ts'
import {
  joined,
  looksAtBlock,
  sqlOfBounds,
  sqlOfTest,
  type Bound,
  type RowNames,
  type RowTest,
  type SqlPart,
} from './row_tests.ts'

/**
 * Which part of an access path: rows of one key, in the promised order of ties, or rows beyond a key, in the order of the index. Rows
 * of equal keys come in the promised order only where the direction is that of the index, see `isInOrder`.
 */
export type KeyRange =
  | { readonly key: Key; readonly after?: Tie | undefined }
  | { readonly beyond: Key | undefined; readonly direction: 'ascending' | 'descending'; readonly bounds: readonly Bound[] }

/** A value that rows are sorted by, besides that of the access path: of the first element where a property has many. */
export type SortColumn =
  | { readonly propertyId: string; readonly column: 'number_key' | 'end_key' | 'text_key' }
  | { readonly column: 'last_edited_time' | 'created_by' | 'last_edited_by' }

/** A row that was looked at. */
export interface ScannedRow extends Tie {
  readonly key: Key
  /** Passes, does not, or has to be decided by the row itself. */
  readonly verdict: 'passes' | 'fails' | 'unknown'
  readonly sorts: readonly (number | string | null)[]
}

/** Whether rows of equal keys come in the promised order when an index is scanned in this direction. */
export function isInOrder({ along }: AccessPath, direction: 'ascending' | 'descending'): boolean {
  return (along === 'creation' ? 'descending' : 'ascending') === direction
}

/** Looks at the next rows of a range of an access path, whether they pass the test or not. */
export async function scanRows(
  db: Connection,
  rows: RowSet,
  path: AccessPath,
  range: KeyRange,
  test: RowTest,
  sorts: readonly SortColumn[],
  limit: number,
): Promise<ScannedRow[]> {
  const sql = accessPathSql(path, rows)
  const where = keyRangeSql(sql, range)
  const reversed = 'key' in range ? false : range.direction !== sql.natural
  const order = orderSql(sql, 'key' in range, reversed)
  return readRows(
    db,
    rows,
    sql,
    { test, sorts },
    (columns) => `${columns} where ${sql.where.sql} and ${where.sql} order by ${order} limit ?`,
    [...sql.where.parameters, ...where.parameters, limit],
  )
}

/** How many rows a range has, counted no further than a limit. Rows of several elements count for each. */
export async function countRowsAlong(
  db: Connection,
  rows: RowSet,
  path: AccessPath,
  range: KeyRange,
  limit: number,
): Promise<number> {
  const sql = accessPathSql(path, rows)
  const where = keyRangeSql(sql, range)
  const found = await db.get(
    { count: 'integer' },
    `select count(*) as count from (select 1 from ${sql.table} r where ${sql.where.sql} and ${where.sql} limit ?) as found`,
    ...sql.where.parameters,
    ...where.parameters,
    limit,
  )
  return found?.count ?? 0
}

/** Looks at rows by their ids. */
export async function scanRowsById(
  db: Connection,
  rows: RowSet,
  ids: readonly string[],
  test: RowTest,
  sorts: readonly SortColumn[],
): Promise<ScannedRow[]> {
  if (ids.length === 0) return []
  const sql = accessPathSql({ along: 'creation' }, rows)
  const wanted = db.wanted(ids)
  const found = db.lookUp('blocks', 'r', 'r.workspace_id = ? and r.id = wanted.id')
  return readRows(
    db,
    rows,
    sql,
    { test, sorts },
    (columns) => columns,
    [wanted.parameter, rows.workspaceId],
    `${wanted.table} ${found}`,
  )
}

interface CountedRows {
  /** Rows that pass. */
  readonly passed: number
  /** Rows that have to be decided by themselves. */
  readonly unknown: number
  /** Where to go on counting; undefined when all have been counted. */
  readonly next: Tie | undefined
}

/** Counts rows that pass among the next so many, by creation or among those of one key. */
export async function countPassing(
  db: Connection,
  rows: RowSet,
  among: { readonly path: AccessPath; readonly key: Key } | undefined,
  after: Tie | undefined,
  test: RowTest,
  limit: number,
): Promise<CountedRows> {
  const sql = accessPathSql(among?.path ?? { along: 'creation' }, rows)
  const key = among && keySql(sql, among.key)
  const base = joined([sql.where, ...(key ? [key] : []), ...(after ? [behind(sql, after)] : [])], 'and', '(1 = 1)')
  const order = orderSql(sql, among !== undefined, false)
  const last = await db.get(
    { id: 'text', created: 'integer' },
    `select ${sql.id} as id, ${sql.created} as created from ${sql.table} r where ${base.sql} order by ${order} limit 1 offset ?`,
    ...base.parameters,
    limit - 1,
  )
  const names = namesOf(sql)
  const tested = sqlOfTest(test, rows.workspaceId, names)
  const until = last ? notBehind(sql, last) : { sql: '(1 = 1)', parameters: [] }
  const counted = await db.get(
    { passed: 'integer?', unknown: 'integer?' },
    `select sum(case when f.verdict = 1 then 1 else 0 end) as passed, sum(case when f.verdict = 2 then 1 else 0 end) as unknown
     from (select coalesce(cast(${tested.sql} as integer), 2) as verdict from ${sql.table} r ${blockOf(db, sql, looksAtBlock(test))}
       where ${base.sql} and ${until.sql}) as f`,
    ...tested.parameters,
    ...(sql.table === 'cells' && looksAtBlock(test) ? [rows.workspaceId] : []),
    ...base.parameters,
    ...until.parameters,
  )
  return { passed: counted?.passed ?? 0, unknown: counted?.unknown ?? 0, next: last }
}

/** Some of the rows of a scan, chosen by their ids, which are random. */
export interface Sample {
  /** Rows of the scan that the sample was taken from. */
  readonly total: number
  readonly looked: number
  readonly passed: number
  /** Rows that have to be decided by themselves. */
  readonly unknown: number
}

/**
 * Looks at those of the first rows, by creation or among those of one key, whose ids are in a range.
 * @param test looks at no block
 */
export async function samplePassing(
  db: Connection,
  rows: RowSet,
  among: { readonly path: AccessPath; readonly key: Key } | undefined,
  test: RowTest,
  ids: { readonly from: string; readonly to: string },
  limit: number,
): Promise<Sample> {
  const sql = accessPathSql(among?.path ?? { along: 'creation' }, rows)
  const base = joined([sql.where, ...(among ? [keySql(sql, among.key)] : [])], 'and', '(1 = 1)')
  const order = orderSql(sql, among !== undefined, false)
  const columns = sql.table === 'cells' ? 'r.page_id, r.tie' : 'r.id, r.created_time'
  const tested = sqlOfTest(test, rows.workspaceId, namesOf(sql))
  const found = await db.get(
    { total: 'integer', looked: 'integer?', passed: 'integer?', unknown: 'integer?' },
    `select count(*) as total, sum(case when f.verdict is null then 0 else 1 end) as looked,
       sum(case when f.verdict = 1 then 1 else 0 end) as passed, sum(case when f.verdict = 2 then 1 else 0 end) as unknown
     from (select case when ${sql.id} between ? and ? then coalesce(cast(${tested.sql} as integer), 2) end as verdict
       from (select ${columns} from ${sql.table} r where ${base.sql} order by ${order} limit ?) r) as f`,
    ids.from,
    ids.to,
    ...tested.parameters,
    ...base.parameters,
    limit,
  )
  return { total: found?.total ?? 0, looked: found?.looked ?? 0, passed: found?.passed ?? 0, unknown: found?.unknown ?? 0 }
}

function namesOf({ table, id, created }: AccessPathSql): RowNames {
  return { id, created, block: table === 'blocks' ? 'r' : 'b' }
}

/** The block of a row that was met by a cell. */
function blockOf(db: Connection, { table, id }: AccessPathSql, isWanted: boolean): string {
  return table === 'cells' && isWanted ? db.lookUp('blocks', 'b', `b.workspace_id = ? and b.id = ${id}`) : ''
}

function keySql({ keys, unused }: AccessPathSql, key: Key): SqlPart {
  const equal = keys.map((column, index): SqlPart => ({ sql: `${column} = ?`, parameters: [key[index] ?? null] }))
  return joined([...equal, ...unused.map((column) => ({ sql: `${column} is null`, parameters: [] }))], 'and', '(1 = 1)')
}

/** What rows of one key, or all of them, are ordered by. */
function orderSql({ keys, unused, order }: AccessPathSql, isOfOneKey: boolean, isReversed: boolean): string {
  return order
    .filter(([column]) => !isOfOneKey || !(keys.includes(column) || unused.includes(column)))
    .map(([column, direction]) => `${column} ${isReversed === (direction === 'asc') ? 'desc' : 'asc'}`)
    .join(', ')
}

function keyRangeSql(sql: AccessPathSql, range: KeyRange): SqlPart {
  const { keys } = sql
  if ('key' in range) {
    return joined([keySql(sql, range.key), ...(range.after ? [behind(sql, range.after)] : [])], 'and', '(1 = 1)')
  }
  const sign = range.direction === 'ascending' ? '>' : '<'
  const beyond =
    range.beyond === undefined
      ? []
      : [{ sql: `(${keys.join(', ')}) ${sign} (${keys.map(() => '?').join(', ')})`, parameters: range.beyond }]
  return joined([...beyond, sqlOfBounds(keys[0] ?? '', range.bounds)], 'and', '(1 = 1)')
}

/** Rows behind another one of the same key, or of any key by creation. */
function behind({ table, order }: AccessPathSql, { created, id }: Tie): SqlPart {
  if (table === 'cells') return { sql: '(r.tie, r.page_id) > (?, ?)', parameters: [-created, id] }
  const [first] = order[0] ?? []
  return first === 'r.created_time' || order.length > 2
    ? { sql: '(r.created_time <= ? and (r.created_time < ? or r.id > ?))', parameters: [created, created, id] }
    : { sql: '(1 = 1)', parameters: [] }
}

function notBehind({ table }: AccessPathSql, { created, id }: Tie): SqlPart {
  return table === 'cells'
    ? { sql: '(r.tie, r.page_id) <= (?, ?)', parameters: [-created, id] }
    : { sql: '(r.created_time >= ? and (r.created_time > ? or r.id <= ?))', parameters: [created, created, id] }
}

const scannedRow = rowOf({ id: 'text', created: 'integer', verdict: 'integer' })

/** Columns that depend on the access path and the sorts. */
type KeyColumns = Readonly<Record<`${'key' | 'sort'}_${number}`, 'key'>>

function keyColumns(name: 'key' | 'sort', { length }: readonly unknown[]): KeyColumns {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`${name}_${index}`, 'key'] as const))
}

const VERDICTS = ['fails', 'passes', 'unknown'] as const

async function readRows(
  db: Connection,
  { workspaceId }: RowSet,
  sql: AccessPathSql,
  { test, sorts }: { readonly test: RowTest; readonly sorts: readonly SortColumn[] },
  statement: (columns: string) => string,
  parameters: readonly SqlValue[],
  from = `${sql.table} r`,
): Promise<ScannedRow[]> {
  const names = namesOf(sql)
  const needsBlock = looksAtBlock(test) || sorts.some((sort) => !('propertyId' in sort))
  const tested = sqlOfTest(test, workspaceId, names)
  const sorted = sorts.map((sort) => sqlOfSort(sort, workspaceId, names))
  const columns = [
    `${sql.id} as id, ${sql.created} as created`,
    ...sql.keys.map((key, index) => `${key} as key_${index}`),
    `coalesce(cast(${tested.sql} as integer), 2) as verdict`,
    ...sorted.map((part, index) => `${part.sql} as sort_${index}`),
  ]
  const block = blockOf(db, sql, needsBlock)
  const shape: typeof scannedRow & KeyColumns = {
    ...scannedRow,
    ...keyColumns('key', sql.keys),
    ...keyColumns('sort', sorts),
  }
  const found = await db.all(
    shape,
    statement(`select ${columns.join(', ')} from ${from} ${block}`),
    ...tested.parameters,
    ...sorted.flatMap((part) => part.parameters),
    ...(block === '' ? [] : [workspaceId]),
    ...parameters,
  )
  return found.map((row) => ({
    id: row.id,
    created: row.created,
    key: sql.keys.map((_key, index) => row[`key_${index}` as const] ?? ''),
    verdict: VERDICTS[row.verdict] ?? 'unknown',
    sorts: sorts.map((_sort, index) => row[`sort_${index}` as const] ?? null),
  }))
}

function sqlOfSort(sort: SortColumn, workspaceId: string, { id, block }: RowNames): SqlPart {
  if (!('propertyId' in sort)) return { sql: `${block}.${sort.column}`, parameters: [] }
  return {
    sql: `(select s.${sort.column} from cells s where s.workspace_id = ? and s.page_id = ${id} and s.property_id = ?
      order by s.position limit 1)`,
    parameters: [workspaceId, sort.propertyId],
  }
}
