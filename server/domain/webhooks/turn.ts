import type { Database } from '../../store/database.ts'
import {
  findEndOfLog,
  listDueDeliveries,
  trimLog,
  type DueDelivery,
  type SubscriptionRef,
} from '../../store/webhook_deliveries.ts'
import type { WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import type { Attempt } from '../jobs/job.ts'
import { waitBehind } from './delivery_schedule.ts'
import { lookAgain } from './look_again.ts'
import type { Marks } from './marks.ts'
import { webhookBodyOf, signatureOf, type FormedEvent } from './payload.ts'
import type { Receivers, Reply } from './receivers.ts'
import { LOG_ROWS_MAX } from './sweep_deliveries.ts'

/** Deliveries of one subscription that are on their way at a time. */
const OPEN_MAX = 5
/** Those among them included of which it is still to be written down how they ended. A process that dies has them sent once more. */
const BEGUN_MAX = 20
/** Deliveries that are looked up at a time, besides those that are open. */
const LOOKED_UP = 50
/** How often it is looked for new ones while some are open. */
const LOOK_MS = 500
/** A process that has died keeps its turn for so long. */
export const LEASE_MS = 10_000
/** Then others of the same kind have their turn. */
const TURN_MS = 10_000
/** A receiver that takes longer is slow. */
const SLOW_MS = 1_000
/** When the process stops, answers may still come for so long. */
const GOODBYE_MS = 2_000
/** The log is shortened whenever so many deliveries have ended. */
const ENDED_PER_TRIM = 200

export interface TurnParts {
  readonly database: Database
  readonly receivers: Receivers
  readonly marks: Marks
  now(): number
}

/** For whom a turn is. */
export interface Audience {
  readonly subscription: WebhookSubscriptionRow
  /** The verification token of the subscription. */
  readonly token: string
  /** Whether it belongs to a public connection. */
  readonly isPublic: boolean
}

/** What a turn has found out. */
interface TurnResult {
  /** Whether deliveries may still be due. */
  readonly hasMore: boolean
  /** Whether the receiver takes its time; undefined when nothing was sent. */
  readonly isSlow: boolean | undefined
}

/** Delivers what is due of one active subscription, for a while. */
export class Turn {
  readonly #parts: TurnParts
  readonly #subscription: WebhookSubscriptionRow
  readonly #ref: SubscriptionRef
  readonly #token: string
  readonly #isPublic: boolean
  readonly #attempt: Attempt
  /** Ends what is open. */
  readonly #goodbye = new AbortController()
  /** By the id of its event: when it was sent. Until it is written down how it ended. */
  readonly #begun = new Map<string, number>()
  /** Those of them that have no answer yet. */
  readonly #open = new Set<string>()
  #progress = Promise.withResolvers<undefined>()
  readonly #begin = performance.now()
  #kept = this.#begin
  #waiting: DueDelivery[] = []
  #longest: number | undefined
  #endedCount = 0
  #isInactive = false
  #failure: Error | undefined

  constructor(parts: TurnParts, { subscription, token, isPublic }: Audience, attempt: Attempt) {
    this.#parts = parts
    this.#subscription = subscription
    this.#ref = { workspaceId: subscription.workspace_id, subscriptionId: subscription.id }
    this.#token = token
    this.#isPublic = isPublic
    this.#attempt = attempt
  }

  /** @throws Error when it could not be written down how a delivery ended, or not be looked for more */
  async run(): Promise<TurnResult> {
    const stop = (): void => void setTimeout(() => this.#goodbye.abort(), GOODBYE_MS).unref()
    const { signal } = this.#attempt
    signal.addEventListener('abort', stop)
    const looking = setInterval(() => this.#goOn(), LOOK_MS).unref()
    try {
      await this.#beginAll()
      while (this.#begun.size > 0) {
        await this.#progress.promise
        this.#progress = Promise.withResolvers()
        await this.#keepJob()
        await this.#beginAll()
      }
      if (this.#endedCount > 0) await this.#shortenLog()
    } finally {
      clearInterval(looking)
      signal.removeEventListener('abort', stop)
    }
    if (this.#failure) throw this.#failure
    const isSlow = this.#longest === undefined ? undefined : this.#longest > SLOW_MS
    return { hasMore: this.#isOver && !this.#isInactive, isSlow }
  }

  /** There may be room for another delivery, or a new one to begin. */
  #goOn(): void {
    this.#progress.resolve(undefined)
  }

  async #keepJob(): Promise<void> {
    if (this.#attempt.signal.aborted || performance.now() - this.#kept < LEASE_MS / 3) return
    this.#kept = performance.now()
    await this.#attempt.extend(LEASE_MS)
  }

  /** Whether nothing is begun any more. */
  get #isOver(): boolean {
    const now = performance.now()
    return (
      this.#attempt.signal.aborted ||
      this.#failure !== undefined ||
      this.#isInactive ||
      now - this.#begin > TURN_MS ||
      (this.#subscription.is_slow === 0 && this.#seemsSlow(now))
    )
  }

  /** Whether somebody else should not have to wait for this receiver. */
  #seemsSlow(now: number): boolean {
    return (this.#longest ?? 0) > SLOW_MS || this.#open.values().some((id) => now - (this.#begun.get(id) ?? now) > SLOW_MS)
  }

  /** Begins as many deliveries as there is room for. */
  async #beginAll(): Promise<void> {
    while (!this.#isOver && this.#open.size < OPEN_MAX && this.#begun.size < BEGUN_MAX) {
      const next = this.#waiting.shift() ?? (await this.#lookUp())
      if (!next) return
      const { event_id: id } = next
      this.#begun.set(id, performance.now())
      this.#open.add(id)
      void this.#deliver(next)
        .catch((error: unknown) => {
          if (!this.#goodbye.signal.aborted) this.#failure ??= error instanceof Error ? error : new Error(String(error))
        })
        .finally(() => {
          this.#open.delete(id)
          this.#begun.delete(id)
          this.#goOn()
        })
    }
  }

  async #lookUp(): Promise<DueDelivery | undefined> {
    const { database, now } = this.#parts
    const { activation } = this.#subscription
    // What has begun may have ended when the answer is here, which has it all the same.
    const begun = new Set(this.#begun.keys())
    const due = await database.read((db) => listDueDeliveries(db, this.#ref, activation, now(), LOOKED_UP + begun.size))
    this.#waiting = due.filter(({ event_id: id }) => !begun.has(id))
    return this.#waiting.shift()
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { event: text, event_id: eventId, attempts } = delivery
    const { database, receivers, now } = this.#parts
    const event = JSON.parse(text) as FormedEvent
    const sight = await database.read((db) => lookAgain(db, this.#subscription, this.#isPublic, delivery, event, now()))
    if (!sight) {
      this.#isInactive = true
      return
    }
    const attempt = attempts + 1
    if (!sight.mayBeSent) return this.#mark({ eventId, attempts }, { statusCode: null, error: NOT_VISIBLE }, 'dropped')
    const body = webhookBodyOf(event, attempt, sight.accessibleBy)
    const signature = signatureOf(this.#token, body)
    const begin = performance.now()
    const reply = await receivers.send({ url: this.#subscription.url, body, signature }, this.#goodbye.signal)
    this.#longest = Math.max(this.#longest ?? 0, performance.now() - begin)
    this.#open.delete(eventId)
    this.#goOn()
    await this.#mark({ eventId, attempts }, reply, reply.error === null ? 'delivered' : 'failed')
  }

  async #mark(
    delivery: { readonly eventId: string; readonly attempts: number },
    reply: Reply,
    outcome: 'delivered' | 'failed' | 'dropped',
  ): Promise<void> {
    const wait = outcome === 'failed' ? waitBehind(delivery.attempts + 1) : undefined
    const { activation, failing_since: failingSince } = this.#subscription
    await this.#parts.marks.add({
      ...this.#ref,
      ...delivery,
      ...reply,
      outcome,
      dueTime: wait === undefined ? null : this.#parts.now() + wait,
      activation,
      wasFailing: failingSince !== null,
    })
    if (wait !== undefined) return
    this.#endedCount += 1
    if (this.#endedCount % ENDED_PER_TRIM === 0) await this.#shortenLog()
  }

  async #shortenLog(): Promise<void> {
    const { database } = this.#parts
    const until = await database.read((db) => findEndOfLog(db, this.#ref, LOG_ROWS_MAX))
    if (until !== undefined) await database.write((db) => trimLog(db, this.#ref, until))
  }
}

const NOT_VISIBLE = 'The connection may not see this any more.'
