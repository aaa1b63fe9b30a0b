import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { createPrivateFile } from './private_file.ts'
import { isBusy } from './sqlite_failures.ts'

const PAGES_AT_ONCE = 500

/** Called with the number of pages copied so far, and the total. */
export type OnProgress = (copied: number, total: number) => void

export interface BackupFigures {
  readonly bytes: number
  readonly pages: number
}

/**
 * Copies a database file, which may be in use, in its state at this moment. Concurrent writes are not copied, and do not delay the copy.
 * The copy gets its name only when it is complete and its integrity has been checked.
 * @throws Error if the copy cannot be written or fails the check
 */
export async function backupSqlite(path: string, target: string, onProgress: OnProgress): Promise<BackupFigures> {
  const unfinished = `${target}.unfinished`
  rmSync(unfinished, { force: true })
  const source = openToRead(path)
  try {
    createPrivateFile(unfinished)
    // An open read transaction keeps its snapshot. Without it, every write of another process would restart the backup.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    const pages = await backup(source, unfinished, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    })
    source.exec('rollback')
    requireSound(unfinished)
    flush(unfinished)
    renameSync(unfinished, target)
    return { bytes: statSync(target).size, pages }
  } finally {
    source.close()
    for (const rest of [unfinished, `${unfinished}-wal`, `${unfinished}-shm`, `${unfinished}-journal`])
      rmSync(rest, { force: true })
  }
}

/**
 * The integrity problems of a database file, as SQLite words them; empty if there are none.
 * @param indexes whether to compare indexes with their tables as well, which takes several times as long
 */
export function integrityProblems(path: string, indexes: boolean): readonly string[] {
  const database = openToRead(path)
  try {
    const found = database
      .prepare(`pragma ${indexes ? 'integrity_check' : 'quick_check'}(20)`)
      .all()
      .map((row) => String(Object.values(row)[0]))
      .filter((text) => text !== 'ok')
    const orphans = database.prepare('select "table", count(*) as rows from pragma_foreign_key_check group by 1').all()
    return [
      ...found,
      ...orphans.map((row) => `${String(row['rows'])} rows of ${String(row['table'])} refer to rows that do not exist`),
    ]
  } finally {
    database.close()
  }
}

/**
 * Opens a database in order to read it, but not as `readOnly`: such a connection cannot delete the `-wal` and `-shm` files that it creates.
 */
function openToRead(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec('pragma query_only = on')
  return database
}

/**
 * Whether another process has the file open, in which case the log cannot be removed. The file may be damaged; that is not an error here.
 */
export function isInUse(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    return database.prepare('pragma journal_mode = delete').get()?.['journal_mode'] === 'wal'
  } catch (error) {
    return isBusy(error)
  } finally {
    database.close()
  }
}

/**
 * Replaces a database that is not in use with a complete copy. The previous database is kept as `keptAs`.
 * @returns the name of the previous database; undefined if there was none
 */
export function swapIn(copy: string, path: string, keptAs: string): string | undefined {
  const isThere = existsSync(path)
  // The log must move with its database; otherwise, SQLite would apply it to the copy.
  if (isThere) for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, keptAs + end)
  renameSync(copy, path)
  flushFolder(dirname(path))
  return isThere ? keptAs : undefined
}

export function databaseExists(path: string): boolean {
  return existsSync(path)
}

function requireSound(path: string): void {
  const [first] = integrityProblems(path, false)
  if (first !== undefined)
    throw new Error(
      `The copy failed its integrity check: ${first}. The original database may be damaged; see workspace-service doctor.`,
    )
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function flush(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
