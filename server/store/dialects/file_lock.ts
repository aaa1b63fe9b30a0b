import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite_failures.ts'

/**
 * Takes a lock that one process has at a time: the one that SQLite takes on an empty database. The system frees it with the end of the
 * process, however that comes, so what a killed process leaves behind keeps nobody out.
 * @param path a file for the lock alone
 * @returns what frees it and deletes the file; undefined if another process has the lock
 */
export function lockFile(path: string): (() => void) | undefined {
  const handle = new DatabaseSync(path, { timeout: 0 })
  try {
    handle.exec('begin exclusive')
  } catch (error) {
    handle.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return () => {
    handle.close()
    rmSync(path, { force: true })
  }
}
