import type pg from 'pg'
import type { Database } from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import type { SqlValue } from '../sql.ts'
import { PostgresqlConnection } from './postgresql_connection.ts'
import { PostgresqlCounters } from './postgresql_counters.ts'
import { isConnectionLost, postgresqlFailure } from './postgresql_failures.ts'
import {
  connect,
  flushConnection,
  IDLE_TIMEOUT_MS,
  openPool,
  query,
  sessionSettings,
  statements,
  type PostgresqlConnections,
} from './postgresql_pool.ts'
import { carryOutTurn, type TurnOpening } from './postgresql_turn.ts'
import { attempts, COMMIT, COMMIT_UNFLUSHED, MIGRATION, SNAPSHOT, transact, UNFLUSHED } from './postgresql_transaction.ts'
import { PostgresqlReadCache } from './postgresql_read_cache.ts'
import { SharedConnections } from './shared_connections.ts'
import { WalFlusher, type Flush } from './wal_flusher.ts'
import { WriterTurns } from './writer_turns.ts'

/** Added to the server's own timeout, so that the driver's expires only if the server is unreachable. */
const ANSWER_MARGIN_MS = 5_000
/** Connections that statements share, of all that there may be. */
const SHARED_MAX = 4
/** Connections of the pool, from which on one may be kept for flushes. */
const FLUSHED_POOL_MIN = 4

/** Opens a PostgreSQL database, which any number of processes may share. @param url `postgres://user:password@host:port/database` */
export function openPostgresql(url: string, limits: StoreLimits): Database {
  const answerMs = limits.statementMs + ANSWER_MARGIN_MS
  const count = Math.min(SHARED_MAX, Math.floor(limits.connectionsMax / 4))
  const { connectMs } = limits
  const shared = new SharedConnections({
    url,
    count,
    answerMs,
    connectMs,
    idleMs: IDLE_TIMEOUT_MS,
    settings: sessionSettings(limits),
  })
  const pool = openPool(url, { ...limits, connectionsMax: limits.connectionsMax - count })
  const connections = { pool, shared, answerMs }
  const reader = new PostgresqlConnection({
    query: (sql, values) => queryOnce(connections, sql, values),
    send: async (sql, values) => void (await queryOnce(connections, sql, values)),
    insert: async ({ sql, parameters }) => void (await queryOnce(connections, sql, parameters)),
  })
  const cache = new PostgresqlReadCache(reader, url, connectMs)
  const flusher =
    pool.options.max < FLUSHED_POOL_MIN ? undefined : new WalFlusher(() => flushConnection(connections), IDLE_TIMEOUT_MS)
  // Writers of a workspace take turns: here, so that they occupy no connections while they wait, and between processes by a lock on the row
  // of the workspace. It is not an advisory lock, because in a distributed PostgreSQL the row is on the node of the workspace.
  const turns = new WriterTurns(
    { milliseconds: limits.turnMs, exhausted: () => storageOverloaded('no turn to write in the workspace') },
    (workspaceId, turn) => carryOutTurn({ connections, turn, togetherMs: limits.togetherMs, open: () => openTurn(workspaceId) }),
  )
  const openTurn = (workspaceId: string): TurnOpening => {
    let flush: Flush | undefined
    const commit = (): string => {
      // Writers that wait for the turn need not wait for the disk, too; those of this transaction do so behind the turn.
      flush = turns.isAwaited(workspaceId) ? flusher?.ready() : undefined
      return flush ? COMMIT_UNFLUSHED : COMMIT
    }
    return { begin: 'begin', workspaceId, answerMs, commit, flush: () => flush?.() }
  }

  return {
    engine: 'postgresql',
    counters: new PostgresqlCounters(reader),
    presence: cache.session,
    copies: undefined,
    read: (work) => work(reader),
    snapshot: (work) => transact(connections, work, { begin: SNAPSHOT, answerMs }).catch(rethrown),
    readCached: (key, work) => cache.read(key, work),
    write: (given, workspaceId, mayShare = false) =>
      cache.write(given, (work) =>
        workspaceId === undefined
          ? attempts(connections, work, { begin: 'begin', answerMs })
          : turns.run(workspaceId, work, mayShare),
      ),
    writeUnflushed: (given) => cache.write(given, (work) => attempts(connections, work, { begin: UNFLUSHED, answerMs })),
    exclusively: (given) => cache.write(given, (work) => attempts(connections, work, MIGRATION)),
    async statistics() {
      const row = await reader.get({ bytes: 'integer' }, 'select pg_database_size(current_database()) as bytes')
      return {
        bytes: { database: row?.bytes ?? 0 },
        counts: { open: pool.totalCount + shared.total, idle: pool.idleCount, waiting: pool.waitingCount + turns.waiting },
      }
    },
    async close() {
      await cache.session.close()
      await flusher?.close()
      await Promise.all([pool.end(), shared.close()])
    },
  }
}

/** Runs a statement in a transaction of its own. A quick read goes over a connection that others use at the same time. */
async function queryOnce(
  connections: PostgresqlConnections,
  sql: string,
  values: readonly SqlValue[],
): Promise<pg.QueryResult<object>> {
  requireStorable(values)
  if (!statements.isQuickRead(sql)) return queryAlone(connections, sql, values)
  const found = await connections.shared
    .query(statements.of(sql), values, (milliseconds) => statements.took(sql, milliseconds))
    .catch(rethrown)
  return found ?? queryAlone(connections, sql, values)
}

async function queryAlone(
  connections: PostgresqlConnections,
  sql: string,
  values: readonly SqlValue[],
): Promise<pg.QueryResult<object>> {
  const client = await connect(connections)
  const begun = performance.now()
  let isLost = false
  try {
    const found = await query(client, sql, values, connections.answerMs)
    statements.took(sql, performance.now() - begun)
    return found
  } catch (error) {
    isLost = isConnectionLost(error)
    throw postgresqlFailure(error)
  } finally {
    client.release(isLost)
  }
}

function rethrown(error: unknown): never {
  throw postgresqlFailure(error)
}
