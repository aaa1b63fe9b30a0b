import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../store/database.ts'
import {
  findEndOfLog,
  listDueDeliveries,
  trimLog,
  type DueDelivery,
  type SubscriptionRef,
} from '../../../store/webhook_deliveries.ts'
import type { WebhookSubscriptionRow } from '../../../store/webhook_subscriptions.ts'
import type { Visibility } from '../visibility.ts'
import type { Attempt } from '../../shared/index.ts'
import { retryDelay } from './retry_delay.ts'
import { checkAgain } from './check_again.ts'
import type { DeliveryOutcomes } from './delivery_outcomes.ts'
import { OPEN_MAX, type Receivers, type Reply } from './receivers.ts'
import { LOG_ROWS_MAX } from './sweep_deliveries.ts'

/**
 * The maximum number of deliveries in progress, including those whose outcome is not stored yet. If the process dies, they are
 * sent once more.
 */
const BEGUN_MAX = 20
/** After this many responses in a run, each within `QUICK_MS`, deliveries are passed to the queue before a slot is free. */
const QUICK_RESPONSES = 25
const QUICK_MS = 250
/** The maximum number of outcomes that wait to be stored with others. With more, fewer deliveries could be open than allowed. */
const UNSTORED_MAX = BEGUN_MAX - OPEN_MAX
/** The number of deliveries that are read at a time, besides those in progress. */
const DELIVERIES_READ_MAX = 50
/** Deliveries that end within this time of the last start free their slots together, because each start costs a query. */
const BEGIN_GAP_MS = 5
/** After everything due has begun, the next query for due deliveries follows after this time, which doubles each time nothing is found. */
const LOOK_GAP_MS = 50
/** While many events arrive, a run waits this long for more, because ending and starting a run costs more than a query. */
const MORE_EVENTS_WAIT_MS = 100
/** The maximum interval between checks for due deliveries, the lease and slow responses. */
const CHECK_MS = 500
/** The time after which the slot of a dead process is free again. */
export const LEASE_MS = 10_000
/** The maximum duration of a run, after which other jobs of the same kind can run. */
const TURN_MS = 10_000
/** Receivers that take longer than this are slow. */
const SLOW_MS = 1_000
/** How long to wait for responses when the process stops. */
const STOP_MS = 2_000
/** The log is trimmed each time this many deliveries have ended. */
const ENDED_PER_TRIM = 200

export interface DeliveryRunDeps {
  readonly database: Database
  readonly receivers: Receivers
  readonly outcomes: DeliveryOutcomes
  now(): number
}

/** The subscription to which a run delivers. */
export interface Subscriber {
  readonly subscription: WebhookSubscriptionRow
  /** The verification token of the subscription. */
  readonly token: string
  /** Whether it belongs to a public connection. */
  readonly isPublic: boolean
}

interface DeliveryRunResult {
  /** Whether more deliveries may be due. */
  readonly hasMore: boolean
  /** Whether the receiver is slow; undefined if nothing was sent. */
  readonly isSlow: boolean | undefined
}

/** Delivers the due events of one active subscription, for a limited time. */
export class DeliveryRun {
  readonly #deps: DeliveryRunDeps
  readonly #audience: Subscriber
  readonly #ref: SubscriptionRef
  readonly #attempt: Attempt
  /** Aborts open deliveries. */
  readonly #cutOff = new AbortController()
  /** The start times of deliveries whose outcomes are not stored yet, by the id of the event. */
  readonly #begun = new Map<string, number>()
  /** The deliveries without a response: those sent, and those about to be sent. */
  readonly #open = new Set<string>()
  #progress = Promise.withResolvers<undefined>()
  readonly #start = performance.now()
  #extended = this.#start
  /** Due deliveries that have not started. */
  #waiting: DueDelivery[] = []
  #nextLook = -Infinity
  #lookGap = LOOK_GAP_MS
  #lookTimer: NodeJS.Timeout | undefined
  #lastBegun = -Infinity
  #begunCount = 0
  #endedCount = 0
  #longest: number | undefined
  #isInactive = false
  #failure: Error | undefined

  constructor(deps: DeliveryRunDeps, audience: Subscriber, attempt: Attempt) {
    this.#deps = deps
    this.#audience = audience
    this.#ref = { workspaceId: audience.subscription.workspace_id, subscriptionId: audience.subscription.id }
    this.#attempt = attempt
  }

  /** @throws Error if a delivery was not sent, its outcome not stored, or the query failed */
  async run(): Promise<DeliveryRunResult> {
    const stop = (): void => {
      this.#wake()
      setTimeout(() => this.#cutOff.abort(), STOP_MS).unref()
    }
    const { signal } = this.#attempt
    signal.addEventListener('abort', stop)
    const checks = setInterval(() => this.#wake(), CHECK_MS).unref()
    try {
      await this.#deliverAll()
    } finally {
      clearInterval(checks)
      clearTimeout(this.#lookTimer)
      signal.removeEventListener('abort', stop)
    }
    if (this.#failure) throw this.#failure
    const isSlow = this.#longest === undefined ? undefined : this.#longest > SLOW_MS
    return { hasMore: this.#isOver && !this.#isInactive, isSlow }
  }

  async #deliverAll(): Promise<void> {
    for (;;) {
      await this.#beginAll().catch((error: unknown) => this.#fail(error))
      if (this.#isOver && this.#open.size > 0) this.#deps.receivers.dropQueued(this.#ref.subscriptionId)
      if (this.#begun.size === 0 && !this.#isWaitingForMore) break
      if (this.#isStoringUrgent) this.#deps.outcomes.store()
      await this.#progress.promise
      await this.#gatherEnds()
      this.#progress = Promise.withResolvers()
      await this.#keepJob().catch((error: unknown) => this.#fail(error))
    }
    if (this.#endedCount > 0 && this.#failure === undefined) await this.#shortenLog()
  }

  async #gatherEnds(): Promise<void> {
    const gap = this.#isOver || this.#open.size === 0 ? 0 : this.#lastBegun + BEGIN_GAP_MS - performance.now()
    if (gap > 0) await pause(gap)
  }

  /** Call when a delivery may start. */
  #wake(): void {
    this.#progress.resolve(undefined)
  }

  /** Makes the run fail: no more deliveries start; those in progress are completed. */
  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
  }

  async #keepJob(): Promise<void> {
    if (this.#attempt.signal.aborted || performance.now() - this.#extended < LEASE_MS / 3) return
    this.#extended = performance.now()
    await this.#attempt.extend(LEASE_MS)
  }

  /** Whether no more deliveries are started. */
  get #isOver(): boolean {
    const now = performance.now()
    return (
      this.#attempt.signal.aborted ||
      this.#failure !== undefined ||
      this.#isInactive ||
      now - this.#start > TURN_MS ||
      (this.#audience.subscription.is_slow === 0 && this.#seemsSlow(now))
    )
  }

  /** Whether the receiver seems so slow that others should not wait for it. */
  #seemsSlow(now: number): boolean {
    return (this.#longest ?? 0) > SLOW_MS || now - this.#openSince(now) > SLOW_MS
  }

  /** The start time of the delivery that has been open longest, which is the first in the set; `now` if none is open. */
  #openSince(now: number): number {
    const [id] = this.#open
    return (id === undefined ? undefined : this.#begun.get(id)) ?? now
  }

  get #isBusy(): boolean {
    return this.#begunCount > OPEN_MAX
  }

  get #isWaitingForMore(): boolean {
    return this.#isBusy && !this.#isOver && performance.now() - this.#lastBegun < MORE_EVENTS_WAIT_MS
  }

  /** Whether the run cannot continue or end until outcomes are stored. */
  get #isStoringUrgent(): boolean {
    const unstored = this.#begun.size - this.#open.size
    return unstored >= UNSTORED_MAX || this.#isOver || (this.#open.size === 0 && !this.#isBusy)
  }

  get #freeSlots(): number {
    if (this.#isOver) return 0
    const isQuick = this.#endedCount >= QUICK_RESPONSES && (this.#longest ?? 0) <= QUICK_MS
    return Math.min((isQuick ? BEGUN_MAX : OPEN_MAX) - this.#open.size, BEGUN_MAX - this.#begun.size)
  }

  /** Starts as many deliveries as allowed. */
  async #beginAll(): Promise<void> {
    while (this.#freeSlots > 0) {
      if (this.#waiting.length === 0) await this.#lookUp()
      if (this.#waiting.length === 0) return
      await this.#begin(this.#waiting.splice(0, this.#freeSlots))
    }
  }

  /** Reads due deliveries, unless that has just been done. */
  async #lookUp(): Promise<void> {
    if (performance.now() >= this.#nextLook) await this.#findDue()
    if (this.#waiting.length > 0) return
    clearTimeout(this.#lookTimer)
    this.#lookTimer = setTimeout(() => this.#wake(), Math.max(0, this.#nextLook - performance.now()))
  }

  async #findDue(): Promise<void> {
    const { database, now } = this.#deps
    const { activation } = this.#audience.subscription
    // Deliveries that end while the query runs are still in its result.
    const begun = new Set(this.#begun.keys())
    const limit = DELIVERIES_READ_MAX + begun.size
    const due = await database.read((db) => listDueDeliveries(db, this.#ref, activation, now(), limit))
    this.#waiting = due.filter(({ event_id: id }) => !begun.has(id))
    this.#lookGap = this.#waiting.length > 0 ? LOOK_GAP_MS : Math.min(this.#lookGap * 2, CHECK_MS)
    this.#nextLook = due.length === limit ? -Infinity : performance.now() + this.#lookGap
  }

  async #begin(deliveries: readonly DueDelivery[]): Promise<void> {
    const { database, now } = this.#deps
    const { subscription, isPublic } = this.#audience
    const views = await database.read((db) => checkAgain(db, subscription, isPublic, deliveries, now()))
    this.#isInactive = views === undefined
    this.#lastBegun = performance.now()
    for (const [index, visibility] of views?.entries() ?? []) {
      const delivery = deliveries[index]
      if (delivery) void this.#deliver(delivery, visibility)
    }
  }

  async #deliver(delivery: DueDelivery, visibility: Visibility): Promise<void> {
    const { event_id: id } = delivery
    this.#begunCount += 1
    this.#begun.set(id, this.#lastBegun)
    this.#open.add(id)
    try {
      const reply = visibility.mayBeSent ? await this.#send(delivery, visibility) : NOT_VISIBLE
      this.#open.delete(id)
      this.#wake()
      if (reply) await this.#store(delivery, reply, visibility.mayBeSent)
    } catch (error) {
      if (!this.#cutOff.signal.aborted) this.#fail(error)
    } finally {
      this.#open.delete(id)
      this.#begun.delete(id)
      this.#wake()
    }
  }

  async #send({ event, attempts }: DueDelivery, { accessibleBy }: Visibility): Promise<Reply | undefined> {
    const { subscription, token } = this.#audience
    const webhook = {
      url: subscription.url,
      token,
      content: { event, attempt: attempts + 1, accessibleBy },
      queue: subscription.id,
    }
    const reply = await this.#deps.receivers.send(webhook, this.#cutOff.signal)
    if (reply) this.#longest = Math.max(this.#longest ?? 0, reply.milliseconds)
    return reply
  }

  async #store({ event_id: eventId, attempts }: DueDelivery, reply: Reply, wasSent: boolean): Promise<void> {
    const outcome = wasSent ? (reply.error === null ? 'delivered' : 'failed') : 'dropped'
    const wait = outcome === 'failed' ? retryDelay(attempts + 1) : undefined
    const { activation, failing_since: failingSince } = this.#audience.subscription
    await this.#deps.outcomes.add({
      ...this.#ref,
      eventId,
      attempts,
      statusCode: reply.statusCode,
      error: reply.error,
      outcome,
      dueTime: wait === undefined ? null : this.#deps.now() + wait,
      activation,
      wasFailing: failingSince !== null,
    })
    if (wait !== undefined) return
    this.#endedCount += 1
    if (this.#endedCount % ENDED_PER_TRIM === 0) await this.#shortenLog()
  }

  async #shortenLog(): Promise<void> {
    const { database } = this.#deps
    const until = await database.read((db) => findEndOfLog(db, this.#ref, LOG_ROWS_MAX))
    if (until !== undefined) await database.write((db) => trimLog(db, this.#ref, until))
  }
}

const NOT_VISIBLE: Reply = {
  statusCode: null,
  error: 'The connection no longer has access to the changed content.',
  milliseconds: 0,
}
