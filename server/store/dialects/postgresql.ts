import type pg from 'pg'
import type { Database } from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import type { SqlValue } from '../sql.ts'
import { PostgresqlConnection } from './postgresql_connection.ts'
import { isConnectionLost, postgresqlFailure } from './postgresql_failures.ts'
import { connect, openPool } from './postgresql_pool.ts'
import { PostgresqlReadCache } from './postgresql_read_cache.ts'
import { runStatement } from './postgresql_statements.ts'
import { attempts, beginIn, MIGRATION, SNAPSHOT, transact } from './postgresql_transaction.ts'
import { WriteQueues } from './write_queues.ts'

/** Added to the server's own timeout, so that the driver's expires only if the server is unreachable. */
const ANSWER_MARGIN_MS = 5_000

/** Opens a PostgreSQL database, which any number of processes may share. @param url `postgres://user:password@host:port/database` */
export function openPostgresql(url: string, limits: StoreLimits): Database {
  const timeoutMs = limits.statementMs + ANSWER_MARGIN_MS
  const pool = openPool(url, limits)
  const reader = new PostgresqlConnection((sql, values) => readOnce(pool, sql, values, timeoutMs))
  const cache = new PostgresqlReadCache(reader, url, limits.connectMs)
  const queues = new WriteQueues({
    milliseconds: limits.lockWaitMs,
    exhausted: () => storageOverloaded('other writers of the workspace took too long'),
  })

  return {
    engine: 'postgresql',
    presence: cache.session,
    copies: undefined,
    read: (work) => work(reader),
    snapshot: (work) =>
      transact(pool, work, { begin: SNAPSHOT, timeoutMs }).catch((error: unknown) => {
        throw postgresqlFailure(error)
      }),
    readCached: (key, work) => cache.read(key, work),
    write: (given, workspaceId) =>
      cache.write(given, (work) =>
        workspaceId === undefined
          ? attempts(pool, work, { begin: 'begin', timeoutMs })
          : queues.run(workspaceId, () => attempts(pool, work, { begin: beginIn(workspaceId), timeoutMs })),
      ),
    exclusively: (given) => cache.write(given, (work) => attempts(pool, work, MIGRATION)),
    async statistics() {
      const row = await reader.get({ bytes: 'integer' }, 'select pg_database_size(current_database()) as bytes')
      return {
        bytes: { database: row?.bytes ?? 0 },
        counts: { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + queues.waiting },
      }
    },
    async close() {
      await cache.session.close()
      await pool.end()
    },
  }
}

/** Runs a statement in a transaction of its own. */
async function readOnce(
  pool: pg.Pool,
  sql: string,
  values: readonly SqlValue[],
  timeoutMs: number,
): Promise<pg.QueryResult<object>> {
  requireStorable(values)
  const client = await connect(pool)
  let isLost = false
  try {
    return await runStatement(client, sql, values, timeoutMs)
  } catch (error) {
    isLost = isConnectionLost(error)
    throw postgresqlFailure(error)
  } finally {
    client.release(isLost)
  }
}
