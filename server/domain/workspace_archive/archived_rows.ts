import type { CatalogTable, StoredRow } from '../../store/workspace_rows.ts'
import {
  checkedTables,
  describeMismatch,
  mismatchesOf,
  type CellMismatch,
  type CheckedTable,
} from '../../store/stored/row_rules.ts'
import type { OuterRules } from '../../store/stored/outer_rules.ts'
import type { ExportedFile } from './archive.ts'
import { damaged, type ArchivedLine } from './lines.ts'
import { exportedFileForm, type ArchivedTable } from './manifest.ts'

/** A table of an export with the rules for its rows. */
export interface RuledTable extends ArchivedTable {
  readonly checked: CheckedTable
}

export function ruledTable(table: ArchivedTable, rules: OuterRules): RuledTable {
  const [checked] = checkedTables([table], rules)
  if (!checked) throw new Error('no table was given')
  return { ...table, checked }
}

/** The bytes of a value in Base64; undefined for an invalid text. */
function bytesOf(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/**
 * A row in its stored form.
 * @throws AdministrationError that names the table, line and column if it is not a valid row of the table, or does not belong to the
 * workspace
 */
export function archivedRow({ number, value }: ArchivedLine, table: RuledTable, workspaceId: string): StoredRow {
  const { name, columns } = table
  const refuse = (mismatch: string): Error => damaged(`${name}, line ${number}, ${mismatch}`)
  if (!Array.isArray(value) || value.length !== columns.length)
    throw refuse(`expected a list of ${columns.length} values, found ${JSON.stringify(value).slice(0, 40)}`)
  const row = value.map((cell: unknown, index): StoredRow[number] => {
    const column = columns[index]
    const stored = column?.isBytes && typeof cell === 'string' ? bytesOf(cell) : cell
    if (typeof stored === 'string' || typeof stored === 'number' || stored === null || stored instanceof Uint8Array) return stored
    const expected = column?.isBytes ? 'bytes in Base64' : 'a text, a number or null'
    throw refuse(describeMismatch({ column: column?.name ?? '', path: '', expected, found: cell }))
  })
  for (const mismatch of mismatchesOf(table.checked, row)) throw refuse(describeMismatch(mismatch))
  const foreign = foreignCell(table, row, workspaceId)
  if (foreign) throw refuse(describeMismatch(foreign))
  return row
}

/** Columns that contain the id of a workspace. */
const OWN: ReadonlySet<string> = new Set(['workspace_id', 'object_workspace_id', 'home_id'])

/** A cell that refers to another workspace, or undefined. */
function foreignCell({ name, columns }: CatalogTable, row: StoredRow, workspaceId: string): CellMismatch | undefined {
  const at = columns.findIndex((column, index) => {
    const isOwn = OWN.has(column.name) || (name === 'workspaces' && column.name === 'id')
    return isOwn && row[index] !== workspaceId
  })
  const column = columns[at]?.name
  return column === undefined ? undefined : { column, path: '', expected: workspaceId, found: row[at] }
}

export function cellOf({ columns }: Pick<CatalogTable, 'columns'>, row: StoredRow, column: string): StoredRow[number] {
  return row[columns.findIndex(({ name }) => name === column)] ?? null
}

/** @throws AdministrationError if the line does not describe a file */
export function archivedFile({ number, value }: ArchivedLine): ExportedFile {
  const mismatch = exportedFileForm(value)
  if (!mismatch) return value as ExportedFile
  const found = JSON.stringify(mismatch.found) ?? 'nothing'
  throw damaged(`files.jsonl, line ${number}, ${mismatch.path.slice(1)}: expected ${mismatch.expected}, found ${found}`)
}
