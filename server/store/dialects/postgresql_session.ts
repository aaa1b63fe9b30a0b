import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { Connection } from '../database.ts'
import type { Presence } from '../presence.ts'
import { sql } from '../sql.ts'
import { isOfServer } from './postgresql_statements.ts'

const NUMBER_MAX = 2 ** 31
/** The first half of the keys of these locks. No other advisory lock of the service uses it. */
const LOCKS = 1_886_547_827
const RETRY_PAUSE_MS = 5_000

interface Listener {
  readonly channel: string
  /** Called when notifications begin to arrive. Earlier ones may have been missed. */
  onStart(): void
  onNotification(payload: string): void
}

interface SessionTerms {
  readonly url: string
  readonly connectMs: number
  readonly reader: Connection
  readonly listener: Listener
}

/**
 * A dedicated connection for what lasts as long as the connection: the presence of this process, by an advisory lock, and its subscriptions
 * to notifications. It is opened on first use, and reopened if it is lost. Behind a pooler there is neither presence nor notifications,
 * because a pooler shares server processes among connections.
 */
export class PostgresqlSession implements Presence {
  readonly #terms: SessionTerms
  #opening: Promise<number | undefined> | undefined
  #client: pg.Client | undefined
  #isClosed = false

  constructor(terms: SessionTerms) {
    this.#terms = terms
  }

  own(): Promise<number | undefined> {
    return (this.#opening ??= this.#open().catch(() => {
      setTimeout(() => this.#forget(), RETRY_PAUSE_MS).unref()
      return undefined
    }))
  }

  async hasEnded(number: number): Promise<boolean> {
    try {
      const row = await this.#terms.reader.get(
        { is_free: 'flag' },
        sql`select pg_try_advisory_xact_lock(${LOCKS}, ${number}) as is_free`,
      )
      return row?.is_free === true
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening
    await this.#client?.end().catch(() => undefined)
  }

  async #open(): Promise<number | undefined> {
    if (this.#isClosed) return undefined
    const { url, connectMs, listener } = this.#terms
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
      application_name: 'workspace-service',
      keepAlive: true,
    })
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => listener.onNotification(payload ?? ''))
    await client.connect()
    const { rows } = await client.query<object>('select pg_backend_pid() as pid')
    if (!isOfServer(client, rows[0])) {
      await client.end()
      return undefined
    }
    // The lost connection has released the lock, so the process continues with another number.
    client.once('end', () => this.#forget())
    this.#client = client
    const number = randomInt(1, NUMBER_MAX)
    await client.query('select pg_advisory_lock($1, $2)', [LOCKS, number])
    await client.query(`listen ${listener.channel}`)
    listener.onStart()
    return number
  }

  #forget(): void {
    this.#opening = undefined
    this.#client = undefined
  }
}
