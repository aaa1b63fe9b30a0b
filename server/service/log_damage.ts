import type { Logger } from 'pino'
import type { Database } from '../store/database.ts'
import { onDamage } from '../store/stored/damage.ts'

/**
 * Logs damaged values when they are read, until the database is closed.
 * @returns the database
 */
export function logDamage(database: Database, log: Logger): Database {
  const end = onDamage((damage) => log.error(damage, 'a stored value is damaged; run `workspace-service doctor`'))
  return { ...database, close: () => database.close().finally(end) }
}
