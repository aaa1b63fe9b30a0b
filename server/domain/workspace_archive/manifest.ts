import { readFile } from 'node:fs/promises'
import type { CatalogTable } from '../../store/workspace_rows.ts'
import { newestSchema } from '../../store/migrations.ts'
import { id, list, nullable, object, text, where, type Form } from '../../store/stored/form.ts'
import { AdministrationError } from '../shared/index.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  fileListPath,
  manifestPath,
  tablePath,
  type ExportedTable,
  type Manifest,
} from './archive.ts'
import { damaged, requireFile, requireShallow, type LineFile } from './lines.ts'

/** The maximum length of a manifest, in bytes. It lists tables and columns, not rows. */
const MANIFEST_BYTES_MAX = 1024 * 1024

const count = where('a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0)
const sha256 = where('a SHA-256 in hexadecimal', (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))
const name = where('a word', (value) => typeof value === 'string' && /^[a-z_]{1,60}$/.test(value))
const time = where('a time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))

const table = { name, columns: list(name), rows: count }
const common = { workspace: object({ id, name: nullable(text) }), time, webhook_key: nullable(text), files: count }
const forms: Readonly<Record<number, Form>> = {
  1: object({ ...common, tables: list(object(table)) }),
  [ARCHIVE_VERSION]: object({ ...common, tables: list(object({ ...table, sha256 })), files_sha256: sha256 }),
}

export const exportedFileForm = object({ id, bytes: count, sha256 })

/** @throws AdministrationError if the folder does not contain an export of this release */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder)
  const size = await requireFile(path, 'workspace.json').catch(() => {
    throw new AdministrationError(`${folder} does not contain an exported workspace: workspace.json is missing.`)
  })
  if (size > MANIFEST_BYTES_MAX) throw damaged(`workspace.json: expected up to ${MANIFEST_BYTES_MAX} bytes, found ${size}`)
  const manifest = parsedManifest(await readFile(path, 'utf8'))
  const form = forms[Number(manifest?.version)]
  if (manifest?.format !== ARCHIVE_FORMAT || form === undefined)
    throw new AdministrationError(`${path}: expected an export of format 1 or ${ARCHIVE_VERSION}, found another format.`)
  if (manifest.schema !== newestSchema)
    throw new AdministrationError(
      `workspace.json: expected an export of schema ${newestSchema}, found schema ${String(manifest.schema)}. Export and import with the same release.`,
    )
  const mismatch = form(manifest)
  if (mismatch)
    throw damaged(
      `workspace.json: ${mismatch.path.slice(1)}: expected ${mismatch.expected}, found ${JSON.stringify(mismatch.found)}`,
    )
  return manifest as Manifest
}

function parsedManifest(text: string): Partial<Manifest> | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw damaged('workspace.json: expected JSON, found something else')
  }
  requireShallow(value, 'workspace.json')
  return value as Partial<Manifest> | null
}

/** The columns whose values are in an export: the engine computes the others. */
export function keptColumns(table: CatalogTable): CatalogTable['columns'] {
  return table.columns.filter(({ isCounted }) => !isCounted)
}

/** A table of an export, with its columns in the order of the values of rows. */
export interface ArchivedTable extends CatalogTable {
  readonly file: LineFile
}

/**
 * The tables of an export, in the order of this database: referenced ones come first.
 * @throws AdministrationError unless they are the tables of this database, with the same columns
 */
export function archivedTables(folder: string, manifest: Manifest, tables: readonly CatalogTable[]): ArchivedTable[] {
  const exported = new Map(manifest.tables.map((one) => [one.name, one]))
  const known = new Set(tables.map((one) => one.name))
  const unknown = manifest.tables.find((one) => !known.has(one.name))
  if (unknown) throw damaged(`workspace.json: expected tables of this release, found ${unknown.name}`)
  if (exported.size < manifest.tables.length) throw damaged('workspace.json: expected each table once, found one twice')
  return tables.toReversed().map((own) => {
    const found = exported.get(own.name)
    if (!found) throw damaged(`workspace.json: expected the table ${own.name}, found nothing`)
    return { ...own, columns: columnsOf(own, found), file: tableFile(folder, found) }
  })
}

/** The columns of an exported table, in the order of the export. The order may differ between engines. */
function columnsOf(own: CatalogTable, { columns }: ExportedTable): CatalogTable['columns'] {
  const kept = keptColumns(own)
  const names = kept.map((column) => column.name)
  if (JSON.stringify(names.toSorted()) !== JSON.stringify(columns.toSorted()))
    throw damaged(`workspace.json: expected the columns ${names.join(', ')} of ${own.name}, found ${columns.join(', ')}`)
  return columns.flatMap((column) => kept.find((one) => one.name === column) ?? [])
}

function tableFile(folder: string, { name: table, rows, sha256: digest }: ExportedTable): LineFile {
  return { path: tablePath(folder, table), name: table, lines: rows, sha256: digest }
}

export function listOfFiles(folder: string, { files, files_sha256: digest }: Manifest): LineFile {
  return { path: fileListPath(folder), name: 'files.jsonl', lines: files, sha256: digest }
}
