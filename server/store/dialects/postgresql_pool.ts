import pg from 'pg'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import { storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { isConnectTimeout } from './postgresql_failures.ts'
import { control } from './postgresql_statements.ts'

const IDLE_TIMEOUT_MS = 30_000

/**
 * Every statement of the service finds its rows by an index. Without these settings, the planner may scan a whole table that is small or
 * whose statistics are out of date, and continue to do so while the table grows.
 */
function sessionSettings({ statementMs, lockWaitMs }: StoreLimits): string {
  const settings = [
    'enable_seqscan = off',
    'enable_hashjoin = off',
    'enable_mergejoin = off',
    'jit = off',
    `statement_timeout = ${statementMs}`,
    `lock_timeout = ${lockWaitMs}`,
    // A process that hangs must not hold its locks forever.
    `idle_in_transaction_session_timeout = ${statementMs}`,
  ]
  return settings.map((setting) => `set ${setting}`).join('; ')
}

const INT8 = 20
const NUMERIC = 1700
// Times, counts and sums stay far below 2^53.
for (const type of [INT8, NUMERIC]) pg.types.setTypeParser(type, Number)

export function openPool(url: string, limits: StoreLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.connectionsMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: limits.connectMs,
    application_name: 'workspace-service',
    keepAlive: true,
    // Statements that a transaction sends together are not queued in the driver.
    pipeline: true,
    onConnect: async (client) => {
      // A statement that uses a broken connection gets the error. Without a listener, the event would end the process.
      client.on('error', () => undefined)
      await control(client, sessionSettings(limits), limits.connectMs)
    },
  })
  pool.on('error', () => undefined)
  return pool
}

/** Takes a connection from the pool. @throws ServiceError `service_overload` when all stay in use, otherwise `service_unavailable` */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isConnectTimeout(error) && pool.totalCount >= pool.options.max ? storageOverloaded(error) : storageUnavailable(error)
  }
}
