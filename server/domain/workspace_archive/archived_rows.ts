import type { CatalogueTable, StoredRow } from '../../store/workspace_rows.ts'
import { AdministrationError } from '../administration/error.ts'
import type { ExportedFile, Manifest } from './archive.ts'

/** The columns whose values an export has: the engine makes the others. */
export function keptColumns(table: CatalogueTable): CatalogueTable['columns'] {
  return table.columns.filter(({ isCounted }) => !isCounted)
}

/** @throws AdministrationError if this database does not have the table, or has other columns */
export function requireTable(tables: ReadonlyMap<string, CatalogueTable>, manifest: Manifest, name: string): CatalogueTable {
  const [table, exported] = [tables.get(name), manifest.tables.find((one) => one.name === name)]
  const columns = table && keptColumns(table).map((column) => column.name)
  if (!table || !exported || JSON.stringify(columns?.toSorted()) !== JSON.stringify(exported.columns.toSorted()))
    throw new AdministrationError(`The table ${name} is not the same here. Export and import with the same release.`)
  // The order of columns may differ between engines.
  const inOrder = exported.columns.map((column) => table.columns.find((one) => one.name === column))
  return { ...table, columns: inOrder.filter((column) => column !== undefined) }
}

/** A row as it is stored. @throws AdministrationError for a line that is not a row of the table */
export function archivedRow(line: unknown, table: CatalogueTable): StoredRow {
  if (!Array.isArray(line) || line.length !== table.columns.length)
    throw new AdministrationError(`A row of ${table.name} does not have ${table.columns.length} values: the export is damaged.`)
  return line.map((value: unknown, index) => {
    if (typeof value === 'string') return table.columns[index]?.isBytes ? Buffer.from(value, 'base64') : value
    if (typeof value === 'number' || value === null) return value
    throw new AdministrationError(`A row of ${table.name} has a value that is no text and no number: the export is damaged.`)
  })
}

/** A text of a row, in the order of the exported columns. @throws AdministrationError if it has none */
export function archivedText(manifest: Manifest, table: string, row: unknown, column: string): string {
  const at = manifest.tables.find(({ name }) => name === table)?.columns.indexOf(column) ?? -1
  const value: unknown = Array.isArray(row) ? row[at] : undefined
  if (typeof value !== 'string') throw new AdministrationError(`A row of ${table} has no ${column}: the export is damaged.`)
  return value
}

/** @throws AdministrationError for a line that names no file */
export function archivedFile(line: unknown): ExportedFile {
  const { id, bytes, sha256 } = (line ?? {}) as Partial<ExportedFile>
  // The id becomes part of a path.
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id) || typeof bytes !== 'number' || typeof sha256 !== 'string')
    throw new AdministrationError('files.jsonl is damaged.')
  return { id, bytes, sha256 }
}
