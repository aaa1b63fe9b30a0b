import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite_failures.ts'

/**
 * Takes an exclusive lock between processes: the lock that SQLite takes on an empty database. The operating system releases it when the
 * process ends, even if it is killed, so a leftover file does not block anyone.
 * @param path a file that is used only for the lock
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
