import type { OuterRules } from '../../store/stored/outer_rules.ts'
import type { CatalogTable } from '../../store/workspace_rows.ts'
import { AdministrationError } from '../shared/index.ts'
import { requireRedirectUris } from '../administration/index.ts'
import { filePath, type Manifest } from './archive.ts'
import { archivedFile, archivedRow, cellOf, ruledTable, type RuledTable } from './archived_rows.ts'
import { damaged, readLines, requireFile } from './lines.ts'
import { archivedTables, listOfFiles } from './manifest.ts'

/**
 * Reads a whole export before any of it is stored. Checks that every row fits its table and belongs to the workspace of the manifest, that
 * every file has the listed length, and that the digests of all tables match. The bytes of files are checked when they are stored.
 * @param onRows called with the number of rows and files that have been checked since the last call
 * @returns the tables of the export, referenced ones first
 * @throws AdministrationError that names the table, line, column, and the expected and found values
 */
export async function checkArchive(
  folder: string,
  manifest: Manifest,
  { catalog, rules }: { readonly catalog: readonly CatalogTable[]; readonly rules: OuterRules },
  onRows: (count: number) => void,
): Promise<readonly RuledTable[]> {
  const tables = archivedTables(folder, manifest, catalog).map((table) => ruledTable(table, rules))
  for (const table of tables) await checkTable(folder, manifest, table, onRows)
  for await (const lines of readLines(listOfFiles(folder, manifest))) {
    for (const line of lines) {
      const { id, bytes } = archivedFile(line)
      await requireLength(folder, id, bytes, `files.jsonl, line ${line.number}`)
    }
    onRows(lines.length)
  }
  return tables
}

async function checkTable(
  folder: string,
  { workspace }: Manifest,
  table: RuledTable,
  onRows: (count: number) => void,
): Promise<void> {
  if (table.name === 'workspaces' && table.file.lines !== 1)
    throw damaged(`workspaces: expected 1 row, found ${table.file.lines}`)
  for await (const lines of readLines(table.file)) {
    for (const line of lines) {
      const row = archivedRow(line, table, workspace.id)
      const name = table.name === 'workspaces' ? cellOf(table, row, 'name') : workspace.name
      if (name !== workspace.name)
        throw damaged(`workspaces, line 1, name: expected that of workspace.json, found ${JSON.stringify(name)}`)
      if (table.name === 'connections') requireRegistrable(String(cellOf(table, row, 'redirect_uris')), line.number)
      if (table.name !== 'file_parts') continue
      const id = String(cellOf(table, row, 'object_id'))
      await requireLength(folder, id, Number(cellOf(table, row, 'byte_length')), `file_parts, line ${line.number}, byte_length`)
    }
    onRows(lines.length)
  }
}

/** Rejects addresses that the command line would refuse to register. */
function requireRegistrable(uris: string, line: number): void {
  try {
    requireRedirectUris(JSON.parse(uris) as string[])
  } catch (error) {
    if (!(error instanceof AdministrationError)) throw error
    throw damaged(`connections, line ${line}, redirect_uris: expected addresses that can be registered, found: ${error.message}`)
  }
}

async function requireLength(folder: string, id: string, bytes: number, place: string): Promise<void> {
  const found = await requireFile(filePath(folder, id), place)
  if (found !== bytes) throw damaged(`${place}: expected ${bytes} bytes in files/${id}, found ${found}`)
}
