import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Database, Transaction } from '../../store/database.ts'
import { forgetObject, recordObject } from '../../store/file_objects.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import { newestSchema } from '../../store/migrations.ts'
import { indexTitles } from '../../store/titles.ts'
import {
  addRows,
  idsTaken,
  listObjectsAfter,
  tablesToExport,
  type CatalogueTable,
  type StoredRow,
} from '../../store/workspace_rows.ts'
import { findWorkspace, setSuspended } from '../../store/workspaces.ts'
import { findAccount, findAccountByEmail } from '../../store/accounts.ts'
import { deleteWorkspace } from '../administration/delete_workspace.ts'
import { AdministrationError } from '../administration/error.ts'
import { forgetUnfinished, markUnfinished } from '../administration/unfinished.ts'
import { requireFreeName } from '../administration/workspaces.ts'
import { objectName } from '../file_uploads/vault.ts'
import { tokenKeyDigest } from '../webhooks/token.ts'
import {
  fileListPath,
  filePath,
  ARCHIVE_FORMAT,
  manifestPath,
  parsed,
  readLines,
  tablePath,
  ARCHIVE_VERSION,
  type ExportedFile,
  type ExportedTable,
  type Manifest,
} from './archive.ts'

const ROWS_AT_ONCE = 500
/**
 * Accounts and secrets are imported after the people and connections through which a deletion finds them; the data of background
 * jobs, after everything that they need.
 */
const LAST: ReadonlySet<string> = new Set([
  'accounts',
  'client_secrets',
  'agent_schedules',
  'webhook_deliveries',
  'outbox',
  'jobs',
])

interface Import {
  readonly database: Database
  readonly storage: FileStorage
  readonly folder: string
  readonly manifest: Manifest
  readonly tables: ReadonlyMap<string, CatalogueTable>
  /** Whether the webhook tokens can be decrypted. */
  readonly knowsWebhookKey: boolean
}

/**
 * Imports an exported workspace with the same ids. The workspace is suspended until the import is complete; if it fails, the
 * workspace is deleted again.
 * @throws AdministrationError with the reason for which it cannot be imported
 */
export async function importWorkspace(
  { database, storage }: { readonly database: Database; readonly storage: FileStorage },
  folder: string,
  now: number,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const tables = new Map((await tablesToExport(database)).map((table) => [table.name, table]))
  const knowsWebhookKey = (await database.read(tokenKeyDigest)) === (manifest.webhook_key ?? undefined)
  const work: Import = { database, storage, folder, manifest, tables, knowsWebhookKey }
  await requireRoom(work)
  const { id } = manifest.workspace
  const suspendedTime = await begin(work, now)
  try {
    for await (const files of readLines(fileListPath(folder), 1)) await storeFile(work, fileOf(files[0]))
    const rest = manifest.tables.filter(({ name }) => name !== 'workspaces')
    for (const table of rest.filter(({ name }) => !LAST.has(name))) await fill(work, table)
    for (const table of rest.filter(({ name }) => LAST.has(name))) await fill(work, table)
    await database.write(async (db) => {
      await setSuspended(db, id, suspendedTime)
      await forgetUnfinished(db, id)
    }, id)
    return manifest
  } catch (error) {
    await deleteWorkspace(database, id, now)
    await removeFiles(work)
    throw error
  }
}

/** @throws AdministrationError for anything but an export of this release */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new AdministrationError(`There is no exported workspace in ${folder}: it lacks workspace.json.`)
  })
  const manifest = parsed(text, path) as Partial<Manifest> | null
  if (manifest?.format !== ARCHIVE_FORMAT || manifest.version !== ARCHIVE_VERSION)
    throw new AdministrationError(`${path} does not describe an export that this release can read.`)
  if (manifest.schema !== newestSchema)
    throw new AdministrationError(
      `The workspace was exported at schema ${manifest.schema}, and this database is at schema ${newestSchema}. Export and import it with the same release.`,
    )
  return manifest as Manifest
}

/** @throws AdministrationError if any part of the workspace already exists */
async function requireRoom({ database, folder, manifest }: Import): Promise<void> {
  const { id, name } = manifest.workspace
  await database.read(async (db) => {
    if (await findWorkspace(db, id)) throw new AdministrationError(`There is already a workspace ${id}.`)
    if (name !== null) await requireFreeName(db, name)
    if ((await listObjectsAfter(db, id, '', 1)).length > 0)
      throw new AdministrationError(
        'Files of a deleted workspace with this id are still there. The running service removes them within a few minutes: import it then.',
      )
  })
  const idsOf = (table: string, rows: readonly unknown[]): string[] => rows.map((row) => textAt(manifest, table, row, 'id'))
  for await (const rows of readLines(tablePath(folder, 'connections'), ROWS_AT_ONCE)) {
    const [taken] = await database.read((db) => idsTaken(db, 'connections', idsOf('connections', rows)))
    if (taken !== undefined) throw new AdministrationError(`There is already a connection ${taken}.`)
  }
  for await (const rows of readLines(tablePath(folder, 'accounts'), ROWS_AT_ONCE)) {
    for (const row of rows) {
      const [personId, email] = [textAt(manifest, 'accounts', row, 'id'), textAt(manifest, 'accounts', row, 'email')]
      await database.read(async (db) => {
        const [byId, byEmail] = [await findAccount(db, personId), await findAccountByEmail(db, email)]
        if (byId?.id !== byEmail?.id)
          throw new AdministrationError(
            `The account of ${email} has another id here: people keep their ids, so it cannot be joined.`,
          )
      })
    }
  }
}

/** Adds the workspace itself, suspended. @returns the time since which it has been suspended in the source */
async function begin({ database, folder, manifest, tables }: Import, now: number): Promise<number | null> {
  const table = requireTable(tables, manifest, 'workspaces')
  const { id } = manifest.workspace
  let suspendedTime: number | null = null
  for await (const lines of readLines(tablePath(folder, 'workspaces'), 1)) {
    const at = table.columns.findIndex(({ name }) => name === 'suspended_time')
    const row = rowOf(lines[0], table)
    const time = row[at]
    suspendedTime = typeof time === 'number' ? time : null
    await database.write(async (db) => {
      await addRows(db, table, [row.with(at, now)], false)
      await markUnfinished(db, id, 'import')
    })
  }
  return suspendedTime
}

async function storeFile({ database, storage, folder, manifest }: Import, file: ExportedFile): Promise<void> {
  const object = { workspaceId: manifest.workspace.id, id: file.id }
  await database.write((db) => recordObject(db, object))
  const [hash, name] = [createHash('sha256'), objectName(object)]
  await storage.remove(name)
  const path = filePath(folder, file.id)
  await storage.write(name, hashed(path, hash))
  if (hash.digest('hex') !== file.sha256)
    throw new AdministrationError(`${path} is damaged: its bytes are not those that were exported.`)
}

/** Deletes the bytes of a failed import, so that it can be retried at once. */
async function removeFiles({ database, storage, manifest }: Import): Promise<void> {
  const { id: workspaceId } = manifest.workspace
  for (;;) {
    const ids = await database.read((db) => listObjectsAfter(db, workspaceId, '', ROWS_AT_ONCE))
    if (ids.length === 0) return
    for (const id of ids) await storage.remove(objectName({ workspaceId, id }))
    await database.write(async (db) => {
      for (const id of ids) await forgetObject(db, { workspaceId, id })
    })
  }
}

async function* hashed(path: string, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}

/** Adds the rows of a table. @throws AdministrationError if there are fewer rows than were exported */
async function fill(work: Import, exported: ExportedTable): Promise<void> {
  const { database, folder, manifest, tables } = work
  const table = requireTable(tables, manifest, exported.name)
  let count = 0
  for await (const lines of readLines(tablePath(folder, table.name), ROWS_AT_ONCE)) {
    count += lines.length
    await database.write((db) =>
      add(
        work,
        db,
        table,
        lines.map((line) => rowOf(line, table)),
      ),
    )
  }
  if (count !== exported.rows)
    throw new AdministrationError(`${table.name} has ${count} rows, ${exported.rows} were exported: the export is damaged.`)
}

async function add(work: Import, db: Transaction, table: CatalogueTable, rows: readonly StoredRow[]): Promise<void> {
  const kept = table.name === 'webhook_subscriptions' && !work.knowsWebhookKey ? rows.map((row) => unverified(row, table)) : rows
  await addRows(db, table, kept, table.name === 'accounts')
  if (table.name !== 'titles') return
  const at = keptColumns(table).findIndex(({ name }) => name === 'id')
  await indexTitles(
    db,
    work.manifest.workspace.id,
    rows.map((row) => String(row[at])),
  )
}

/** Its token was encrypted with an unknown key: the subscription has to be verified again with a new token. */
function unverified(row: StoredRow, table: CatalogueTable): StoredRow {
  const changes: Readonly<Record<string, StoredRow[number]>> = {
    sealed_token: null,
    status: 'pending_verification',
    pause_reason: null,
  }
  return keptColumns(table).map(({ name }, index) => (name in changes ? (changes[name] ?? null) : (row[index] ?? null)))
}

function keptColumns(table: CatalogueTable): CatalogueTable['columns'] {
  return table.columns.filter(({ isCounted }) => !isCounted)
}

/** @throws AdministrationError if this database does not have the table, or has other columns */
function requireTable(tables: Import['tables'], manifest: Manifest, name: string): CatalogueTable {
  const [table, exported] = [tables.get(name), manifest.tables.find((one) => one.name === name)]
  const columns = table && keptColumns(table).map((column) => column.name)
  if (!table || !exported || JSON.stringify(columns?.toSorted()) !== JSON.stringify(exported.columns.toSorted()))
    throw new AdministrationError(`The table ${name} is not the same here. Export and import with the same release.`)
  // The order of columns may differ between engines.
  const inOrder = exported.columns.map((column) => table.columns.find((one) => one.name === column))
  return { ...table, columns: inOrder.filter((column) => column !== undefined) }
}

function rowOf(line: unknown, table: CatalogueTable): StoredRow {
  if (!Array.isArray(line) || line.length !== table.columns.length)
    throw new AdministrationError(`A row of ${table.name} does not have ${table.columns.length} values: the export is damaged.`)
  return line.map((value: unknown, index) => {
    if (typeof value === 'string') return table.columns[index]?.isBytes ? Buffer.from(value, 'base64') : value
    if (typeof value === 'number' || value === null) return value
    throw new AdministrationError(`A row of ${table.name} has a value that is no text and no number: the export is damaged.`)
  })
}

function textAt(manifest: Manifest, table: string, row: unknown, column: string): string {
  const at = manifest.tables.find(({ name }) => name === table)?.columns.indexOf(column) ?? -1
  const value: unknown = Array.isArray(row) ? row[at] : undefined
  if (typeof value !== 'string') throw new AdministrationError(`A row of ${table} has no ${column}: the export is damaged.`)
  return value
}

function fileOf(line: unknown): ExportedFile {
  const { id, bytes, sha256 } = (line ?? {}) as Partial<ExportedFile>
  // The id becomes part of a path.
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id) || typeof bytes !== 'number' || typeof sha256 !== 'string')
    throw new AdministrationError('files.jsonl is damaged.')
  return { id, bytes, sha256 }
}
