import type { Database } from './database.ts'

const NOTICED_AFTER_MS = 1_000

/**
 * The same database, which reports when work on the schema waits for that of another process: it waits forever, and operators should
 * know what for.
 * @param onWait called once for each piece of work that has waited for a second
 */
export function noticingWaits(database: Database, onWait: () => void): Database {
  return {
    ...database,
    exclusively(work) {
      const notice = setTimeout(onWait, NOTICED_AFTER_MS)
      return database
        .exclusively((db) => {
          clearTimeout(notice)
          return work(db)
        })
        .finally(() => clearTimeout(notice))
    },
  }
}
