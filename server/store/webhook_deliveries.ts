import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql, valueList, type Sql } from './sql.ts'

/** The key of a subscription, which belongs to the home workspace of its connection. */
export interface SubscriptionRef {
  readonly workspaceId: string
  readonly subscriptionId: string
}

function ofSubscription({ workspaceId, subscriptionId }: SubscriptionRef): Sql {
  return sql`workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}`
}

interface NewDelivery extends SubscriptionRef {
  readonly eventId: string
  readonly eventType: string
  /** The part of the payload that is the same in every attempt, as JSON. */
  readonly event: string
}

/**
 * Adds deliveries that are due immediately, for those of the subscriptions that are active. Existing deliveries stay unchanged.
 * @returns the active subscriptions
 */
export async function insertDeliveries(
  db: Transaction,
  subscriptions: readonly SubscriptionRef[],
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<SubscriptionRef[]> {
  const wanted = subscriptions.map(({ workspaceId, subscriptionId }) => ({ home_id: workspaceId, receiver_id: subscriptionId }))
  const active = await db.all(
    { workspace_id: 'text', id: 'text', activation: 'integer' },
    sql`select s.workspace_id, s.id, s.activation from ${db.records('asked', { home_id: 'id', receiver_id: 'id' }, wanted)}
      ${db.lookUp('webhook_subscriptions', 's', sql`s.workspace_id = asked.home_id and s.id = asked.receiver_id`)}
      where s.status = 'active'`,
  )
  const activations = new Map(active.map(({ id, activation }) => [id, activation]))
  await db.insert({
    table: 'webhook_deliveries',
    columns: [
      ...['workspace_id', 'subscription_id', 'event_id', 'event_type', 'event', 'activation', 'created_time', 'due_time'],
    ],
    rows: deliveries.flatMap(({ workspaceId, subscriptionId, eventId, eventType, event }) => {
      const activation = activations.get(subscriptionId)
      return activation === undefined ? [] : [[workspaceId, subscriptionId, eventId, eventType, event, activation, now, now]]
    }),
    ignoreConflicts: true,
  })
  return active.map(({ workspace_id: workspaceId, id: subscriptionId }) => ({ workspaceId, subscriptionId }))
}

const dueRow = rowOf({ event_id: 'text', event: 'text', attempts: 'integer', created_time: 'integer', due_time: 'integer' })
export type DueDelivery = RowOf<typeof dueRow>

/** The due deliveries of the current activation, those that have waited longest first. */
export async function listDueDeliveries(
  db: Connection,
  ref: SubscriptionRef,
  activation: number,
  now: number,
  limit: number,
): Promise<DueDelivery[]> {
  return db.all(
    dueRow,
    sql`select ${columnNames(dueRow)} from webhook_deliveries
      where ${ofSubscription(ref)} and activation = ${activation} and due_time is not null and due_time <= ${now}
      order by due_time limit ${limit}`,
  )
}

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly eventId: string
  /** The number of attempts before this one. */
  readonly attempts: number
  readonly statusCode: number | null
  /** Null if the attempt was acknowledged. */
  readonly error: string | null
  /** When to retry; null if the delivery has ended. */
  readonly dueTime: number | null
  /** `dropped` if nothing was sent, because the connection may no longer see the subject of the event. */
  readonly outcome: 'delivered' | 'failed' | 'dropped'
}

const outcomeColumns = {
  home_id: 'id',
  receiver_id: 'id',
  about_id: 'id',
  attempts_before: 'integer',
  answered_with: 'integer',
  failed_by: 'text',
  next_time: 'integer',
  end_time: 'integer',
  succeeded: 'integer',
} as const

/**
 * Records how attempts ended, for any number of subscriptions.
 * @returns the attempts that were recorded, without those that another process has recorded or whose deliveries were deleted
 */
export async function recordAttempts<M extends SubscriptionRef & AttemptOutcome>(
  db: Transaction,
  outcomes: readonly M[],
  now: number,
): Promise<M[]> {
  const rows = outcomes.map((outcome) => ({
    home_id: outcome.workspaceId,
    receiver_id: outcome.subscriptionId,
    about_id: outcome.eventId,
    attempts_before: outcome.attempts,
    answered_with: outcome.statusCode,
    failed_by: outcome.error,
    next_time: outcome.dueTime,
    end_time: outcome.dueTime === null ? now : null,
    succeeded: outcome.dueTime === null ? Number(outcome.outcome === 'delivered') : null,
  }))
  const isAttempt = sql`webhook_deliveries.workspace_id = marks.home_id and webhook_deliveries.subscription_id = marks.receiver_id
    and webhook_deliveries.event_id = marks.about_id and webhook_deliveries.attempts = marks.attempts_before
    and webhook_deliveries.due_time is not null`
  const marked = await db.all(
    { subscription_id: 'text', event_id: 'text' },
    sql`update webhook_deliveries set attempts = attempts_before + 1, status_code = answered_with, error = failed_by,
      attempt_time = ${now}, due_time = next_time, ended_time = end_time, is_delivered = succeeded
      from ${db.records('marks', outcomeColumns, rows)} where ${isAttempt} returning subscription_id, event_id`,
  )
  const keys = new Set(marked.map(({ subscription_id: subscription, event_id: event }) => `${subscription} ${event}`))
  return outcomes.filter(({ subscriptionId, eventId }) => keys.has(`${subscriptionId} ${eventId}`))
}

/** The ids of the events whose deliveries exceed `waitingMax` in the current activation, by due time. */
export async function listBacklogExcess(
  db: Connection,
  ref: SubscriptionRef,
  activation: number,
  { waitingMax, limit }: { readonly waitingMax: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db.all(
    { event_id: 'text' },
    sql`select event_id from webhook_deliveries where ${ofSubscription(ref)} and activation = ${activation}
      and due_time is not null order by due_time limit ${limit} offset ${waitingMax}`,
  )
  return rows.map((row) => row.event_id)
}

/** Gives up waiting deliveries. @param error the reason, for the log */
export async function giveUpDeliveries(
  db: Transaction,
  ref: SubscriptionRef,
  eventIds: readonly string[],
  { error, now }: { readonly error: string; readonly now: number },
): Promise<void> {
  await db.run(
    sql`update webhook_deliveries set due_time = null, ended_time = ${now}, is_delivered = 0, error = ${error}
      where ${ofSubscription(ref)} and event_id in (${valueList(eventIds)}) and due_time is not null`,
  )
}

/** The ids of the events whose deliveries have waited since before an activation; of all deliveries if no activation is given. */
export async function listVoidDeliveries(
  db: Connection,
  ref: SubscriptionRef,
  activation: number | undefined,
  limit: number,
): Promise<string[]> {
  const isVoid = activation === undefined ? sql`` : sql`and due_time is not null and activation < ${activation}`
  const rows = await db.all(
    { event_id: 'text' },
    sql`select event_id from webhook_deliveries where ${ofSubscription(ref)} ${isVoid} limit ${limit}`,
  )
  return rows.map((row) => row.event_id)
}

export async function dropDeliveries(db: Transaction, ref: SubscriptionRef, eventIds: readonly string[]): Promise<void> {
  await db.run(
    sql`delete from webhook_deliveries where ${ofSubscription(ref)}
      and event_id in (${valueList(eventIds)})`,
  )
}

function endedOf(ref: SubscriptionRef): Sql {
  return sql`${ofSubscription(ref)} and ended_time is not null`
}

/** When the newest of the deliveries beyond the `rowsMax` newest ended; undefined if the log is not longer than that. */
export async function findEndOfLog(db: Connection, ref: SubscriptionRef, rowsMax: number): Promise<number | undefined> {
  const row = await db.get(
    { ended_time: 'integer' },
    sql`select ended_time from webhook_deliveries where ${endedOf(ref)} order by ended_time desc limit 1 offset ${rowsMax}`,
  )
  return row?.ended_time
}

/** Deletes the log of a subscription up to a time. */
export async function trimLog(db: Transaction, ref: SubscriptionRef, until: number): Promise<void> {
  await db.run(sql`delete from webhook_deliveries where ${endedOf(ref)} and ended_time <= ${until}`)
}

/** Deletes deliveries that ended at or before a time, about `limit` of them. @returns the number of deliveries */
export async function dropEndedDeliveries(db: Transaction, endedUntil: number, limit: number): Promise<number> {
  const ended = sql`from webhook_deliveries where ended_time is not null and ended_time <=`
  const last = await db.get(
    { ended_time: 'integer' },
    sql`select ended_time ${ended} ${endedUntil} order by ended_time limit 1 offset ${limit - 1}`,
  )
  return db.change(sql`delete ${ended} ${last?.ended_time ?? endedUntil}`)
}

const logRow = rowOf({
  event_id: 'text',
  event_type: 'text',
  created_time: 'integer',
  due_time: 'integer?',
  attempts: 'integer',
  status_code: 'integer?',
  error: 'text?',
  attempt_time: 'integer?',
  ended_time: 'integer?',
  is_delivered: 'integer?',
  event: 'text',
  activation: 'integer',
})
export type LoggedDelivery = RowOf<typeof logRow>

const SELECT_LOG = sql`select ${columnNames(logRow)} from webhook_deliveries where`

/**
 * The deliveries of a subscription: those that wait, then those that have ended, latest first.
 * @param waitingMax the maximum number of waiting ones
 */
export async function listLog(
  db: Connection,
  ref: SubscriptionRef,
  limit: number,
  waitingMax = limit,
): Promise<LoggedDelivery[]> {
  const waiting = await db.all(
    logRow,
    sql`${SELECT_LOG} ${ofSubscription(ref)} and due_time is not null order by activation desc, due_time limit ${waitingMax}`,
  )
  const rest = limit - waiting.length
  const ended = await db.all(logRow, sql`${SELECT_LOG} ${endedOf(ref)} order by ended_time desc limit ${rest}`)
  return [...waiting, ...ended]
}

export async function findDelivery(db: Connection, ref: SubscriptionRef, eventId: string): Promise<LoggedDelivery | undefined> {
  return db.get(logRow, sql`${SELECT_LOG} ${ofSubscription(ref)} and event_id = ${eventId}`)
}

export async function countWaiting(db: Connection, ref: SubscriptionRef): Promise<number> {
  const row = await db.get(
    { count: 'number' },
    sql`select cast(count(*) as integer) as count from webhook_deliveries where ${ofSubscription(ref)} and due_time is not null`,
  )
  return row?.count ?? 0
}

/**
 * Makes ended deliveries due again, with all their attempts available.
 * @param eventId the event of a single delivery; undefined for all deliveries that were given up
 * @returns the number of deliveries
 */
export function replayDeliveries(
  db: Transaction,
  ref: SubscriptionRef,
  { activation, eventId, now }: { readonly activation: number; readonly eventId: string | undefined; readonly now: number },
): Promise<number> {
  const condition = eventId === undefined ? sql`is_delivered = 0` : sql`event_id = ${eventId}`
  return db.change(
    sql`update webhook_deliveries set due_time = ${now}, activation = ${activation}, attempts = 0, ended_time = null,
      is_delivered = null where ${endedOf(ref)} and ${condition}`,
  )
}

/** Makes a waiting delivery of the current activation due now. @returns how many */
export function hastenDelivery(
  db: Transaction,
  ref: SubscriptionRef,
  { activation, eventId, now }: { readonly activation: number; readonly eventId: string; readonly now: number },
): Promise<number> {
  return db.change(
    sql`update webhook_deliveries set due_time = ${now} where ${ofSubscription(ref)} and event_id = ${eventId}
      and activation = ${activation} and due_time is not null`,
  )
}
