import type { Database } from './database.ts'

const NOTICED_AFTER_MS = 1_000

/**
 * The same database, telling when work on the schema has to wait because another process is at it: such work waits forever, and
 * whoever looks should know what for.
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
