import { createHash } from 'node:crypto'
import { isObject } from '../../kernel/is_object.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import { releaseJobs } from '../../store/jobs.ts'
import { addRows, credentialTables, removeForeignBots, tablesToExport, type StoredRow } from '../../store/workspace_rows.ts'
import { setSuspended } from '../../store/workspaces.ts'
import { countUnauthorizedTasks } from '../data/index.ts'
import { deleteWorkspace, forgetUnfinished, importProgress, noteImportProgress, recordCommand } from '../administration/index.ts'
import { tokenKeyDigest } from '../events/index.ts'
import { addArchivedRows, refusedRows } from './add_rows.ts'
import type { Manifest } from './archive.ts'
import { archivedFile, archivedRow, type RuledTable } from './archived_rows.ts'
import { checkArchive } from './check_archive.ts'
import { readLines } from './lines.ts'
import type { Import, ImportOptions } from './import_deps.ts'
import { listOfFiles, readManifest } from './manifest.ts'
import { requireWholeReferences } from './require_whole_references.ts'
import { requireRoom } from './require_room.ts'
import { removeFiles, storeFile } from './stored_files.ts'

/**
 * Imported last. Accounts and secrets come after the people and connections through which a deletion finds them; the data of background
 * jobs comes after everything that jobs need.
 */
const LAST: ReadonlySet<string> = new Set([
  'accounts',
  'client_secrets',
  'agent_schedules',
  'webhook_deliveries',
  'outbox',
  'jobs',
])

/** The progress of an import. It is stored in the same transactions as the rows, so it is correct whenever the process is killed. */
interface Progress {
  /** A digest of the manifest and the options. If it differs, the progress belongs to a different import. */
  readonly digest: string
  readonly files: number
  /** The index of the current table in the order of the import, and the number of its rows that are imported. */
  readonly table: number
  readonly rows: number
}

interface Imported {
  readonly manifest: Manifest
  /** How many queued tasks will fail: the tokens of their callers are not valid here. */
  readonly unauthorizedTasks: number
}

/**
 * Imports an exported workspace with the same ids, or resumes an import whose process was killed. The whole export is checked before
 * anything is stored. The workspace is suspended, and its jobs are held, until the import is complete; if it fails, the workspace is
 * deleted again.
 * @param onProgress called with the completed share, from 0 to 1
 * @throws AdministrationError with the reason if the workspace cannot be imported
 */
export async function importWorkspace(
  { database, storage }: { readonly database: Database; readonly storage: FileStorage },
  folder: string,
  options: ImportOptions,
  onProgress: (share: number) => void,
): Promise<Imported> {
  const manifest = await readManifest(folder)
  let [done, total] = [0, 2 * manifest.tables.reduce((sum, { rows }) => sum + rows, manifest.files)]
  const advance = (count: number): void => onProgress((done += count) / total)
  const all = await checkArchive(folder, manifest, { catalog: await tablesToExport(database), rules: options.rules }, advance)
  const knowsWebhookKey = (await database.read(tokenKeyDigest)) === (manifest.webhook_key ?? undefined)
  const tables = importOrder(all, options)
  const work: Import = { ...options, database, storage, folder, manifest, tables, knowsWebhookKey, advance }
  const { id } = manifest.workspace
  const before = await progressOf(work)
  if (!before) await requireRoom(work, all)
  const workspace = await workspaceRow(work, all)
  if (!before) await begin(work, workspace)
  try {
    await fillAll(work, before ?? beginning(work))
    await database.write((db) => removeForeignBots(db, id, options.now), id)
    await requireWholeReferences(work, all)
    const unauthorizedTasks = await database.write(async (db) => {
      await setSuspended(db, id, workspace.suspendedTime)
      await releaseJobs(db, id)
      await forgetUnfinished(db, id)
      await recordCommand(db, { workspaceId: id, action: 'workspace import', object: { type: 'workspace', id } }, options.now)
      return countUnauthorizedTasks(db, id, options.now)
    }, id)
    return { manifest, unauthorizedTasks }
  } catch (error) {
    await deleteWorkspace(database, id, options.now)
    await removeFiles(work)
    throw error
  }
}

function importOrder(all: readonly RuledTable[], { withCredentials }: ImportOptions): RuledTable[] {
  const wanted = all.filter(({ name }) => name !== 'workspaces' && (withCredentials || !credentialTables.has(name)))
  return [...wanted.filter(({ name }) => !LAST.has(name)), ...wanted.filter(({ name }) => LAST.has(name))]
}

function beginning({ manifest, withCredentials }: Pick<Import, 'manifest' | 'withCredentials'>): Progress {
  const digest = createHash('sha256')
    .update(JSON.stringify([manifest, withCredentials]))
    .digest('hex')
  return { digest, files: 0, table: 0, rows: 0 }
}

/** The progress of this import in an earlier process; undefined if it has not begun. */
async function progressOf(work: Import): Promise<Progress | undefined> {
  const found = await work.database.read((db) => importProgress(db, work.manifest.workspace.id))
  const { digest } = beginning(work)
  if (!isObject(found) || found['digest'] !== digest) return undefined
  return { digest, files: Number(found['files']), table: Number(found['table']), rows: Number(found['rows']) }
}

/** Stores all files, then adds the rows of all tables except that of workspaces. Continues where an earlier process was killed. */
async function fillAll(work: Import, before: Progress): Promise<void> {
  const { database, folder, manifest, tables, advance } = work
  let progress = before
  const note = (db: Transaction, next: Partial<Progress>): Promise<void> => {
    progress = { ...progress, ...next }
    return noteImportProgress(db, manifest.workspace.id, progress)
  }
  for await (const lines of readLines(listOfFiles(folder, manifest))) {
    advance(lines.length)
    for (const line of lines) {
      if (line.number <= before.files) continue
      await storeFile(work, archivedFile(line))
      await database.write((db) => note(db, { files: line.number }))
    }
  }
  for (const [index, table] of tables.entries()) {
    if (index < before.table) advance(table.file.lines)
    else await fill(work, table, index === before.table ? before.rows : 0, (db, rows) => note(db, { table: index, rows }))
  }
}

interface ExportedWorkspace {
  readonly table: RuledTable
  readonly row: StoredRow
  /** When the workspace was suspended in the source; null if it was not. */
  readonly suspendedTime: number | null
}

async function workspaceRow({ manifest }: Import, tables: readonly RuledTable[]): Promise<ExportedWorkspace> {
  const table = tables.find(({ name }) => name === 'workspaces')
  for await (const [line] of table ? readLines(table.file) : []) {
    if (!table || !line) continue
    const row = archivedRow(line, table, manifest.workspace.id)
    const time = row[suspendedAt(table)]
    return { table, row, suspendedTime: typeof time === 'number' ? time : null }
  }
  throw new Error('the export has been checked, but has no workspace')
}

function suspendedAt({ columns }: RuledTable): number {
  return columns.findIndex(({ name }) => name === 'suspended_time')
}

/** Adds the workspace, suspended. */
async function begin(work: Import, { table, row }: ExportedWorkspace): Promise<void> {
  await work.database.write(async (db) => {
    await addRows(db, table, [row.with(suspendedAt(table), work.now)], false)
    await noteImportProgress(db, work.manifest.workspace.id, beginning(work))
  })
}

/**
 * Adds the rows of a table.
 * @param known how many of them have already been added
 * @param note called, in the transaction that adds rows, with the number of rows added so far
 */
async function fill(
  work: Import,
  table: RuledTable,
  known: number,
  note: (db: Transaction, count: number) => Promise<void>,
): Promise<void> {
  for await (const lines of readLines(table.file)) {
    work.advance(lines.length)
    const last = lines.at(-1)?.number ?? 0
    const fresh = lines.filter(({ number }) => number > known)
    if (fresh.length === 0) continue
    try {
      await work.database.write(async (db) => {
        await addArchivedRows(work, db, table, fresh)
        await note(db, last)
      })
    } catch (error) {
      throw refusedRows(error, table, fresh)
    }
  }
}
