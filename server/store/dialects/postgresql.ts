import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import type { MaybePromise } from '../../kernel/maybe_promise.ts'
import { outcomeUnknown, storageUnavailable } from '../../kernel/unavailable.ts'
import {
  FOLLOWED_COLUMNS,
  type Connection,
  type Database,
  type FollowedPosition,
  type NewRows,
  type RecordColumns,
  type RecordOf,
  type Transaction,
} from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { shaped, type RowOf, type RowShape } from '../row_shape.ts'
import { around, raw, sql, statementOf, wantedTable, type Sql, type SqlValue, type WantedTable } from '../sql.ts'
import { LastFound } from './last_found.ts'
import { Mutexes } from './mutex.ts'
import { PostgresqlCounters } from './postgresql_counters.ts'
import { postgresqlFailure, isConnectionLost, isConnectTimeout, isRepeatable, isUnavailable } from './postgresql_failures.ts'
import { Statements } from './postgresql_statements.ts'
import { SharedConnections } from './shared_connections.ts'
import { WalFlusher, type Flush, type FlushConnection } from './wal_flusher.ts'
import { postgresqlTitleKeys } from './title_keys.ts'

const IDLE_TIMEOUT_MS = 30_000
/** Added to the server's own timeout, so that the driver's expires only if the server is unreachable. */
const ANSWER_MARGIN_MS = 5_000
/** Connections that statements share, of all that there may be. */
const SHARED_MAX = 4
/** Connections of the pool, from which on one may be kept for flushes. */
const FLUSHED_POOL_MIN = 4
const ATTEMPTS_MAX = 5
const ATTEMPT_PAUSE_MS_MAX = 50
/** An arbitrary number, the same in every process of the service. */
const MIGRATION_LOCK = 7_402_611

/**
 * Every statement of the service finds its rows by an index. Without these settings, the planner may scan a whole table that is small or
 * whose statistics are out of date, and go on doing so while the table grows.
 */
function sessionSettings({ statementMs, turnMs }: StoreLimits): string {
  const settings = [
    'enable_seqscan = off',
    'enable_hashjoin = off',
    'enable_mergejoin = off',
    'jit = off',
    `statement_timeout = ${statementMs}`,
    `lock_timeout = ${turnMs}`,
    // A process that hangs must not hold its locks forever.
    `idle_in_transaction_session_timeout = ${statementMs}`,
  ]
  return settings.map((setting) => `set ${setting}`).join('; ')
}

const INT8 = 20
const NUMERIC = 1700
// Times, counts and sums stay far below 2^53.
for (const type of [INT8, NUMERIC]) pg.types.setTypeParser(type, Number)

const statements = new Statements()

/** An option of the driver that its types lack: a timeout in milliseconds, 0 for none. */
interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number
}

/** Runs one statement on one connection. */
async function query(
  client: pg.PoolClient,
  sql: string,
  values: readonly SqlValue[],
  timeoutMs: number,
): Promise<pg.QueryResult<object>> {
  requireStorable(values)
  const timed: TimedQuery = { ...statements.of(sql), values: [...values], query_timeout: timeoutMs }
  return client.query<object>(timed)
}

/** @returns the command of the last of the statements, as the server carried it out */
async function control(client: pg.ClientBase, text: string, timeoutMs: number): Promise<string | undefined> {
  const timed: TimedQuery = { text, query_timeout: timeoutMs }
  // For several statements, the driver returns a list.
  return [await client.query(timed)].flat().at(-1)?.command
}

/** More rows than any statement returns. */
const ROWS_MANY = 1_000_000_000

const RECORD_TYPES = { id: 'uuid', text: 'text', integer: 'bigint' } as const

/** A `Connection` on top of a function that runs one statement. */
class PostgresqlConnection implements Connection {
  readonly forUpdate = ' for no key update'
  readonly forUpdateSkipLocked = ' for no key update skip locked'
  readonly titleKeys = postgresqlTitleKeys
  readonly #query: (sql: string, values: readonly SqlValue[]) => Promise<pg.QueryResult<object>>

  constructor(run: (sql: string, values: readonly SqlValue[]) => Promise<pg.QueryResult<object>>) {
    this.#query = run
  }

  wanted(ids: readonly string[]): WantedTable {
    return wantedTable('unnest(?::uuid[]) as wanted (id)', `{${[...new Set(ids)].join(',')}}`)
  }

  records<const C extends RecordColumns>(name: string, columns: C, rows: readonly RecordOf<C>[]): WantedTable {
    const list = Object.entries(columns).map(([column, type]) => `${column} ${RECORD_TYPES[type]}`)
    return wantedTable(`jsonb_to_recordset(?::jsonb) as ${name} (${list.join(', ')})`, JSON.stringify(rows))
  }

  followed(positions: readonly FollowedPosition[]): WantedTable {
    return this.records('followed', FOLLOWED_COLUMNS, positions)
  }

  /** Only the limit keeps the planner from joining in the other direction. */
  lookUp(table: string, alias: string, condition: string): string
  lookUp(table: string, alias: string, condition: Sql): Sql
  lookUp(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join lateral (select * from ${table} as ${alias} where `, condition, ` limit 1) as ${alias}`)
  }

  lookUpEach(table: string, alias: string, condition: string): string
  lookUpEach(table: string, alias: string, condition: Sql): Sql
  lookUpEach(table: string, alias: string, condition: string | Sql): string | Sql {
    return around(`cross join lateral (select * from ${table} as ${alias} where `, condition, ` limit ${ROWS_MANY}) as ${alias}`)
  }

  /**
   * Finds the rows by their physical position (`ctid`) and locks them so that it stays valid: by their key, the planner could join in the
   * other direction.
   */
  rowsLookedUp(wanted: Sql, table: string, alias: string, condition: Sql): Sql {
    const name = raw(alias)
    const found = sql`select ctid from ${raw(table)} as ${name} where ${condition} limit 1 for no key update`
    return sql`ctid = any (array(select ${name}.ctid from ${wanted} cross join lateral (${found}) as ${name}))`
  }

  /** Like `rowsLookedUp`, for values that differ from row to row. */
  eachLookedUp(records: Sql, table: string, condition: Sql): Sql {
    const name = raw(table)
    const found = sql`select ctid from ${name} where ${condition} limit 1 for no key update`
    return sql`from ${records} cross join lateral (${found}) as found where ${name}.ctid = found.ctid`
  }

  async all<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S>[]> {
    const { sql, parameters } = statementOf(statement, values)
    const { fields, rows } = await this.#query(sql, parameters)
    return shaped(shape, sql, () => fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows)
  }

  async get<S extends RowShape>(shape: S, statement: string | Sql, ...values: SqlValue[]): Promise<RowOf<S> | undefined> {
    return (await this.all(shape, statement, ...values))[0]
  }

  async run(statement: string | Sql, ...values: SqlValue[]): Promise<number> {
    const { sql, parameters } = statementOf(statement, values)
    return (await this.#query(sql, parameters)).rowCount ?? 0
  }

  /** Passes all rows as one parameter, so that one prepared statement serves any number of them. */
  async insert({ table, columns, rows, ignoreConflicts }: NewRows): Promise<void> {
    if (rows.length === 0) return
    for (const row of rows) requireStorable(row)
    const list = columns.join(', ')
    const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
    const end = ignoreConflicts ? ' on conflict do nothing' : ''
    await this.#query(`insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, ?)${end}`, [
      JSON.stringify(records),
    ])
  }
}

/** The connections to a server, and how long to wait for it. */
interface Connections {
  readonly pool: pg.Pool
  /** For statements that read and are quick. */
  readonly shared: SharedConnections
  readonly answerMs: number
}

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
  const reader = new PostgresqlConnection((sql, values) => queryOnce(connections, sql, values))
  const lastFound = new LastFound()
  const flusher =
    pool.options.max < FLUSHED_POOL_MIN ? undefined : new WalFlusher(() => flushConnection(connections), IDLE_TIMEOUT_MS)
  const turns = new Mutexes({
    milliseconds: limits.turnMs,
    exhausted: () => storageOverloaded('no turn to write in the workspace'),
  })

  return {
    engine: 'postgresql',
    counters: new PostgresqlCounters(reader),
    copies: undefined,
    read: (work) => work(reader),
    snapshot: (work) => transact(connections, work, { sql: SNAPSHOT, answerMs: connections.answerMs }).catch(rethrown),
    // To ask whether anything has changed would cost as much as reading it.
    readCached: async (key, work) => lastFound.keep(key, await work(reader)),
    foundLast: (key) => lastFound.of(key),
    async write(work, workspaceId) {
      if (workspaceId === undefined) return attempts(connections, work, begin(connections))
      let flush: Flush | undefined
      // Whoever waits for the turn need not wait for the disk, too; this writer does so behind the turn.
      const commit = (): string => {
        flush = turns.isAwaited(workspaceId) ? flusher?.ready() : undefined
        return flush ? COMMIT_UNFLUSHED : COMMIT
      }
      const written = await turns.run(workspaceId, () =>
        attempts(connections, work, { ...begin(connections, workspaceId), commit }),
      )
      await flush?.()
      return written
    },
    writeUnflushed: (work) => attempts(connections, work, beginUnflushed(connections)),
    exclusively: (work) => attempts(connections, work, MIGRATION),
    async statistics() {
      const row = await reader.get({ bytes: 'integer' }, 'select pg_database_size(current_database()) as bytes')
      return {
        bytes: { database: row?.bytes ?? 0 },
        counts: { open: pool.totalCount + shared.total, idle: pool.idleCount, waiting: pool.waitingCount + turns.waiting },
      }
    },
    async close() {
      await flusher?.close()
      await Promise.all([pool.end(), shared.close()])
    },
  }
}

function openPool(url: string, { connectionsMax, connectMs, ...limits }: StoreLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: connectMs,
    application_name: 'workspace-service',
    keepAlive: true,
    pipeline: true,
    onConnect: async (client) => {
      client.on('error', () => undefined)
      await control(client, sessionSettings({ connectionsMax, connectMs, ...limits }), connectMs)
    },
  })
  // A broken connection is replaced, and the statement that used it fails. Without this listener, the event would end the process.
  pool.on('error', () => undefined)
  return pool
}

async function connect({ pool }: Connections): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isConnectTimeout(error) && pool.totalCount >= pool.options.max ? storageOverloaded(error) : storageUnavailable(error)
  }
}

/** Runs a statement in a transaction of its own. A quick read goes over a connection that others use at the same time. */
async function queryOnce(connections: Connections, sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
  if (!statements.isQuickRead(sql)) return queryAlone(connections, sql, values)
  requireStorable(values)
  const found = await connections.shared
    .query(statements.of(sql), values, (milliseconds) => statements.took(sql, milliseconds))
    .catch(rethrown)
  return found ?? queryAlone(connections, sql, values)
}

async function queryAlone(connections: Connections, sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
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

/** Takes a connection out of the pool, until it is closed. @throws ServiceError also where others would have to wait for one */
async function flushConnection(connections: Connections): Promise<FlushConnection> {
  const { idleCount, totalCount, options } = connections.pool
  if (idleCount === 0 && totalCount >= options.max) throw storageOverloaded('no connection for flushes')
  const client = await connect(connections)
  let isClosed = false
  return {
    run: (text) => control(client, text, connections.answerMs),
    onEnd: (listener) => void client.once('end', listener),
    close() {
      if (!isClosed) client.release(true)
      isClosed = true
    },
  }
}

/** The statements that begin and end a transaction, and how long the driver waits for each statement, in milliseconds. */
interface Opening {
  readonly sql: string
  readonly answerMs: number
  /** Chosen when the work is done; `COMMIT` where it is left out. */
  commit?(): string
  /** Whether the work begins only once the transaction is open: it does more than run statements. */
  readonly isAwaited?: boolean
}

const COMMIT = 'commit'
const COMMIT_UNFLUSHED = 'set local synchronous_commit = off; commit'

const MIGRATION: Opening = {
  sql: `begin; set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  answerMs: 0,
  isAwaited: true,
}

const SNAPSHOT = 'begin isolation level repeatable read read only'

function rethrown(error: unknown): never {
  throw postgresqlFailure(error)
}

/**
 * Writers of a workspace take turns: within this process by `Mutexes`, so that they do not occupy connections while they wait, and
 * between processes by a lock on the row of the workspace. It is not an advisory lock, because in a distributed PostgreSQL the row is on
 * the node of the workspace.
 */
function begin({ answerMs }: Connections, workspaceId?: string): Opening {
  if (workspaceId === undefined) return { sql: 'begin', answerMs }
  return { sql: `begin; select id from workspaces where id = ${pg.escapeLiteral(workspaceId)} for no key update`, answerMs }
}

function beginUnflushed({ answerMs }: Connections): Opening {
  return { sql: 'begin; set local synchronous_commit = off', answerMs }
}

/** Runs work again after a deadlock or serialization failure. @throws ServiceError `conflict_error` after too many attempts */
async function attempts<T>(
  connections: Connections,
  work: (transaction: Transaction) => MaybePromise<T>,
  opening: Opening,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(connections, work, opening)
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRepeatable(error)) throw postgresqlFailure(error)
    }
    await pause(Math.random() * ATTEMPT_PAUSE_MS_MAX * attempt)
  }
}

async function transact<T>(
  connections: Connections,
  work: (transaction: Transaction) => MaybePromise<T>,
  { sql, answerMs, commit, isAwaited }: Opening,
): Promise<T> {
  const client = await connect(connections)
  const connection: Connection = new PostgresqlConnection((statement, values) => query(client, statement, values, answerMs))
  let isLost = false
  let isCommitting = false
  // The first statement follows at once: where the transaction could not be opened, the server refuses what comes after it.
  const opened = control(client, sql, answerMs)
  opened.catch(() => undefined)
  try {
    if (isAwaited) await opened
    const result = await work(connection as Transaction)
    await opened
    isCommitting = true
    const command = await control(client, commit?.() ?? COMMIT, answerMs)
    if (command !== 'COMMIT') throw new Error('A statement failed, the work went on, and the transaction was rolled back.')
    return result
  } catch (thrown) {
    const error = await opened.then(
      () => thrown,
      (cause: unknown) => cause,
    )
    isLost = isConnectionLost(error) || !(await rollBack(client, connections.answerMs))
    throw isCommitting && isUnavailable(error) ? outcomeUnknown(error) : error
  } finally {
    client.release(isLost)
  }
}

/** @returns whether the connection can be used again */
function rollBack(client: pg.PoolClient, answerMs: number): Promise<boolean> {
  return control(client, 'rollback', answerMs).then(
    () => true,
    () => false,
  )
}
