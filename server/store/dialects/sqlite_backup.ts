import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { makePrivately } from './private_file.ts'
import { isBusy } from './sqlite_failures.ts'

const PAGES_AT_ONCE = 500

/** @param copied pages copied so far, of `total` */
export type OnProgress = (copied: number, total: number) => void

export interface BackupFigures {
  readonly bytes: number
  readonly pages: number
}

/**
 * Copies a database file that may be in use, as it is at this moment: what is written meanwhile neither gets into the copy nor
 * holds it up. The copy stands under its name only when it is complete and has been found sound.
 * @throws Error when the copy cannot be written or is not sound
 */
export async function backupSqlite(path: string, target: string, onProgress: OnProgress): Promise<BackupFigures> {
  const unfinished = `${target}.unfinished`
  rmSync(unfinished, { force: true })
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    makePrivately(unfinished)
    // An open read keeps its view of the data; without one, each write of another process would have the copy begin anew.
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

/** Problems of a database file, as its engine words them; none when it is sound. */
export function integrityProblems(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const found = database
      .prepare('pragma quick_check(20)')
      .all()
      .map((row) => String(row['quick_check']))
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

/** Whether any process has the file open: only the last one can put the log away. The file may be damaged. */
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
 * Puts a complete copy in the place of a database that nobody uses, which is kept under another name.
 * @returns the name of the former database; undefined where there was none
 */
export function swapIn(copy: string, path: string, keptAs: string): string | undefined {
  const isThere = existsSync(path)
  // Its log belongs to it, not to what comes in its place.
  if (isThere) for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, keptAs + end)
  renameSync(copy, path)
  flushFolder(dirname(path))
  return isThere ? keptAs : undefined
}

export function databaseExists(path: string): boolean {
  return existsSync(path)
}

function requireSound(path: string): void {
  const [first] = integrityProblems(path)
  if (first !== undefined)
    throw new Error(
      `The copy is not sound: ${first}. The database it was made from may be damaged; see workspace-service doctor.`,
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
