import type { Database } from './database.ts'

const NOTICED_AFTER_MS = 1_000

/**
 * Wraps a database so that it reports when a migration waits for another process's migration. The wait may never end, and operators should
 * know why.
 * @param onWait called once for each piece of work that has waited for a second
 */
export function reportWaits(database: Database, onWait: () => void): Database {
  /** @param work receives a function that it calls when the wait is over */
  const withNotice = async <T>(work: (onBegin: () => void) => Promise<T>): Promise<T> => {
    const notice = setTimeout(onWait, NOTICED_AFTER_MS)
    const cancel = (): void => clearTimeout(notice)
    return work(cancel).finally(cancel)
  }
  return {
    ...database,
    // `configure` waits for the same lock, and does little besides.
    configure: () => withNotice(() => database.configure()),
    exclusively: (work, rebuilds) =>
      withNotice((onBegin) =>
        database.exclusively((db) => {
          onBegin()
          return work(db)
        }, rebuilds),
      ),
  }
}
