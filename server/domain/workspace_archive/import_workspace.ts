import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isObject } from '../../kernel/is_object.ts'
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
import { forgetUnfinished, importProgress, noteImportProgress } from '../administration/unfinished.ts'
import { requireFreeName } from '../administration/workspaces.ts'
import { objectName } from '../file_uploads/vault.ts'
import { tokenKeyDigest } from '../webhooks/token.ts'
import {
  fileListPath,
  filePath,
  ARCHIVE_FORMAT,
  manifestPath,
  parsedRecord,
  readLines,
  tablePath,
  ARCHIVE_VERSION,
  type ExportedFile,
  type ExportedTable,
  type Manifest,
} from './archive.ts'
import { archivedFile, keptColumns, requireTable, archivedRow, archivedText } from './archived_rows.ts'

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
  /** Called with how many rows and files have been imported. */
  advance(count: number): void
}

/** How far an import is. It is noted in the transactions that bring it there, so it is true whenever the process is killed. */
interface Progress {
  /** Of the manifest: another export is another import. */
  readonly digest: string
  readonly files: number
  /** The place of the table in the order of the import, and how many of its rows are there. */
  readonly table: number
  readonly rows: number
}

/**
 * Imports an exported workspace with the same ids, or goes on with an import whose process was killed. The workspace is suspended until the
 * import is complete; if it fails, the workspace is deleted again.
 * @param onProgress called with the share that is done, from 0 to 1
 * @throws AdministrationError with the reason for which it cannot be imported
 */
export async function importWorkspace(
  { database, storage }: { readonly database: Database; readonly storage: FileStorage },
  folder: string,
  now: number,
  onProgress: (share: number) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const tables = new Map((await tablesToExport(database)).map((table) => [table.name, table]))
  const knowsWebhookKey = (await database.read(tokenKeyDigest)) === (manifest.webhook_key ?? undefined)
  let [imported, total] = [0, manifest.tables.reduce((sum, { rows }) => sum + rows, manifest.files)]
  const advance = (count: number): void => onProgress((imported += count) / total)
  const work: Import = { database, storage, folder, manifest, tables, knowsWebhookKey, advance }
  const { id } = manifest.workspace
  const before = await progressOf(work)
  if (!before) await requireRoom(work)
  const workspace = await workspaceRow(work)
  if (!before) await begin(work, workspace, now)
  try {
    await fillAll(work, before ?? { digest: digestOf(manifest), files: 0, table: 0, rows: 0 })
    await database.write(async (db) => {
      await setSuspended(db, id, workspace.suspendedTime)
      await forgetUnfinished(db, id)
    }, id)
    return manifest
  } catch (error) {
    await deleteWorkspace(database, id, now)
    await removeFiles(work)
    throw error
  }
}

function digestOf(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** How far this import was brought by a process that was killed; undefined if none has begun it. */
async function progressOf({ database, manifest }: Import): Promise<Progress | undefined> {
  const progress = await database.read((db) => importProgress(db, manifest.workspace.id))
  if (!isObject(progress) || progress['digest'] !== digestOf(manifest)) return undefined
  return {
    digest: digestOf(manifest),
    files: Number(progress['files']),
    table: Number(progress['table']),
    rows: Number(progress['rows']),
  }
}

/** Stores all files, then adds the rows of all tables but that of workspaces, from where an earlier process was. */
async function fillAll(work: Import, before: Progress): Promise<void> {
  const { database, folder, manifest, advance } = work
  let progress = before
  const note = (db: Transaction, next: Partial<Progress>): Promise<void> => {
    progress = { ...progress, ...next }
    return noteImportProgress(db, manifest.workspace.id, progress)
  }
  let count = 0
  for await (const [line] of readLines(fileListPath(folder), 1)) {
    advance(1)
    count += 1
    if (count <= before.files) continue
    await storeFile(work, archivedFile(line))
    await database.write((db) => note(db, { files: count }))
  }
  const rest = manifest.tables.filter(({ name }) => name !== 'workspaces')
  const ordered = [...rest.filter(({ name }) => !LAST.has(name)), ...rest.filter(({ name }) => LAST.has(name))]
  for (const [index, table] of ordered.entries()) {
    if (index < before.table) advance(table.rows)
    else await fill(work, table, index === before.table ? before.rows : 0, (db, rows) => note(db, { table: index, rows }))
  }
}

/** @throws AdministrationError for anything but an export of this release */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new AdministrationError(`There is no exported workspace in ${folder}: it lacks workspace.json.`)
  })
  const manifest = parsedRecord(text, path) as Partial<Manifest> | null
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
  const idsOf = (table: string, rows: readonly unknown[]): string[] => rows.map((row) => archivedText(manifest, table, row, 'id'))
  for await (const rows of readLines(tablePath(folder, 'connections'), ROWS_AT_ONCE)) {
    const [taken] = await database.read((db) => idsTaken(db, 'connections', idsOf('connections', rows)))
    if (taken !== undefined) throw new AdministrationError(`There is already a connection ${taken}.`)
  }
  for await (const rows of readLines(tablePath(folder, 'accounts'), ROWS_AT_ONCE)) {
    for (const row of rows) {
      const [personId, email] = [archivedText(manifest, 'accounts', row, 'id'), archivedText(manifest, 'accounts', row, 'email')]
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

/** The workspace itself, as it was exported. */
interface ExportedWorkspace {
  readonly table: CatalogueTable
  readonly row: StoredRow
  /** Since when it has been suspended in the source. */
  readonly suspendedTime: number | null
}

async function workspaceRow({ folder, manifest, tables }: Import): Promise<ExportedWorkspace> {
  const table = requireTable(tables, manifest, 'workspaces')
  for await (const [line] of readLines(tablePath(folder, 'workspaces'), 1)) {
    const row = archivedRow(line, table)
    const time = row[suspendedAt(table)]
    return { table, row, suspendedTime: typeof time === 'number' ? time : null }
  }
  throw new AdministrationError('The table workspaces has no row: the export is damaged.')
}

function suspendedAt({ columns }: CatalogueTable): number {
  return columns.findIndex(({ name }) => name === 'suspended_time')
}

/** Adds the workspace, suspended. */
async function begin({ database, manifest }: Import, { table, row }: ExportedWorkspace, now: number): Promise<void> {
  const { id } = manifest.workspace
  await database.write(async (db) => {
    await addRows(db, table, [row.with(suspendedAt(table), now)], false)
    await noteImportProgress(db, id, { digest: digestOf(manifest), files: 0, table: 0, rows: 0 } satisfies Progress)
  })
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

/**
 * Adds the rows of a table.
 * @param known how many of them are there already
 * @param note called with how many there are, in the transaction that adds them
 * @throws AdministrationError if there are fewer rows than were exported
 */
async function fill(
  work: Import,
  exported: ExportedTable,
  known: number,
  note: (db: Transaction, count: number) => Promise<void>,
): Promise<void> {
  const { database, folder, manifest, tables, advance } = work
  const table = requireTable(tables, manifest, exported.name)
  let count = 0
  for await (const lines of readLines(tablePath(folder, table.name), ROWS_AT_ONCE)) {
    count += lines.length
    advance(lines.length)
    if (count <= known) continue
    await database.write(async (db) => {
      const rows = lines.map((line) => archivedRow(line, table))
      await add(work, db, table, rows)
      await note(db, count)
    })
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
