import { accessPathSql, type Key, type AccessPath, type AccessPathSql, type RowSet, type Tie } from './access_paths.ts'
import { allOf } from './conditions.ts'
import type { Connection } from './database.ts'
import { rowOf } from './row_shape.ts'
import { usesBlock, sqlOfBounds, sqlOfTest, type Bound, type RowNames, type RowTest } from './row_tests.ts'
import { joinSql, valueList, raw, sql, type Sql } from './sql.ts'

/**
 * A range of an access path. Either the rows with one key, in the contract's order of ties; or the rows after a key, in the order of the
 * index. In the second case, rows with equal keys are in the contract's order only if the scan has the direction of the index: see
 * `isInOrder`.
 */
export type KeyRange =
  | { readonly key: Key; readonly after?: Tie | undefined }
  | { readonly afterKey: Key | undefined; readonly direction: 'ascending' | 'descending'; readonly bounds: readonly Bound[] }

/** A further sort key, in addition to that of the access path. For a property with several elements, the key of the first one counts. */
export type SortColumn =
  | { readonly propertyId: string; readonly column: 'number_key' | 'end_key' | 'text_key' }
  | { readonly column: 'last_edited_time' | 'created_by' | 'last_edited_by' }

/** A row that a scan has examined. */
export interface ScannedRow extends Tie {
  readonly key: Key
  /** `unknown` if only the stored row can decide. */
  readonly verdict: 'passes' | 'fails' | 'unknown'
  readonly sorts: readonly (number | string | null)[]
}

/** Whether a scan of an index in this direction returns rows with equal keys in the contract's order. */
export function isInOrder({ along }: AccessPath, direction: 'ascending' | 'descending'): boolean {
  return (along === 'creation' ? 'descending' : 'ascending') === direction
}

/** The results of a scan of some rows. */
export interface Examined {
  /** The rows that match, and those that only their stored form can decide, in order. */
  readonly found: readonly ScannedRow[]
  /** The last examined row, even if it fails; undefined at the end of the range. */
  readonly last: ScannedRow | undefined
}

/**
 * Examines the next rows of a range of an access path. The engine does not return rows that fail, except the last examined row, after which
 * the next scan continues. That row is found by reading only the index: numbering the rows would make the engine keep all of them in
 * memory.
 * @param limit the maximum number of rows to examine
 */
export async function scanRows(
  db: Connection,
  rows: RowSet,
  path: AccessPath,
  range: KeyRange,
  test: RowTest,
  sorts: readonly SortColumn[],
  limit: number,
): Promise<Examined> {
  const along = accessPathSql(path, rows)
  const reversed = 'key' in range ? false : range.direction !== along.natural
  const order = orderSql(along, 'key' in range, reversed)
  const scanned = statementOf(db, rows, along, test, sorts)
  const table = raw(along.table)
  const ordered = sql`${along.where} and ${keyRangeSql(along, range)} order by ${order}`
  const lastId = sql`(select ${raw(along.id)} from ${table} r where ${ordered} limit 1 offset ${limit - 1})`
  const examined = await allScanned(
    db,
    along,
    sorts,
    sql`select ${scanned.columns} from (
        select ${scanned.examined}, ${scanned.verdict} + case when ${raw(along.id)} = ${lastId} then ${raw(LAST)} else 0 end as verdict
        from ${table} r ${scanned.block} where ${ordered} limit ${limit}) as f
      where f.verdict <> 0`,
  )
  const last = examined.at(-1)
  return { found: examined.filter(({ verdict }) => verdict !== 'fails'), last: last?.isLast ? last : undefined }
}

/** The number of rows in a range, counted up to a limit. A row counts once for each element of its value. */
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

/** Whether a range has more than `count` rows. A row counts once for each element of its value. Reads only the index. */
export async function hasMoreRowsAlong(
  db: Connection,
  rows: RowSet,
  path: AccessPath,
  range: KeyRange,
  count: number,
): Promise<boolean> {
  const along = accessPathSql(path, rows)
  const found = await db.get(
    {},
    sql`select 1 as found from ${raw(along.table)} r where ${along.where} and ${keyRangeSql(along, range)} limit 1 offset ${count}`,
  )
  return found !== undefined
}

/** Examines the rows with given ids, and returns all of them, even those that fail. Unknown ids are omitted. */
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
  const { columns, examined, verdict } = statementOf(db, rows, along, test, sorts)
  return allScanned(
    db,
    along,
    sorts,
    sql`select ${columns} from (select ${examined}, ${verdict} as verdict from ${db.wanted(ids)} ${found}) as f`,
  )
}

function namesOf({ prefersIndexes }: Connection, { table, id, created }: AccessPathSql): RowNames {
  const [tie, block] = table === 'blocks' ? ['(-r.created_time)', 'r'] : ['r.tie', 'b']
  return { id, created, tie: prefersIndexes ? tie : undefined, block }
}

/** A join with the block of a row whose cells are scanned. */
function blockOf(db: Connection, workspaceId: string, { table, id }: AccessPathSql, isWanted: boolean): Sql {
  return table === 'cells' && isWanted
    ? db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = ${raw(id)}`)
    : sql``
}

function keySql({ keys, unused }: AccessPathSql, key: Key): Sql {
  const equal = keys.map((column, index) => sql`${raw(column)} = ${key[index] ?? null}`)
  return allOf([...equal, ...unused.map((column) => sql`${raw(column)} is null`)])
}

/** The `order by` of a scan of one key, or of all keys. */
function orderSql({ keys, unused, order }: AccessPathSql, isOfOneKey: boolean, isReversed: boolean): Sql {
  const columns = order
    .filter(([column]) => !isOfOneKey || !(keys.includes(column) || unused.includes(column)))
    .map(([column, direction]) => `${column} ${isReversed === (direction === 'asc') ? 'desc' : 'asc'}`)
  return raw(columns.join(', '))
}

function keyRangeSql(along: AccessPathSql, range: KeyRange): Sql {
  if ('key' in range) return allOf([keySql(along, range.key), ...(range.after ? [following(along, range.after)] : [])])
  const bounds = sqlOfBounds(along.keys[0] ?? '', range.bounds)
  if (range.afterKey === undefined) return allOf([bounds])
  const sign = raw(range.direction === 'ascending' ? '>' : '<')
  return allOf([sql`(${raw(along.keys.join(', '))}) ${sign} (${valueList(range.afterKey)})`, bounds])
}

/** Matches the rows after another row with the same key; on the access path by creation, after any other row. */
function following({ table, order }: AccessPathSql, { created, id }: Tie): Sql {
  if (table === 'cells') return sql`(r.tie, r.page_id) > (${-created}, ${id})`
  const [first] = order[0] ?? []
  return first === 'r.created_time' || order.length > 2
    ? sql`(r.created_time <= ${created} and (r.created_time < ${created} or r.id > ${id}))`
    : allOf([])
}

const scannedRow = rowOf({ id: 'text', created: 'integer', verdict: 'integer' })

/** The columns of a row's sort keys. */
type KeyColumns = Readonly<Record<`${'key' | 'sort'}_${number}`, 'key'>>

function keyColumns(name: 'key' | 'sort', { length }: readonly unknown[]): KeyColumns {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`${name}_${index}`, 'key'] as const))
}

const VERDICTS = ['fails', 'passes', 'unknown'] as const
/** Added to the verdict on the last row of a batch. */
const LAST = 4

interface ScanSql {
  /** The columns of an examined row, named `r`. */
  readonly examined: Sql
  /** An SQL expression for the verdict, as an index in `VERDICTS`. */
  readonly verdict: Sql
  readonly block: Sql
  /** The columns of a returned row, named `f`, in terms of the examined row's columns. */
  readonly columns: Sql
}

/** The statement of a scan. The values of properties by which rows are sorted are read only for the returned rows. */
function statementOf(db: Connection, rows: RowSet, along: AccessPathSql, test: RowTest, sorts: readonly SortColumn[]): ScanSql {
  const { workspaceId } = rows
  const names = namesOf(db, along)
  const needsBlock = usesBlock(test) || sorts.some((sort) => !('propertyId' in sort))
  const keys = along.keys.map((key, index) => ({ key, name: `key_${index}` }))
  const examined = [
    raw(`${along.id} as id, ${along.created} as created`),
    ...keys.map(({ key, name }) => raw(`${key} as ${name}`)),
    ...sorts.flatMap((sort, index) => ('propertyId' in sort ? [] : [raw(`${names.block}.${sort.column} as sort_${index}`)])),
  ]
  const columns = [
    raw(['f.id, f.created, f.verdict', ...keys.map(({ name }) => `f.${name}`)].join(', ')),
    ...sorts.map((sort, index) =>
      'propertyId' in sort ? sql`${sqlOfSort(sort, workspaceId)} as ${raw(`sort_${index}`)}` : raw(`f.sort_${index}`),
    ),
  ]
  return {
    examined: joinSql(examined, ', '),
    verdict: sql`coalesce(cast(${sqlOfTest(test, rows, names)} as integer), 2)`,
    block: blockOf(db, workspaceId, along, needsBlock),
    columns: joinSql(columns, ', '),
  }
}

async function allScanned(
  db: Connection,
  { keys }: AccessPathSql,
  sorts: readonly SortColumn[],
  statement: Sql,
): Promise<(ScannedRow & { readonly isLast: boolean })[]> {
  const shape: typeof scannedRow & KeyColumns = { ...scannedRow, ...keyColumns('key', keys), ...keyColumns('sort', sorts) }
  const found = await db.all(shape, statement)
  return found.map((row) => ({
    id: row.id,
    created: row.created,
    key: keys.map((_key, index) => row[`key_${index}` as const] ?? ''),
    verdict: VERDICTS[row.verdict % LAST] ?? 'unknown',
    sorts: sorts.map((_sort, index) => row[`sort_${index}` as const] ?? null),
    isLast: row.verdict >= LAST,
  }))
}

function sqlOfSort({ propertyId, column }: Extract<SortColumn, { propertyId: string }>, workspaceId: string): Sql {
  return sql`(select s.${raw(column)} from cells s where s.workspace_id = ${workspaceId} and s.page_id = f.id
    and s.property_id = ${propertyId} order by s.position limit 1)`
}
