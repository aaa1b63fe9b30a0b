import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../database.ts'
import { sql } from '../sql.ts'
import { PostgresqlConnection } from './postgresql_connection.ts'
import { PostgresqlSession } from './postgresql_session.ts'
import { ReadCache, type CacheState } from './read_cache.ts'

const CHANNEL = 'access_changed'
/** How long a cached read may be used without a proof that it is current. */
const UNPROVEN_MS = 1_000
/** How often a proof is requested while there are requests. */
const PROOF_INTERVAL_MS = 300

/**
 * Cached reads on PostgreSQL. A transaction that changes `accessTables` notifies all processes when it commits. The server delivers
 * notifications in the order of the commits, so a process that receives its own notification knows that it has not missed an earlier one.
 * Without such a proof, for example behind a pooler or after a lost connection, a cached read is used for at most a second.
 */
export class PostgresqlReadCache {
  readonly session: PostgresqlSession
  readonly #reader: Connection
  readonly #cache: ReadCache
  /** The beginning of the payload of the notifications that this process sends to itself as a proof. */
  readonly #proof = `${randomUUID()} `
  #validUntil = 0
  #nextProofTime = 0

  /** @param url the address at which notifications arrive */
  constructor(reader: Connection, url: string, connectMs: number) {
    this.#reader = reader
    this.#cache = new ReadCache(reader, () => this.#cacheState())
    const listener = {
      channel: CHANNEL,
      onStart: () => this.#cache.drop(),
      onNotification: (payload: string) => this.#notified(payload),
    }
    this.session = new PostgresqlSession({ url, connectMs, reader, listener })
  }

  async read<T>(key: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#cache.read(key, work)
  }

  /**
   * Runs work that writes, and drops the cached reads that it invalidates: in this process before the result is known, in other processes
   * by a notification.
   * @param run performs the work in a transaction, possibly several times
   */
  async write<T>(
    work: (transaction: Transaction) => Promise<T>,
    run: (work: (transaction: Transaction) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    let hasChanged = false
    try {
      return await run(async (transaction) => {
        const result = await work(transaction)
        const connection: Connection = transaction
        if (connection instanceof PostgresqlConnection && connection.hasChangedAccess) {
          hasChanged = true
          await notify(connection, '')
        }
        return result
      })
    } finally {
      if (hasChanged) this.#cache.drop()
    }
  }

  #cacheState(): CacheState {
    const now = performance.now()
    if (now >= this.#nextProofTime) {
      this.#nextProofTime = now + PROOF_INTERVAL_MS
      void this.#requestProof(now)
    }
    if (now < this.#validUntil) return 'current'
    this.#validUntil = now + UNPROVEN_MS
    return 'outdated'
  }

  async #requestProof(now: number): Promise<void> {
    if ((await this.session.own()) === undefined) return
    await notify(this.#reader, `${this.#proof}${now}`).catch(() => undefined)
  }

  #notified(payload: string): void {
    if (!payload.startsWith(this.#proof)) {
      // Only an empty payload reports a change. Other payloads are proofs for other processes.
      if (payload === '') this.#cache.drop()
      return
    }
    const sentTime = Number(payload.slice(this.#proof.length))
    this.#validUntil = Math.max(this.#validUntil, sentTime + UNPROVEN_MS)
  }
}

function notify(connection: Connection, payload: string): Promise<void> {
  return connection.run(sql`select pg_notify(${CHANNEL}, ${payload})`)
}
