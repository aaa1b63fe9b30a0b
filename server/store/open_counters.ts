import cluster from 'node:cluster'
import { RateLimiterCluster, RateLimiterClusterMaster, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import { Counters } from './counters.ts'
import type { Database } from './database.ts'
import { redisCounters } from './redis_counters.ts'
import type { SqlValue } from './sql.ts'

export { inspectRedis } from './redis_counters.ts'

const PRIMARY_TIMEOUT_MS = 5_000

/**
 * Opens counters in the first of these places that is available: in Redis if it is configured, in the database if it is PostgreSQL, or in
 * memory. A worker uses the memory of its primary process, which must have called `shareCounters`.
 * @param onUnreachable called when Redis cannot be reached; while it cannot, this process counts by itself
 */
export async function openCounters(
  database: Database,
  redisUrl: string | undefined,
  onUnreachable: (error: Error) => void,
): Promise<Counters> {
  if (redisUrl !== undefined) return redisCounters(redisUrl, onUnreachable)
  if (database.engine === 'postgresql') return postgresqlCounters(database)
  return cluster.isWorker
    ? new Counters((options) => new RateLimiterCluster({ ...options, timeoutMs: PRIMARY_TIMEOUT_MS }))
    : new Counters((options) => new RateLimiterMemory(options))
}

/** Lets the workers of a primary process share its counters. */
export function shareCounters(): void {
  // It listens to the workers as long as the process lives.
  void new RateLimiterClusterMaster()
}

/** The part of a PostgreSQL client that a limiter uses. */
interface LimiterQuery {
  readonly text: string
  readonly values: SqlValue[]
}

/** The end of the limiter's statement that counts a request, by which the statement is recognized. */
const COUNTED = 'RETURNING points, expire'
/** Makes a statement not wait for the server's disk, or for a standby that does not respond. If the server fails, counts may be lost. */
const WITHOUT_FLUSH = `set_config('synchronous_commit', 'off', true) as commit`

function postgresqlCounters(database: Database): Counters {
  const storeClient = {
    async query({ text, values }: LimiterQuery) {
      const columns = { points: 'integer', expire: 'integer' } as const
      const rows = await database.read((db) =>
        text.includes(COUNTED)
          ? db.all({ ...columns, commit: 'text' }, text.replace(COUNTED, `${COUNTED}, ${WITHOUT_FLUSH}`), ...values)
          : db.all(columns, text, ...values),
      )
      return { rows, rowCount: rows.length }
    },
  }
  const shared = {
    storeClient,
    storeType: 'client',
    tableName: 'budget_windows',
    tableCreated: true,
    clearExpiredByTimeout: false,
  }
  return new Counters((options) => new RateLimiterPostgres({ ...shared, ...options }))
}
