import type { CacheState } from './read_cache.ts'
import { isBusy } from './sqlite_failures.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

/**
 * Whether another handle of a SQLite file, in this process or another, has committed since the last call. The engine does not
 * report what changed.
 * @param version `PRAGMA data_version`, prepared on the handle of the writer
 */
export function sqliteCacheState(version: SqliteStatement): () => CacheState {
  let seen: unknown
  return () => {
    try {
      const now = version.value()
      const isCurrent = now === seen
      seen = now
      return isCurrent ? 'current' : 'outdated'
    } catch (error) {
      // Another process is recovering the file: readers wait for it, the handle of the writer does not.
      if (isBusy(error)) return 'unknown'
      throw error
    }
  }
}
