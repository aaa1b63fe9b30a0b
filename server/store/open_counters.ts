import type { Counters } from './counters.ts'
import type { Database } from './database.ts'
import { redisCounters } from './dialects/limiter_counters.ts'
import { processCounters } from './process_counters.ts'

export { inspectRedis } from './dialects/limiter_counters.ts'
export { shareCounters } from './process_counters.ts'

/**
 * Opens counters in Redis if it is configured, otherwise in the database if it is PostgreSQL, otherwise in the memory of this process or,
 * for a worker, of its primary process.
 * @param onTrouble called when Redis cannot be reached; until it can be, this process counts on its own
 */
export function openCounters(
  database: Database,
  redisUrl: string | undefined,
  onTrouble: (error: Error) => void,
): Promise<Counters> {
  if (redisUrl !== undefined) return redisCounters(redisUrl, onTrouble)
  return Promise.resolve(database.counters ?? processCounters())
}
