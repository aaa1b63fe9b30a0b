import { findDataSources, RETIRED_MAX, type StoredDataSource } from '../data_sources.ts'
import type { Connection } from '../database.ts'
import type { CatalogTable } from '../dialects/catalog.ts'
import { findRowsById } from '../rows_by_id.ts'
import { sql, type Sql, type SqlValue } from '../sql.ts'
import { leadingWorkspace, streamWhere, type StoredRow } from '../workspace_rows.ts'
import type { BrokenReference } from './broken_reference.ts'
import { keyMismatch, namedByKey, namedRows, valueFormOf, type ValueColumn } from './column_values.ts'
import { presenceOf, type PossibleMismatch } from './possible_mismatch.ts'
import type { Mismatch } from './form.ts'

const ROWS_AT_ONCE = 500

type Cells = (column: string) => SqlValue

/** The context for checking a row: its page, and the columns of the page's data source. */
interface Facts {
  readonly pages: ReadonlyMap<string, PagePlace>
  readonly sources: ReadonlyMap<string, StoredDataSource>
}

interface PagePlace {
  readonly id: string
  readonly type: string
  readonly parent_type: string
  readonly parent_id: string
  readonly in_trash: number
  readonly created_time: number
}

/** A table whose rows are checked against other rows. */
interface ValueCheck {
  readonly table: string
  readonly where: Sql
  /** The column with the id of the page, or of the data source itself. */
  readonly page: string
  possibleMismatches(cells: Cells, facts: Facts): Iterable<PossibleMismatch>
}

const checks: readonly ValueCheck[] = [
  { table: 'data_sources', where: sql`1 = 1`, page: 'id', possibleMismatches: possibleSchemaMismatches },
  { table: 'pages', where: sql`row_values is not null`, page: 'id', possibleMismatches: possibleRowMismatches },
  { table: 'cells', where: sql`1 = 1`, page: 'page_id', possibleMismatches: possibleKeyMismatches },
]

/**
 * Finds values of rows that do not have the type of their column or refer to missing records, index entries that do not match them, and
 * relations without a data source. One batch of rows, and the schemas of their data sources, are in memory at a time.
 */
export async function* brokenValues(
  db: Connection,
  tables: readonly CatalogTable[],
  workspaceId: string,
): AsyncGenerator<BrokenReference, void, undefined> {
  for (const check of checks) {
    const table = tables.find(({ name }) => name === check.table)
    if (!table) continue
    const condition = sql`workspace_id = ${workspaceId} and ${check.where}`
    for await (const rows of streamWhere(db, table, condition, ROWS_AT_ONCE, leadingWorkspace(table)))
      yield* brokenIn(db, workspaceId, { ...check, catalog: table }, rows)
  }
}

async function* brokenIn(
  db: Connection,
  workspaceId: string,
  { page, possibleMismatches, catalog }: ValueCheck & { readonly catalog: CatalogTable },
  rows: readonly StoredRow[],
): AsyncGenerator<BrokenReference, void, undefined> {
  const cellsOf = (row: StoredRow): Cells => {
    return (name) => row[catalog.columns.findIndex((column) => column.name === name)] ?? null
  }
  const facts = await factsAbout(db, workspaceId, [...new Set(rows.map((row) => String(cellsOf(row)(page))))])
  const found = rows.map((row) => ({ row, doubts: [...possibleMismatches(cellsOf(row), facts)] }))
  const isThere = await presenceOf(
    db,
    workspaceId,
    found.flatMap(({ doubts: possible }) => possible.flatMap(({ unless }) => unless)),
  )
  for (const { row, doubts: possible } of found) {
    const key = catalog.key.map(cellsOf(row))
    for (const { path, expected, found: value, unless } of possible)
      if (!unless.some(isThere)) yield { table: catalog.name, key, column: path, expected, found: value ?? null }
  }
}

const pageRow = {
  id: 'text',
  type: 'text',
  parent_type: 'text',
  parent_id: 'text',
  in_trash: 'integer',
  created_time: 'integer',
} as const

async function factsAbout(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Facts> {
  const pages = await findRowsById(db, pageRow, 'blocks', workspaceId, ids)
  const sources = new Set(pages.map(({ type, id, parent_id: parentId }) => (type === 'data_source' ? id : parentId)))
  return {
    pages: new Map(pages.map((page) => [page.id, page])),
    sources: await findDataSources(db, workspaceId, [...sources]),
  }
}

function* possibleSchemaMismatches(cells: Cells, { sources }: Facts): Generator<PossibleMismatch, void, undefined> {
  const properties = (sources.get(String(cells('id')))?.properties ?? []) as readonly ValueColumn[]
  for (const [index, { type, dataSourceId }] of properties.entries()) {
    if (type !== 'relation' || dataSourceId === undefined) continue
    const path = `properties[${index}].dataSourceId`
    yield {
      path,
      expected: 'the id of a row of data_sources',
      found: dataSourceId,
      unless: [{ table: 'data_sources', id: dataSourceId }],
    }
  }
}

function* possibleRowMismatches(cells: Cells, { pages, sources }: Facts): Generator<PossibleMismatch, void, undefined> {
  const page = pages.get(String(cells('id')))
  const values = Object.entries(parsedMembers(cells('row_values')))
  const source = page && hasColumns(page) ? sources.get(page.parent_id) : undefined
  for (const [id, value] of values) {
    if (!source) {
      yield certain({ path: 'row_values', expected: 'no values, because the page is not in a data source', found: value })
      return
    }
    // The check of cells reports a damaged schema.
    if (source.isDamaged) return
    yield* possibleValueMismatches(source, id, value)
  }
}

function* possibleValueMismatches(
  { properties, retired }: StoredDataSource,
  id: string,
  value: unknown,
): Generator<PossibleMismatch, void, undefined> {
  const path = `row_values.${id}`
  const column = (properties as readonly ValueColumn[]).find((one) => one.id === id)
  if (!column) {
    // Rows keep the values of removed columns.
    if (!retired.includes(id) && retired.length < RETIRED_MAX)
      yield certain({ path, expected: 'a column of the data source, or one that it had', found: id })
    return
  }
  const mismatch = valueFormOf(column)(value)
  if (mismatch) return yield certain({ ...mismatch, path: path + mismatch.path })
  for (const named of namedRows(column, value)) {
    const expected = `the id of a row of ${named.table}`
    yield { path: path + named.path, expected, found: named.id, unless: [named] }
  }
}

function* possibleKeyMismatches(cells: Cells, { pages, sources }: Facts): Generator<PossibleMismatch, void, undefined> {
  const page = pages.get(String(cells('page_id')))
  const isRow = page?.parent_type === 'data_source_id' && page.type === 'child_page'
  if (!isRow) return yield certain({ path: 'page_id', expected: 'the id of a row of a data source', found: cells('page_id') })
  const copies = { data_source_id: page.parent_id, in_trash: page.in_trash, tie: -page.created_time }
  for (const [path, value] of Object.entries(copies))
    // The negation of the time 0, which is 1970, is -0.
    if (cells(path) !== value && Number(cells(path)) !== Number(value))
      yield certain({ path, expected: `${String(value)}, as its page has it`, found: cells(path) })
  const source = sources.get(page.parent_id)
  if (!source || source.isDamaged) return
  const column = (source.properties as readonly ValueColumn[]).find(({ id }) => id === cells('property_id'))
  if (!column) return yield certain({ path: 'property_id', expected: 'a column of the data source', found: cells('property_id') })
  const keys = { number_key: cells('number_key') as number | null, text_key: cells('text_key') as string | null }
  const mismatch = keyMismatch(column, keys)
  if (mismatch) yield certain(mismatch)
  const named = mismatch ? [] : namedByKey(column, keys)
  const id = keys.text_key ?? ''
  if (named.length > 0)
    yield {
      path: 'text_key',
      expected: `the id of a row of ${named.join(' or ')}`,
      found: id,
      unless: named.map((table) => ({ table, id })),
    }
}

function certain(mismatch: Mismatch): PossibleMismatch {
  return { ...mismatch, unless: [] }
}

function hasColumns({ parent_type: parent }: PagePlace): boolean {
  return parent === 'data_source_id' || parent === 'template_of'
}

/** The members of an object; empty for other values, which the check of cells reports. */
function parsedMembers(text: SqlValue): object {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
