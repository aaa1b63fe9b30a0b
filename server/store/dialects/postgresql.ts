import type pg from 'pg'
import type { Database, DatabaseAccess, Transaction } from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import type { SqlValue } from '../sql.ts'
import { PostgresqlConnection } from './postgresql_connection.ts'
import { isConnectionLost, postgresqlFailure } from './postgresql_failures.ts'
import { connect, openPool } from './postgresql_pool.ts'
import { PostgresqlReadCache } from './postgresql_read_cache.ts'
import { makeDefaults, outageOf, sessionSettings } from './postgresql_session_settings.ts'
import { runStatement } from './postgresql_statements.ts'
import { attempts, beginIn, inTime, MIGRATION, SNAPSHOT, transact } from './postgresql_transaction.ts'
import { Semaphore, type WaitLimit } from './semaphore.ts'
import { WorkspaceQueues } from './workspace_queues.ts'

/** Added to the server's own time limit, so that the driver's limit is reached only if the server cannot be reached. */
const ANSWER_MARGIN_MS = 5_000

/**
 * Opens a PostgreSQL database, which any number of processes may share.
 * @param url `postgres://user:password@host:port/database`, the address of the server or of a pooler
 * @param listenUrl the address of the server itself
 */
export function openPostgresql(url: string, limits: StoreLimits, listenUrl = url): Database {
  const settings = sessionSettings(limits)
  const open = (max: number): pg.Pool => openPool(url, max, limits, settings)
  const { connectionsMax } = limits
  const [forReads, forWrites, forJobs] = [
    open(connectionsMax.reads),
    open(connectionsMax.writes),
    open(connectionsMax.background),
  ]
  const pools = [forReads, forWrites, forJobs]
  const timeoutMs = limits.statementMs + ANSWER_MARGIN_MS
  const reader = readerOf(forReads, timeoutMs)
  const cache = new PostgresqlReadCache(reader, listenUrl, limits.connectMs)
  const limit: WaitLimit = {
    milliseconds: limits.queueWaitMs,
    stuckMs: limits.lockWaitMs,
    exhausted: () => storageOverloaded('other work took too long'),
  }
  const [writeSlots, jobSlots] = [new Semaphore(connectionsMax.writes), new Semaphore(connectionsMax.background)]
  const [readers, writers] = [new WorkspaceQueues(limits.readsOfWorkspaceMax, limit), new WorkspaceQueues(1, limit)]

  /** Access through one pool for reads and one for writes. All writers of a workspace share its queue, whichever pool they use. */
  const accessThrough = (readPool: pg.Pool, writePool: pg.Pool, slots: Semaphore): DatabaseAccess => ({
    read: (work, workspaceId) =>
      work(readerOf(readPool, timeoutMs, workspaceId === undefined ? undefined : [readers, workspaceId])),
    snapshot: (work) =>
      transact(readPool, work, { begin: SNAPSHOT, timeoutMs }).catch((error: unknown) => {
        throw postgresqlFailure(error)
      }),
    write: (given, workspaceId) =>
      cache.write(given, (work) =>
        inTime(limits, (start) => {
          if (workspaceId === undefined)
            return slots.run((slot) => attempts(writePool, work, { begin: 'begin', timeoutMs, ...start(slot) }), limit)
          const begin = beginIn(workspaceId)
          return writers.run(workspaceId, (turn) =>
            slots.run((slot) => attempts(writePool, work, { begin, timeoutMs, ...start(slot, turn) }), limit, turn.since),
          )
        }),
      ),
  })
  const exclusively = <T>(given: (transaction: Transaction) => Promise<T>): Promise<T> =>
    cache.write(given, (work) => attempts(forWrites, work, MIGRATION))
  const sum = (count: (pool: pg.Pool) => number): number => pools.reduce((total, pool) => total + count(pool), 0)

  return {
    ...accessThrough(forReads, forWrites, writeSlots),
    background: accessThrough(forJobs, forJobs, jobSlots),
    engine: 'postgresql',
    presence: cache.session,
    copies: undefined,
    readCached: (key, work) => cache.read(key, work),
    exclusively,
    configure: () => makeDefaults(reader, settings, exclusively),
    outage: () => outageOf(reader, settings),
    async statistics() {
      const row = await reader.get({ bytes: 'integer' }, 'select pg_database_size(current_database()) as bytes')
      return {
        bytes: { database: row?.bytes ?? 0 },
        counts: {
          open: sum(({ totalCount }) => totalCount),
          idle: sum(({ idleCount }) => idleCount),
          waiting: [readers, writers, writeSlots, jobSlots].reduce(
            (total, queue) => total + queue.waiting,
            sum(({ waitingCount }) => waitingCount),
          ),
        },
      }
    },
    async close() {
      await cache.session.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/**
 * A connection on which each statement runs in a separate transaction. @param share the queue in which each statement waits for a slot, and
 * its workspace
 */
function readerOf(pool: pg.Pool, timeoutMs: number, share?: readonly [WorkspaceQueues, string]): PostgresqlConnection {
  return new PostgresqlConnection((sql, values) => {
    const read = (): Promise<pg.QueryResult<object>> => readOnce(pool, sql, values, timeoutMs)
    if (share === undefined) return read()
    return share[0].run(share[1], (turn) => read().finally(() => turn.progress()))
  })
}

/** Runs one statement in a separate transaction. */
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
