import type { Connection } from '../database.ts'
import type { CatalogTable } from '../dialects/catalog.ts'
import { joinSql, raw, sql, type Sql } from '../sql.ts'
import { leadingWorkspace, streamWhere, type StoredRow } from '../workspace_rows.ts'
import type { BrokenReference } from './broken_reference.ts'
import { CELL_LEVELS_MAX } from './cell_limits.ts'
import type { NamedRow } from './column_values.ts'
import { presenceOf } from './possible_mismatch.ts'

const ROWS_AT_ONCE = 500

/** Columns with content in which there may be files and custom emojis. */
const contentColumns: Readonly<Record<string, readonly string[]>> = {
  agents: ['icon'],
  blocks: ['content'],
  comments: ['rich_text', 'attachments'],
  data_sources: ['description', 'icon'],
  databases: ['description', 'icon', 'cover'],
  pages: ['icon', 'cover', 'row_values'],
  session_events: ['content'],
}

/**
 * Files and custom emojis to which content refers, but which the workspace does not have. This means damage: they are never deleted, and
 * everyone who sees the content sees them. Other references are not checked, because they may lead to records that were deleted or are
 * hidden from the reader.
 */
export async function* brokenContent(
  db: Connection,
  tables: readonly CatalogTable[],
  workspaceId: string,
): AsyncGenerator<BrokenReference, void, undefined> {
  for (const [name, columns] of Object.entries(contentColumns)) {
    const table = tables.find((one) => one.name === name)
    if (!table) continue
    const condition = sql`workspace_id = ${workspaceId} and (${joinSql(columns.map(mayName), ' or ')})`
    for await (const rows of streamWhere(db, table, condition, ROWS_AT_ONCE, leadingWorkspace(table)))
      yield* missingIn(db, workspaceId, table, columns, rows)
  }
}

/**
 * A condition under which content may refer to files or custom emojis, which most content does not. In JSON, any other spelling of these
 * words would contain an escape.
 */
function mayName(column: string): Sql {
  const has = (text: string): Sql => sql`${raw(column)} like ${`%${text}%`} escape '!'`
  return joinSql(['"file', 'custom!_emoji', String.raw`\u`].map(has), ' or ')
}

interface PlacedName extends NamedRow {
  readonly key: readonly StoredRow[number][]
}

async function* missingIn(
  db: Connection,
  workspaceId: string,
  { name, key, columns: all }: CatalogTable,
  columns: readonly string[],
  rows: readonly StoredRow[],
): AsyncGenerator<BrokenReference, void, undefined> {
  const cell = (row: StoredRow, column: string): StoredRow[number] => row[all.findIndex((one) => one.name === column)] ?? null
  const named = rows.flatMap((row): PlacedName[] => {
    const own = key.map((column) => cell(row, column))
    return columns.flatMap((column) => namesIn(parsed(cell(row, column)), column).map((one) => ({ ...one, key: own })))
  })
  const isThere = await presenceOf(db, workspaceId, named)
  for (const one of named)
    if (!isThere(one))
      yield { table: name, key: one.key, column: one.path, expected: `the id of a row of ${one.table}`, found: one.id }
}

/** The files and custom emojis in content. In a message of a session, a file has no type. */
function namesIn(value: unknown, path: string, depth = 0): NamedRow[] {
  if (typeof value !== 'object' || value === null || depth > CELL_LEVELS_MAX) return []
  if (Array.isArray(value)) return value.flatMap((one, index) => namesIn(one, `${path}[${index}]`, depth + 1))
  const names = Object.entries(value).flatMap(([key, one]) => namesIn(one, `${path}.${key}`, depth + 1))
  const { type, file, files, custom_emoji: emoji } = value as Readonly<Record<string, unknown>>
  if (type === 'file') names.push(...idIn(file, 'file_uploads', `${path}.file`))
  if (type === 'custom_emoji') names.push(...idIn(emoji, 'custom_emojis', `${path}.custom_emoji`))
  if (depth === 0 && Array.isArray(files))
    names.push(...files.flatMap((one, index) => idIn(one, 'file_uploads', `${path}.files[${index}]`)))
  return names
}

function idIn(value: unknown, table: NamedRow['table'], path: string): NamedRow[] {
  const { id } = (value ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? [{ table, id, path: `${path}.id` }] : []
}

/** The value of a JSON text; null if the text is invalid, which the check of cells reports. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}
