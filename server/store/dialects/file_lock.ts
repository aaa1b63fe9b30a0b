import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite_failures.ts'

/**
 * Takes an exclusive lock between processes: the lock that SQLite takes on an empty database. The system releases it when the
 * process ends, even if it is killed, so a leftover file blocks nobody.
 * @param path a file for the lock alone
 * @returns a function that releases the lock and deletes the file; undefined if another process has the lock
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
