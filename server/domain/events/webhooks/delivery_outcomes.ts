import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Transaction } from '../../../store/database.ts'
import { recordAttempts, type AttemptOutcome, type SubscriptionRef } from '../../../store/webhook_deliveries.ts'
import { noteFailures, noteSuccess, pauseFailing } from '../../../store/webhook_subscriptions.ts'
import { retryAt, retryTimeOf, startDelivery } from './start.ts'

const DAY_MS = 86_400_000
/** A subscription is paused after all its deliveries have failed for this time … */
const FAILING_MS_MAX = 7 * DAY_MS
/** … and this many events have been lost. */
const LOST_EVENTS_MAX = 100
/** Outcomes within this number of milliseconds are stored together, unless one of them is urgent. */
const GATHER_MS = 50
/** The pauses in milliseconds before storing outcomes is retried. The delivery attempts themselves must not be repeated. */
const PAUSES: readonly number[] = [200, 1_000, 3_000]

/** The outcome of a delivery attempt, and the activation of the subscription that it belongs to. */
export interface DeliveryOutcome extends SubscriptionRef, AttemptOutcome {
  readonly activation: number
  /** Whether the subscription had failures, which a success ends. */
  readonly wasFailing: boolean
}

/**
 * Stores the outcomes of attempts, for all subscriptions together. If outcomes are lost in a power failure, the same event is delivered
 * again.
 */
export class DeliveryOutcomes {
  readonly #database: Database
  readonly #now: () => number
  #waiting: { readonly mark: DeliveryOutcome; readonly done: PromiseWithResolvers<undefined> }[] = []
  #timer: NodeJS.Timeout | undefined
  #isStoring = false
  #isUrgent = false

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** @returns once it is stored. @throws the error of the database, after several attempts */
  add(mark: DeliveryOutcome): Promise<undefined> {
    const done = Promise.withResolvers<undefined>()
    this.#waiting.push({ mark, done })
    this.#timer ??= setTimeout(() => this.store(), GATHER_MS)
    return done.promise
  }

  /** Stores the outcomes at once. */
  store(): void {
    this.#isUrgent = true
    if (!this.#isStoring) void this.#storeAll()
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true
    while (this.#isUrgent && this.#waiting.length > 0) {
      const some = this.#waiting
      clearTimeout(this.#timer)
      this.#waiting = []
      this.#isUrgent = false
      this.#timer = undefined
      try {
        await this.#tryToStore(some.map(({ mark }) => mark))
        for (const { done } of some) done.resolve(undefined)
      } catch (error) {
        for (const { done } of some) done.reject(error)
      }
    }
    this.#isUrgent = false
    this.#isStoring = false
  }

  async #tryToStore(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    for (const milliseconds of [...PAUSES, undefined]) {
      try {
        return await this.#database.write((db) => this.#keep(db, outcomes))
      } catch (error) {
        if (milliseconds === undefined) throw error
        await pause(milliseconds)
      }
    }
  }

  async #keep(db: Transaction, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const now = this.#now()
    const failing = new Map<string, { readonly mark: DeliveryOutcome; readonly lost: number }>()
    const retries = new Map<string, Parameters<typeof retryAt>[1]>()
    for (const mark of await recordAttempts(db, outcomes, now)) {
      if (mark.outcome === 'dropped') continue
      const known = failing.get(mark.subscriptionId)
      if (mark.outcome === 'delivered') {
        failing.delete(mark.subscriptionId)
        if (mark.wasFailing || known) await noteSuccess(db, mark, mark.activation)
        continue
      }
      failing.set(mark.subscriptionId, { mark, lost: (known?.lost ?? 0) + (mark.dueTime === null ? 1 : 0) })
      if (mark.dueTime !== null) {
        const retry = { homeId: mark.workspaceId, subscriptionId: mark.subscriptionId, time: retryTimeOf(mark.dueTime) }
        retries.set(`${retry.subscriptionId} ${retry.time}`, retry)
      }
    }
    for (const retry of retries.values()) await retryAt(db, retry)
    for (const { mark, lost } of failing.values()) await noteFailuresOf(db, mark, lost, now)
  }
}

async function noteFailuresOf(db: Transaction, mark: DeliveryOutcome, lost: number, now: number): Promise<void> {
  await noteFailures(db, mark, { activation: mark.activation, lost, now })
  if (lost === 0) return
  const isPaused = await pauseFailing(db, mark, { since: now - FAILING_MS_MAX, lostMin: LOST_EVENTS_MAX, now })
  if (isPaused) await startDelivery(db, { homeId: mark.workspaceId, subscriptionId: mark.subscriptionId }, now)
}
