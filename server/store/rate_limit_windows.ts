import type { Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Deletes windows that ended before a time. Only the counters of PostgreSQL use this table. @returns how many, at most `limit` */
export function dropEndedWindows(db: Transaction, endedBefore: number, limit: number): Promise<number> {
  return db.change(
    sql`delete from budget_windows where key in (select key from budget_windows where expire < ${endedBefore} limit ${limit})
      and expire < ${endedBefore}`,
  )
}
