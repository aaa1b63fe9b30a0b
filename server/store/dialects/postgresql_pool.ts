import pg from 'pg'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import { storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { isConnectTimeout } from './postgresql_failures.ts'
import { prepareConnection, type SessionSettings } from './postgresql_session_settings.ts'

const IDLE_TIMEOUT_MS = 30_000

const INT8 = 20
const NUMERIC = 1700
// Times, counts and sums are far below 2^53.
for (const type of [INT8, NUMERIC]) pg.types.setTypeParser(type, Number)

/** @param max the maximum number of connections */
export function openPool(url: string, max: number, { connectMs }: StoreLimits, settings: SessionSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: connectMs,
    application_name: 'workspace-service',
    keepAlive: true,
    // Lets a transaction send several statements at once, instead of the driver queuing them.
    pipeline: true,
    onConnect: async (client) => {
      // A statement on a broken connection gets the error. Without a listener, the event would also end the process.
      client.on('error', () => undefined)
      await prepareConnection(client, settings, connectMs)
    },
  })
  pool.on('error', () => undefined)
  return pool
}

/**
 * Takes a connection from the pool. @throws ServiceError `service_overload` if all connections stay in use, otherwise `service_unavailable`
 */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isConnectTimeout(error) && pool.totalCount >= pool.options.max ? storageOverloaded(error) : storageUnavailable(error)
  }
}
