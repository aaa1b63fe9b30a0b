import {
  claimKey,
  freeKey,
  heldKeyError,
  IN_FLIGHT_MS_MAX,
  saveResponse,
  newUse,
  type KeyedRequest,
  type KeyUse,
  type PendingUse,
  type Database,
  type Transaction,
} from '../domain/shared/index.ts'
import type { Response } from '../kernel/response.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Deadline } from '../kernel/deadline.ts'
import { ServiceError } from '../kernel/errors.ts'
import { storageUnavailable } from '../kernel/unavailable.ts'

/** Stores a response in the transaction that makes the changes it reports. */
export type StoreResponse = (db: Transaction, response: Response) => Promise<void>

export interface KeyedResponse {
  readonly response: Response
  /** Whether it is the stored response to an earlier request. */
  readonly isRepeated: boolean
}

/** A failed request whose key has yet to be released in the database. */
interface FailedUse {
  readonly use: KeyUse
  /** When the key is released anyway. */
  readonly until: number
}

const FAILED_USES_MAX = 10_000
const FREE_BATCH_SIZE = 100
const RETRY_DELAY_MS = 500
const STOP_TIMEOUT_MS = 1_000

/**
 * Performs each request with an idempotency key once. A request that fails releases its key. If the database is unavailable then, the key
 * is released when it is next used in this process, or once the database is available again.
 */
export class KeyedRequests {
  readonly #database: Database
  readonly #clock: Clock
  /** By claim id. */
  readonly #running = new Map<KeyUse['claim'], KeyUse>()
  /** Oldest first. */
  readonly #failed = new Map<KeyUse['claim'], FailedUse>()
  #retry: NodeJS.Timeout | undefined

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Performs a request, or repeats the stored response to an earlier request with the same key.
   * @param perform performs the request. If it changes anything, it must call `storeResponse` within the same transaction
   * @throws ServiceError as `claimKey`; and whatever `perform` throws
   */
  async once(
    request: KeyedRequest,
    deadline: Deadline,
    perform: (storeResponse: StoreResponse) => Promise<Response>,
  ): Promise<KeyedResponse> {
    const use = newUse(request, (await this.#database.presence?.own()) ?? null)
    // Before its key is claimed: then a retry that finds the key claimed also finds its use here.
    this.#running.set(use.claim, use)
    try {
      const stored = await this.#claim(use, deadline)
      return stored
        ? { response: stored, isRepeated: true }
        : { response: await this.#run(use, deadline, perform), isRepeated: false }
    } finally {
      this.#running.delete(use.claim)
    }
  }

  async #run(use: KeyUse, deadline: Deadline, perform: (storeResponse: StoreResponse) => Promise<Response>): Promise<Response> {
    // The caller learns that nothing was changed and may retry. Once the key is released, work that is still running fails to store its
    // response.
    deadline.onExpiry(() => void this.#fail(use))
    let isStored = false
    const storeResponse: StoreResponse = async (db, response) => {
      isStored = true
      await saveResponse(db, use, response, this.#clock.now())
    }
    try {
      const response = await perform(storeResponse)
      if (!isStored) await this.#database.write((db) => storeResponse(db, response))
      return response
    } catch (error) {
      await this.#fail(use)
      throw error
    }
  }

  /** Releases the keys of requests that are aborted because the service stops. Gives up after a second. */
  async stop(): Promise<void> {
    for (const use of this.#running.values()) this.#remember(use)
    clearTimeout(this.#retry)
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, STOP_TIMEOUT_MS)
    await Promise.race([this.#freeFailed(), timeout.promise])
    clearTimeout(timer)
  }

  async #claim(use: KeyUse, deadline: Deadline): Promise<Response | undefined> {
    for (let held: PendingUse | undefined; ;) {
      const found = await this.#tryClaim(use, held, deadline)
      if (!found || 'text' in found) return found
      const wait = await this.#waitFor(found)
      // The request of a process that has ended can no longer commit.
      if (wait !== 0 || found.claim === held?.claim) throw heldKeyError(found, wait)
      held = found
    }
  }

  /** @param held the claim of a process that has ended, whose key is released */
  async #tryClaim(use: KeyUse, held: PendingUse | undefined, deadline: Deadline): Promise<Response | PendingUse | undefined> {
    const failed = [...this.#failed.values()].filter(({ use: { key, actorId } }) => key === use.key && actorId === use.actorId)
    try {
      const found = await this.#database.write(async (db) => {
        deadline.check()
        for (const earlier of failed) await freeKey(db, earlier.use)
        if (held) await freeKey(db, held)
        const claimed = await claimKey(db, use, this.#clock.now())
        deadline.check()
        return claimed
      })
      for (const earlier of failed) this.#failed.delete(earlier.use.claim)
      return found
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'gateway_timeout') throw error
      // Whether the key was claimed is unknown, but the request has not been performed.
      await this.#fail(use)
      throw storageUnavailable(error)
    }
  }

  /** Milliseconds until the claim expires at the latest: 0 if its process has ended, undefined while that process lives. */
  async #waitFor({ claim, holder, lostTime }: PendingUse): Promise<number | undefined> {
    if (this.#running.has(claim)) return undefined
    const { presence } = this.#database
    if (holder === null || !presence) return lostTime - this.#clock.now()
    // A request of this process has ended since its claim was read: a retry finds its response, or releases the key.
    if (holder === (await presence.own())) return undefined
    return (await presence.hasEnded(holder)) ? 0 : undefined
  }

  async #fail(use: KeyUse): Promise<void> {
    this.#remember(use)
    try {
      await this.#database.write((db) => freeKey(db, use))
      this.#failed.delete(use.claim)
    } catch {
      this.#retryLater()
    }
  }

  #remember(use: KeyUse): void {
    this.#failed.set(use.claim, { use, until: this.#clock.now() + IN_FLIGHT_MS_MAX })
    const [oldest] = this.#failed.keys()
    if (this.#failed.size > FAILED_USES_MAX && oldest !== undefined) this.#failed.delete(oldest)
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      void this.#freeFailed().catch(() => this.#retryLater())
    }, RETRY_DELAY_MS).unref()
  }

  async #freeFailed(): Promise<void> {
    while (this.#failed.size > 0) {
      const now = this.#clock.now()
      const batch = [...this.#failed.values()].slice(0, FREE_BATCH_SIZE)
      await this.#database.write(async (db) => {
        for (const { use, until } of batch) if (until > now) await freeKey(db, use)
      })
      for (const { use } of batch) this.#failed.delete(use.claim)
    }
  }
}
