import { accessPathSql, type Key, type AccessPath, type AccessPathSql, type RowSet, type Tie } from './access_paths.ts'
import { allOf } from './conditions.ts'
import type { Connection } from './database.ts'
import { rowOf } from './row_shape.ts'
import { looksAtBlock, sqlOfBounds, sqlOfTest, type Bound, type RowNames, type RowTest } from './row_tests.ts'
import { joinSql, valueList, raw, sql, type Sql } from './sql.ts'

/**
 * Which part of an access path: rows of one key, in the promised order of ties, or rows beyond a key, in the order of the index. Rows
 * of equal keys come in the promised order only where the direction is that of the index, see `isInOrder`.
 */
export type KeyRange =
  | { readonly key: Key; readonly after?: Tie | undefined }
  | { readonly afterKey: Key | undefined; readonly direction: 'ascending' | 'descending'; readonly bounds: readonly Bound[] }

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
  const along = accessPathSql(path, rows)
  const reversed = 'key' in range ? false : range.direction !== along.natural
  const order = orderSql(along, 'key' in range, reversed)
  return readRows(db, rows, along, { test, sorts }, (columns) => {
    return sql`${columns} where ${along.where} and ${keyRangeSql(along, range)} order by ${order} limit ${limit}`
  })
}

/** How many rows a range has, counted no further than a limit. Rows of several elements count for each. */
export async function countRowsAlong(
  db: Connection,
  rows: RowSet,
  path: AccessPath,
  range: KeyRange,
  limit: number,
): Promise<number> {
  const along = accessPathSql(path, rows)
  const found = await db.get(
    { count: 'integer' },
    sql`select count(*) as count from (select 1 from ${raw(along.table)} r
      where ${along.where} and ${keyRangeSql(along, range)} limit ${limit}) as found`,
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
  const along = accessPathSql({ along: 'creation' }, rows)
  const found = db.lookUp('blocks', 'r', sql`r.workspace_id = ${rows.workspaceId} and r.id = wanted.id`)
  return readRows(db, rows, along, { test, sorts }, (columns) => columns, sql`${db.wanted(ids)} ${found}`)
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
  const along = accessPathSql(among?.path ?? { along: 'creation' }, rows)
  const base = allOf([along.where, ...(among ? [keySql(along, among.key)] : []), ...(after ? [behind(along, after)] : [])])
  const table = raw(along.table)
  const last = await db.get(
    { id: 'text', created: 'integer' },
    sql`select ${raw(along.id)} as id, ${raw(along.created)} as created from ${table} r where ${base}
      order by ${orderSql(along, among !== undefined, false)} limit 1 offset ${limit - 1}`,
  )
  const tested = sqlOfTest(test, rows.workspaceId, namesOf(along))
  const block = blockOf(db, rows.workspaceId, along, looksAtBlock(test))
  const counted = await db.get(
    { passed: 'integer?', unknown: 'integer?' },
    sql`select sum(case when f.verdict = 1 then 1 else 0 end) as passed, sum(case when f.verdict = 2 then 1 else 0 end) as unknown
     from (select coalesce(cast(${tested} as integer), 2) as verdict from ${table} r ${block}
       where ${base} and ${last ? notBehind(along, last) : allOf([])}) as f`,
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
  const along = accessPathSql(among?.path ?? { along: 'creation' }, rows)
  const base = allOf([along.where, ...(among ? [keySql(along, among.key)] : [])])
  const columns = along.table === 'cells' ? sql`r.page_id, r.tie` : sql`r.id, r.created_time`
  const tested = sqlOfTest(test, rows.workspaceId, namesOf(along))
  const found = await db.get(
    { total: 'integer', looked: 'integer?', passed: 'integer?', unknown: 'integer?' },
    sql`select count(*) as total, sum(case when f.verdict is null then 0 else 1 end) as looked,
       sum(case when f.verdict = 1 then 1 else 0 end) as passed, sum(case when f.verdict = 2 then 1 else 0 end) as unknown
     from (select case when ${raw(along.id)} between ${ids.from} and ${ids.to} then coalesce(cast(${tested} as integer), 2) end as verdict
       from (select ${columns} from ${raw(along.table)} r where ${base}
         order by ${orderSql(along, among !== undefined, false)} limit ${limit}) r) as f`,
  )
  return { total: found?.total ?? 0, looked: found?.looked ?? 0, passed: found?.passed ?? 0, unknown: found?.unknown ?? 0 }
}

function namesOf({ table, id, created }: AccessPathSql): RowNames {
  return { id, created, block: table === 'blocks' ? 'r' : 'b' }
}

/** The block of a row that was met by a cell. */
function blockOf(db: Connection, workspaceId: string, { table, id }: AccessPathSql, isWanted: boolean): Sql {
  return table === 'cells' && isWanted
    ? db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = ${raw(id)}`)
    : sql``
}

function keySql({ keys, unused }: AccessPathSql, key: Key): Sql {
  const equal = keys.map((column, index) => sql`${raw(column)} = ${key[index] ?? null}`)
  return allOf([...equal, ...unused.map((column) => sql`${raw(column)} is null`)])
}

/** What rows of one key, or all of them, are ordered by. */
function orderSql({ keys, unused, order }: AccessPathSql, isOfOneKey: boolean, isReversed: boolean): Sql {
  const columns = order
    .filter(([column]) => !isOfOneKey || !(keys.includes(column) || unused.includes(column)))
    .map(([column, direction]) => `${column} ${isReversed === (direction === 'asc') ? 'desc' : 'asc'}`)
  return raw(columns.join(', '))
}

function keyRangeSql(along: AccessPathSql, range: KeyRange): Sql {
  if ('key' in range) return allOf([keySql(along, range.key), ...(range.after ? [behind(along, range.after)] : [])])
  const bounds = sqlOfBounds(along.keys[0] ?? '', range.bounds)
  if (range.afterKey === undefined) return allOf([bounds])
  const sign = raw(range.direction === 'ascending' ? '>' : '<')
  return allOf([sql`(${raw(along.keys.join(', '))}) ${sign} (${valueList(range.afterKey)})`, bounds])
}

/** Rows behind another one of the same key, or of any key by creation. */
function behind({ table, order }: AccessPathSql, { created, id }: Tie): Sql {
  if (table === 'cells') return sql`(r.tie, r.page_id) > (${-created}, ${id})`
  const [first] = order[0] ?? []
  return first === 'r.created_time' || order.length > 2
    ? sql`(r.created_time <= ${created} and (r.created_time < ${created} or r.id > ${id}))`
    : allOf([])
}

function notBehind({ table }: AccessPathSql, { created, id }: Tie): Sql {
  return table === 'cells'
    ? sql`(r.tie, r.page_id) <= (${-created}, ${id})`
    : sql`(r.created_time >= ${created} and (r.created_time > ${created} or r.id <= ${id}))`
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
  along: AccessPathSql,
  { test, sorts }: { readonly test: RowTest; readonly sorts: readonly SortColumn[] },
  statement: (columns: Sql) => Sql,
  from = raw(`${along.table} r`),
): Promise<ScannedRow[]> {
  const names = namesOf(along)
  const needsBlock = looksAtBlock(test) || sorts.some((sort) => !('propertyId' in sort))
  const columns = [
    raw(`${along.id} as id, ${along.created} as created`),
    ...along.keys.map((key, index) => raw(`${key} as key_${index}`)),
    sql`coalesce(cast(${sqlOfTest(test, workspaceId, names)} as integer), 2) as verdict`,
    ...sorts.map((sort, index) => sql`${sqlOfSort(sort, workspaceId, names)} as ${raw(`sort_${index}`)}`),
  ]
  const shape: typeof scannedRow & KeyColumns = {
    ...scannedRow,
    ...keyColumns('key', along.keys),
    ...keyColumns('sort', sorts),
  }
  const block = blockOf(db, workspaceId, along, needsBlock)
  const found = await db.all(shape, statement(sql`select ${joinSql(columns, ', ')} from ${from} ${block}`))
  return found.map((row) => ({
    id: row.id,
    created: row.created,
    key: along.keys.map((_key, index) => row[`key_${index}` as const] ?? ''),
    verdict: VERDICTS[row.verdict] ?? 'unknown',
    sorts: sorts.map((_sort, index) => row[`sort_${index}` as const] ?? null),
  }))
}

function sqlOfSort(sort: SortColumn, workspaceId: string, { id, block }: RowNames): Sql {
  const column = raw(sort.column)
  if (!('propertyId' in sort)) return sql`${raw(block)}.${column}`
  return sql`(select s.${column} from cells s where s.workspace_id = ${workspaceId} and s.page_id = ${raw(id)}
    and s.property_id = ${sort.propertyId} order by s.position limit 1)`
}
