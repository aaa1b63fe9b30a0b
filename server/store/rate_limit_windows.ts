import type { Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Deletes windows that ended before a time. Only counters in PostgreSQL use this table. @returns the number of windows, at most `limit` */
export function dropEndedWindows(db: Transaction, endedBefore: number, limit: number): Promise<number> {
  return db.change(
    sql`delete from budget_windows where key in (select key from budget_windows where expire < ${endedBefore} limit ${limit})
      and expire < ${endedBefore}`,
  )
}
