import type { Connection } from './database.ts'
import { sql } from './sql.ts'

/** The latest time at which any content was edited, in milliseconds since 1970; 0 if there is none. */
export async function newestEditTime(db: Connection): Promise<number> {
  const row = await db.get({ time: 'integer?' }, sql`select max(last_edited_time) as time from blocks`)
  return row?.time ?? 0
}
