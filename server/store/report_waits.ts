import type { Database } from './database.ts'

const NOTICED_AFTER_MS = 1_000

/**
 * Wraps a database so that it reports when a migration waits for a migration of another process. It may wait forever, and operators should
 * know why.
 * @param onWait called once for each piece of work that has waited for a second
 */
export function reportWaits(database: Database, onWait: () => void): Database {
  return {
    ...database,
    exclusively(work, rebuilds) {
      const notice = setTimeout(onWait, NOTICED_AFTER_MS)
      return database
        .exclusively((db) => {
          clearTimeout(notice)
          return work(db)
        }, rebuilds)
        .finally(() => clearTimeout(notice))
    },
  }
}
