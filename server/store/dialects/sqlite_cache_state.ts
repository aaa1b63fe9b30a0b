import type { CacheState } from './read_cache.ts'
import { isBusy } from './sqlite_failures.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

/**
 * Whether another handle of a SQLite file, in this process or another, has committed since the last call. The engine does not report what
 * was changed.
 * @param version `PRAGMA data_version`, prepared on the writer's handle
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
      // Another process is recovering the file. Readers wait for it; the writer's handle does not.
      if (isBusy(error)) return 'unknown'
      throw error
    }
  }
}
