import { Socket } from 'node:net'
import pg from 'pg'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import { storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import type { SqlValue } from '../sql.ts'
import { isConnectTimeout } from './postgresql_failures.ts'
import { Statements } from './postgresql_statements.ts'
import type { SharedConnections } from './shared_connections.ts'
import type { FlushConnection } from './wal_flusher.ts'

export const IDLE_TIMEOUT_MS = 30_000

/** The connections to a server, and how long to wait for it. */
export interface PostgresqlConnections {
  readonly pool: pg.Pool
  /** For statements that read and are quick. */
  readonly shared: SharedConnections
  readonly answerMs: number
}

/**
 * Every statement of the service finds its rows by an index. Without these settings, the planner may scan a whole table that is small or
 * whose statistics are out of date, and go on doing so while the table grows.
 */
export function sessionSettings({ statementMs, turnMs }: Pick<StoreLimits, 'statementMs' | 'turnMs'>): string {
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

export const statements = new Statements()

/** An option of the driver that its types lack: a timeout in milliseconds, 0 for none. */
interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number
}

/** Runs one statement on one connection. */
export function query(
  client: pg.PoolClient,
  sql: string,
  values: readonly SqlValue[],
  timeoutMs: number,
): Promise<pg.QueryResult<object>> {
  const timed: TimedQuery = { ...statements.of(sql), values: [...values], query_timeout: timeoutMs }
  return client.query<object>(timed)
}

/** @returns the command of the last of the statements, as the server carried it out */
export async function control(client: pg.ClientBase, text: string, timeoutMs: number): Promise<string | undefined> {
  const timed: TimedQuery = { text, query_timeout: timeoutMs }
  // For several statements, the driver returns a list.
  return [await client.query(timed)].flat().at(-1)?.command
}

/** A connection whose socket is at hand. */
class PooledClient extends pg.Client {
  readonly socket: Socket

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

/** What is sent from here on goes out at once, as soon as the work has to wait for something. */
export function sendTogether(client: pg.PoolClient): void {
  if (!(client instanceof PooledClient) || client.socket.writableCorked > 0) return
  const { socket } = client
  socket.cork()
  process.nextTick(() => socket.uncork())
}

export function openPool(url: string, { connectionsMax, connectMs, ...limits }: StoreLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: connectMs,
    application_name: 'workspace-service',
    keepAlive: true,
    pipeline: true,
    Client: PooledClient,
    onConnect: async (client) => {
      client.on('error', () => undefined)
      await control(client, sessionSettings(limits), connectMs)
    },
  })
  // A broken connection is replaced, and the statement that used it fails. Without this listener, the event would end the process.
  pool.on('error', () => undefined)
  return pool
}

export async function connect({ pool }: PostgresqlConnections): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isConnectTimeout(error) && pool.totalCount >= pool.options.max ? storageOverloaded(error) : storageUnavailable(error)
  }
}

/** Whether nobody would have to wait for one. */
export function hasFreeConnection({ idleCount, totalCount, options }: pg.Pool): boolean {
  return idleCount > 0 || totalCount < options.max
}

/** Takes a connection out of the pool, until it is closed. @throws ServiceError also where others would have to wait for one */
export async function flushConnection(connections: PostgresqlConnections): Promise<FlushConnection> {
  if (!hasFreeConnection(connections.pool)) throw storageOverloaded('no connection for flushes')
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
