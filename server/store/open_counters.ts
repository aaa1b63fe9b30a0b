import type { Counters } from './counters.ts'
import type { Database } from './database.ts'
import { processCounters, redisCounters } from './dialects/limiter_counters.ts'

export { inspectRedis, shareCounters } from './dialects/limiter_counters.ts'

/**
 * Counters in Redis where there is one, else in the database if its engine serves many machines, else in memory (that of the
 * primary process, where there are workers).
 * @param onTrouble is called when Redis cannot be reached: meanwhile this process counts for itself
 */
export function openCounters(
  database: Database,
  redisUrl: string | undefined,
  onTrouble: (error: Error) => void,
): Promise<Counters> {
  if (redisUrl !== undefined) return redisCounters(redisUrl, onTrouble)
  return Promise.resolve(database.counters ?? processCounters())
}
