import { Socket } from 'node:net'
import pg from 'pg'
import type { SqlValue } from '../sql.ts'
import { isConnectionLost, isTerminated, isUnprepared } from './postgresql_failures.ts'
import type { Statement } from './postgresql_statements.ts'

/** Statements that wait for their results on one connection. Beyond that, a separate connection is faster. */
const STATEMENTS_MAX = 64
const RECONNECT_PAUSE_MS = 1_000
/** If a statement takes longer than this, those queued after it run on other connections. */
const STALL_MS = 250

interface SharedTerms {
  readonly url: string
  /** How many connections there are at most; 0 for none. */
  readonly count: number
  /** For the driver to hear of a statement's result. */
  readonly answerMs: number
  readonly connectMs: number
  /** After which a connection without statements is closed. */
  readonly idleMs: number
  /** What each connection begins with. */
  readonly settings: string
}

interface SharedConnection {
  readonly client: pg.Client
  readonly socket: Socket
  readonly idle: NodeJS.Timeout
  /** Expires `STALL_MS` after the last result, or the first statement behind it. */
  readonly stall: NodeJS.Timeout
  /** For each statement without a result, in the order in which the server runs them: its caller turns to another connection. */
  readonly leave: Set<() => void>
  /** Whether the first of them takes long. */
  isStalled: boolean
  /** When the last result came. */
  answeredTime: number
}

/** The driver knows more than its types do. */
interface PipelinedConfig extends pg.ClientConfig {
  readonly pipeline: true
}

interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number
}

/**
 * A few connections for statements that read and are quick. Each sends its statements without waiting for the results of those before,
 * and those of one turn of the event loop together, so that many callers cost few writes to a socket. A slow statement delays those behind
 * it, for a moment: callers choose quick ones.
 */
export class SharedConnections {
  readonly #terms: SharedTerms
  readonly #open = new Set<SharedConnection>()
  #isOpening = false
  #isClosed = false
  #retryTime = 0

  constructor(terms: SharedTerms) {
    this.#terms = terms
  }

  get total(): number {
    return this.#open.size
  }

  /**
   * Runs a statement that reads.
   * @param took hears how many milliseconds it took, without those before it on its connection
   * @returns undefined where no connection can take it, or the one that had taken it is lost: it may be run elsewhere
   */
  async query(
    statement: Statement,
    values: readonly SqlValue[],
    took: (milliseconds: number) => void,
  ): Promise<pg.QueryResult<object> | undefined> {
    const connection = this.#leastBusy()
    if (connection === undefined || connection.leave.size > 0) this.#openOne()
    if (connection === undefined || connection.leave.size >= STATEMENTS_MAX) return undefined
    const left = Promise.withResolvers<undefined>()
    const leave = (): void => left.resolve(undefined)
    if (connection.leave.size === 0) connection.stall.refresh()
    connection.leave.add(leave)
    const sent = this.#send(connection, statement, values, took).finally(() => {
      connection.leave.delete(leave)
      connection.isStalled = false
      connection.stall.refresh()
      connection.idle.refresh()
    })
    return Promise.race([sent, left.promise])
  }

  async #send(
    connection: SharedConnection,
    statement: Statement,
    values: readonly SqlValue[],
    took: (milliseconds: number) => void,
  ): Promise<pg.QueryResult<object> | undefined> {
    const begun = performance.now()
    try {
      const timed: TimedQuery = { ...statement, values: [...values], query_timeout: this.#terms.answerMs }
      sendTogether(connection.socket)
      const found = await connection.client.query<object>(timed)
      const now = performance.now()
      took(now - Math.max(begun, connection.answeredTime))
      connection.answeredTime = now
      return found
    } catch (error) {
      if (isUnprepared(error)) return undefined
      if (!isConnectionLost(error) && !isTerminated(error)) throw error
      this.#forget(connection)
      if (error instanceof Error && error.message.startsWith('Query read timeout')) throw error
      return undefined
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const ended = [...this.#open].map((connection) => {
      this.#forget(connection)
      return connection.client.end()
    })
    await Promise.allSettled(ended)
  }

  #leastBusy(): SharedConnection | undefined {
    let found: SharedConnection | undefined
    for (const connection of this.#open) {
      if (!connection.isStalled && (found === undefined || connection.leave.size < found.leave.size)) found = connection
    }
    return found
  }

  /** Opens another connection behind the statements, which do not wait for it. */
  #openOne(): void {
    if (this.#isOpening || this.#isClosed || this.#open.size >= this.#terms.count || performance.now() < this.#retryTime) return
    this.#isOpening = true
    this.#connect()
      .catch(() => void (this.#retryTime = performance.now() + RECONNECT_PAUSE_MS))
      .finally(() => void (this.#isOpening = false))
  }

  async #connect(): Promise<void> {
    const { url, connectMs, idleMs, settings } = this.#terms
    const socket = new Socket()
    const config: PipelinedConfig = {
      connectionString: url,
      pipeline: true,
      stream: () => socket,
      connectionTimeoutMillis: connectMs,
      application_name: 'workspace-service',
      keepAlive: true,
    }
    const client = new pg.Client(config)
    // Its statements get the error; without a listener it would end the process.
    client.on('error', () => undefined)
    await client.connect()
    try {
      const timed: TimedQuery = { text: settings, query_timeout: connectMs }
      await client.query(timed)
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    const idle = setTimeout(() => this.#endIdle(connection), idleMs).unref()
    const stall = setTimeout(() => onStall(connection), STALL_MS).unref()
    const connection: SharedConnection = { client, socket, idle, stall, leave: new Set(), isStalled: false, answeredTime: 0 }
    client.once('end', () => this.#forget(connection))
    if (this.#isClosed) await client.end()
    else this.#open.add(connection)
  }

  #endIdle(connection: SharedConnection): void {
    if (connection.leave.size > 0) return void connection.idle.refresh()
    this.#forget(connection)
    connection.client.end().catch(() => undefined)
  }

  #forget(connection: SharedConnection): void {
    this.#open.delete(connection)
    clearTimeout(connection.idle)
  }
}

/** Nothing has come for long: all but the first turn to other connections, unless results are here and only this process was busy. */
function onStall(connection: SharedConnection): void {
  const { answeredTime, leave } = connection
  setImmediate(() => {
    if (leave.size === 0 || connection.answeredTime !== answeredTime) return
    connection.isStalled = true
    for (const one of [...leave].slice(1)) one()
  })
}

/** What is written to a socket in this turn of the event loop goes out at once, at its end. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return
  socket.cork()
  setImmediate(() => socket.uncork())
}
