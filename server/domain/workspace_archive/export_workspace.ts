import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Connection, Database } from '../../store/database.ts'
import type { FileObject } from '../../store/file_objects.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import { newestSchema } from '../../store/migrations.ts'
import { streamRows, tablesToExport, type CatalogTable, type StoredRow } from '../../store/workspace_rows.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { requireWhole } from '../administration/index.ts'
import { objectName } from '../files/index.ts'
import { tokenKeyDigest } from '../events/index.ts'
import {
  fileListPath,
  filePath,
  ARCHIVE_FORMAT,
  manifestPath,
  OWNER_ONLY,
  tablePath,
  ARCHIVE_VERSION,
  type ExportedFile,
  type ExportedTable,
  type Manifest,
} from './archive.ts'
import { writeLines } from './lines.ts'

const ROWS_AT_ONCE = 500

/** An object in the file storage that a file of the workspace uses. The object may belong to another workspace. */
interface UsedObject extends FileObject {
  readonly bytes: number
}

/**
 * Exports a workspace to a new folder: a consistent snapshot of all rows as lines of JSON, and the bytes of its files. Memory use
 * does not depend on the size. The folder gets its final name when it is complete.
 * @throws AdministrationError for an incomplete workspace
 */
export async function exportWorkspace(
  { database, storage }: { readonly database: Database; readonly storage: FileStorage },
  workspaceId: string,
  folder: string,
  now: number,
): Promise<Manifest> {
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  for (const part of ['tables', 'files']) await mkdir(join(unfinished, part), { recursive: true, mode: 0o700 })
  try {
    const tables = await tablesToExport(database)
    const used = new Map<string, UsedObject>()
    const content = await database.snapshot(async (db): Promise<Omit<Manifest, 'files' | 'files_sha256'>> => {
      await requireWhole(db, workspaceId)
      const written = await writeTables({ db, workspaceId, folder: unfinished, used }, tables)
      const workspace = { id: workspaceId, name: (await findWorkspace(db, workspaceId))?.name ?? null }
      const about = {
        format: ARCHIVE_FORMAT,
        version: ARCHIVE_VERSION,
        schema: newestSchema,
        workspace,
        time: new Date(now).toISOString(),
      } as const
      return { ...about, webhook_key: (await tokenKeyDigest(db)) ?? null, tables: written }
    })
    const { lines, sha256 } = await writeLines(fileListPath(unfinished), copyFiles(storage, [...used.values()], unfinished))
    const manifest: Manifest = { ...content, files: lines, files_sha256: sha256 }
    await writeFile(manifestPath(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, { ...OWNER_ONLY, flush: true })
    await rename(unfinished, folder)
    return manifest
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

interface Writing {
  readonly db: Connection
  readonly workspaceId: string
  readonly folder: string
  /** Collects the objects that files use. */
  readonly used: Map<string, UsedObject>
}

/** Writes all tables; referenced ones come first. */
async function writeTables(writing: Writing, tables: readonly CatalogTable[]): Promise<ExportedTable[]> {
  const written: ExportedTable[] = []
  for (const table of tables.toReversed()) {
    const { lines, sha256 } = await writeLines(tablePath(writing.folder, table.name), linesOf(writing, table))
    written.push({ name: table.name, columns: table.columns.filter(isKept).map(({ name }) => name), rows: lines, sha256 })
  }
  return written
}

const isKept = ({ isCounted }: CatalogTable['columns'][number]): boolean => !isCounted

async function* linesOf({ db, workspaceId, used }: Writing, table: CatalogTable): AsyncGenerator<readonly unknown[]> {
  // Rows of `file_objects` are derived from the files instead, because pages copied from another workspace use its objects.
  if (table.name === 'file_objects') return
  for await (const rows of streamRows(db, table, workspaceId, ROWS_AT_ONCE)) {
    const own = table.name === 'file_parts' ? rows.map((row) => ownPart(row, table, workspaceId, used)) : rows
    yield own.map((row) => row.filter((_value, index) => isKeptAt(table, index)).map(asJson))
  }
}

function isKeptAt(table: CatalogTable, index: number): boolean {
  const column = table.columns[index]
  return column !== undefined && isKept(column)
}

/** A part of a file, in the form for the export: its object belongs to the exported workspace. */
function ownPart(row: StoredRow, table: CatalogTable, workspaceId: string, used: Map<string, UsedObject>): StoredRow {
  const at = (name: string): number => table.columns.findIndex((column) => column.name === name)
  const id = String(row[at('object_id')])
  used.set(id, { id, workspaceId: String(row[at('object_workspace_id')]), bytes: Number(row[at('byte_length')]) })
  return row.with(at('object_workspace_id'), workspaceId)
}

/** A value in an export. Bytes are written in Base64; the type of the column shows which values are bytes. */
function asJson(value: StoredRow[number]): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

async function* copyFiles(
  storage: FileStorage,
  objects: readonly UsedObject[],
  folder: string,
): AsyncGenerator<readonly ExportedFile[]> {
  for (const object of objects) {
    const hash = createHash('sha256')
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    const source = object.bytes === 0 ? Readable.from([]) : await storage.read(objectName(object), 0, object.bytes - 1)
    const target = createWriteStream(filePath(folder, object.id), { ...OWNER_ONLY, flags: 'wx', flush: true })
    await pipeline(source, measure, target)
    yield [{ id: object.id, bytes: object.bytes, sha256: hash.digest('hex') }]
  }
}
