import type { Currency } from './read_cache.ts'
import { isBusy } from './sqlite_failures.ts'
import type { SqliteStatement } from './sqlite_statement.ts'

/**
 * Whether anything has been committed through other handles of a SQLite file, in this process or in others, since the last call. The engine
 * does not say what.
 * @param version `PRAGMA data_version`, prepared on the handle of the writer
 */
export function currencyOf(version: SqliteStatement): () => Currency {
  let seen: unknown
  return () => {
    try {
      const now = version.value()
      const isCurrent = now === seen
      seen = now
      return isCurrent ? 'current' : 'outdated'
    } catch (error) {
      // Another process recovers the file: readers wait for that, the handle of the writer does not.
      if (isBusy(error)) return 'unknown'
      throw error
    }
  }
}
