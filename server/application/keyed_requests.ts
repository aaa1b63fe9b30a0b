import {
  claimKey,
  freeKey,
  IN_FLIGHT_MS_MAX,
  keepAnswer,
  newUse,
  type KeyedRequest,
  type KeyUse,
  type StoredAnswer,
} from '../domain/idempotency.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Deadline } from '../kernel/deadline.ts'
import { ServiceError } from '../kernel/errors.ts'
import { storageUnavailable } from '../kernel/unavailable.ts'
import type { Database, Transaction } from '../domain/database.ts'

/** Keeps an answer beside the effect it reports, in the same transaction. */
export type Keep = (db: Transaction, answer: StoredAnswer) => Promise<void>

/** What a request with a key is answered. */
export interface KeyedAnswer {
  readonly answer: StoredAnswer
  /** Whether the request was carried out before, and this is what it was answered then. */
  readonly isRepeated: boolean
}

/** A use that came to nothing, and until when its key would count as in use. */
interface EndedUse {
  readonly use: KeyUse
  readonly until: number
}

const ENDED_MAX = 10_000
const FREED_AT_ONCE_MAX = 100
const PAUSE_MS = 500
const GOODBYE_MS = 1_000

/**
 * Carries out requests that come with an idempotency key: each of them once. A request that fails leaves its key free. Where the key
 * cannot be freed because the database is away, that is made up for: by the next use of the key here, or as soon as the database is back.
 */
export class KeyedRequests {
  readonly #database: Database
  readonly #clock: Clock
  readonly #running = new Set<KeyUse>()
  /** In the order in which they ended. */
  readonly #ended = new Map<KeyUse['claim'], EndedUse>()
  #retry: NodeJS.Timeout | undefined

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Carries a request out, or answers as it was answered before.
   * @param perform does the work. It hands its answer to `keep` inside the transaction of the effect, or has no effect
   * @throws ServiceError as `claimKey`; and what `perform` throws
   */
  async once(request: KeyedRequest, deadline: Deadline, perform: (keep: Keep) => Promise<StoredAnswer>): Promise<KeyedAnswer> {
    const use = newUse(request)
    const known = await this.#claim(use, deadline)
    if (known) return { answer: known, isRepeated: true }
    this.#running.add(use)
    // The caller is told that nothing was changed, and may send the request again; what still goes on cannot be kept.
    deadline.onExpiry(() => void this.#end(use))
    let isKept = false
    const keep: Keep = async (db, answer) => {
      isKept = true
      await keepAnswer(db, use, answer, this.#clock.now())
    }
    try {
      const answer = await perform(keep)
      if (!isKept) await this.#database.write((db) => keep(db, answer))
      return { answer, isRepeated: false }
    } catch (error) {
      await this.#end(use)
      throw error
    } finally {
      this.#running.delete(use)
    }
  }

  /** Frees the keys of requests that are cut off. They wait for no one. */
  async stop(): Promise<void> {
    for (const use of this.#running) this.#remember(use)
    clearTimeout(this.#retry)
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, GOODBYE_MS)
    await Promise.race([this.#freeEnded(), patience.promise])
    clearTimeout(timer)
  }

  async #claim(use: KeyUse, deadline: Deadline): Promise<StoredAnswer | undefined> {
    const ended = [...this.#ended.values()].filter(({ use: { key, actorId } }) => key === use.key && actorId === use.actorId)
    try {
      const known = await this.#database.write(async (db) => {
        deadline.check()
        for (const earlier of ended) await freeKey(db, earlier.use)
        const found = await claimKey(db, use, this.#clock.now())
        deadline.check()
        return found
      })
      for (const earlier of ended) this.#ended.delete(earlier.use.claim)
      return known
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'gateway_timeout') throw error
      // The key may have been taken or not; the work has not begun.
      await this.#end(use)
      throw storageUnavailable(error)
    }
  }

  async #end(use: KeyUse): Promise<void> {
    this.#remember(use)
    try {
      await this.#database.write((db) => freeKey(db, use))
      this.#ended.delete(use.claim)
    } catch {
      this.#retryLater()
    }
  }

  #remember(use: KeyUse): void {
    this.#ended.set(use.claim, { use, until: this.#clock.now() + IN_FLIGHT_MS_MAX })
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      void this.#freeEnded().catch(() => this.#retryLater())
    }, PAUSE_MS).unref()
  }

  async #freeEnded(): Promise<void> {
    while (this.#ended.size > 0) {
      const now = this.#clock.now()
      const some = [...this.#ended.values()].slice(0, FREED_AT_ONCE_MAX)
      await this.#database.write(async (db) => {
        for (const { use, until } of some) if (until > now) await freeKey(db, use)
      })
      for (const { use } of some) this.#ended.delete(use.claim)
    }
  }
}
