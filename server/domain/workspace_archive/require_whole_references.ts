import type { BrokenReference } from '../../store/stored/broken_reference.ts'
import { brokenReferences } from '../../store/stored/references.ts'
import { archivedRow, cellOf, type RuledTable } from './archived_rows.ts'
import type { Import } from './import_deps.ts'
import { damaged, readLines } from './lines.ts'

/** @throws AdministrationError that names the line of a row that refers to something missing from the export */
export async function requireWholeReferences({ database, manifest }: Import, tables: readonly RuledTable[]): Promise<void> {
  const { id } = manifest.workspace
  const first = await database.read(async (db) => {
    for await (const broken of brokenReferences(db, tables, 1, id)) return broken
    return undefined
  })
  if (!first) return
  const { table, column, expected, found } = first
  const line = await lineOf(first, tables, id)
  throw damaged(`${table}, line ${line}, ${column}: expected ${expected}, found ${JSON.stringify(found)}`)
}

/** The line of a row, by its key. The file is read again, because rows do not contain their line numbers. */
async function lineOf({ table: name, key }: BrokenReference, tables: readonly RuledTable[], id: string): Promise<number> {
  const table = tables.find((one) => one.name === name)
  const keyOf = (values: readonly unknown[]): string =>
    JSON.stringify(values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)))
  for await (const lines of table ? readLines(table.file) : []) {
    for (const line of lines) {
      const row = table && archivedRow(line, table, id)
      if (row && keyOf(table.key.map((column) => cellOf(table, row, column))) === keyOf(key)) return line.number
    }
  }
  return 0
}
