import type { Connection, Transaction } from './database.ts'
import type { SqlValue } from './sql.ts'
import { rowOf, type RowOf } from './row_shape.ts'

/** A subscription, under the home workspace of its connection. */
export interface SubscriptionRef {
  readonly workspaceId: string
  readonly subscriptionId: string
}

/** A formed event on its way to one subscription. */
interface NewDelivery {
  readonly eventId: string
  readonly eventType: string
  /** JSON: all of the payload that is the same in every attempt. */
  readonly event: string
}

/**
 * Adds deliveries for a subscription, due at once. One that is there already stays as it is.
 * @returns whether the subscription is active; otherwise nothing is added
 */
export async function insertDeliveries(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<boolean> {
  const subscription = await db.get(
    { activation: 'integer' },
    `select activation from webhook_subscriptions where workspace_id = ? and id = ? and status = 'active'`,
    workspaceId,
    subscriptionId,
  )
  if (!subscription) return false
  const { activation } = subscription
  await db.insert({
    table: 'webhook_deliveries',
    columns: [
      ...['workspace_id', 'subscription_id', 'event_id', 'event_type', 'event', 'activation', 'created_time', 'due_time'],
    ],
    rows: deliveries.map(({ eventId, eventType, event }) => [
      ...[workspaceId, subscriptionId, eventId, eventType, event, activation, now, now],
    ]),
    unlessThere: true,
  })
  return true
}

const dueRow = rowOf({ event_id: 'text', event: 'text', attempts: 'integer', created_time: 'integer', due_time: 'integer' })
export type DueDelivery = RowOf<typeof dueRow>

/** Deliveries of the present activation whose time has come, those that have waited longest first. */
export function listDueDeliveries(
  db: Connection,
  { workspaceId, subscriptionId }: SubscriptionRef,
  activation: number,
  now: number,
  limit: number,
): Promise<DueDelivery[]> {
  return db.all(
    dueRow,
    `select event_id, event, attempts, created_time, due_time from webhook_deliveries
     where workspace_id = ? and subscription_id = ? and activation = ? and due_time is not null and due_time <= ?
     order by due_time limit ?`,
    workspaceId,
    subscriptionId,
    activation,
    now,
    limit,
  )
}

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly eventId: string
  /** Attempts before this one. */
  readonly attempts: number
  readonly statusCode: number | null
  /** Null where it was acknowledged. */
  readonly error: string | null
  /** When it is tried again; null when it has ended. */
  readonly dueTime: number | null
  /** `dropped` is what was not sent, because it may not be seen any more. */
  readonly outcome: 'delivered' | 'failed' | 'dropped'
}

/** Marks how an attempt ended. @returns whether it counts: it has not been marked, nor its delivery dropped, by anybody else */
export async function markAttempt(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  outcome: AttemptOutcome,
  now: number,
): Promise<boolean> {
  const { eventId, attempts, statusCode, error, dueTime } = outcome
  const hasEnded = dueTime === null
  const changed = await db.run(
    `update webhook_deliveries set attempts = ?, status_code = ?, error = ?, attempt_time = ?, due_time = ?, ended_time = ?, is_delivered = ?
     where workspace_id = ? and subscription_id = ? and event_id = ? and attempts = ? and due_time is not null`,
    attempts + 1,
    statusCode,
    error,
    now,
    dueTime,
    hasEnded ? now : null,
    hasEnded ? Number(outcome.outcome === 'delivered') : null,
    workspaceId,
    subscriptionId,
    eventId,
    attempts,
  )
  return changed === 1
}

/** What waits behind the first so many of the present activation, by when it is due. @returns ids of events */
export async function listBeyondBacklog(
  db: Connection,
  { workspaceId, subscriptionId }: SubscriptionRef,
  activation: number,
  { waitingMax, limit }: { readonly waitingMax: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db.all(
    { event_id: 'text' },
    `select event_id from webhook_deliveries
     where workspace_id = ? and subscription_id = ? and activation = ? and due_time is not null order by due_time limit ? offset ?`,
    workspaceId,
    subscriptionId,
    activation,
    limit,
    waitingMax,
  )
  return rows.map((row) => row.event_id)
}

/** Gives up deliveries that wait. @param error why, for the log */
export async function giveUpDeliveries(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  eventIds: readonly string[],
  { error, now }: { readonly error: string; readonly now: number },
): Promise<void> {
  for (const id of eventIds)
    await db.run(
      `update webhook_deliveries set due_time = null, ended_time = ?, is_delivered = 0, error = ?
       where workspace_id = ? and subscription_id = ? and event_id = ? and due_time is not null`,
      now,
      error,
      workspaceId,
      subscriptionId,
      id,
    )
}

/** What waits since before the present activation; without one, everything. @returns ids of events */
export async function listVoidDeliveries(
  db: Connection,
  { workspaceId, subscriptionId }: SubscriptionRef,
  activation: number | undefined,
  limit: number,
): Promise<string[]> {
  const isVoid = activation === undefined ? '' : 'and due_time is not null and activation < ?'
  const rows = await db.all(
    { event_id: 'text' },
    `select event_id from webhook_deliveries where workspace_id = ? and subscription_id = ? ${isVoid} limit ?`,
    workspaceId,
    subscriptionId,
    ...(activation === undefined ? [] : [activation]),
    limit,
  )
  return rows.map((row) => row.event_id)
}

export async function dropDeliveries(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  eventIds: readonly string[],
): Promise<void> {
  for (const id of eventIds)
    await db.run(
      'delete from webhook_deliveries where workspace_id = ? and subscription_id = ? and event_id = ?',
      workspaceId,
      subscriptionId,
      id,
    )
}

const ENDED = 'workspace_id = ? and subscription_id = ? and ended_time is not null'

/** When the last delivery ended that is not among the latest so many in the log; undefined when there are no more. */
export async function findEndOfLog(
  db: Connection,
  { workspaceId, subscriptionId }: SubscriptionRef,
  rowsMax: number,
): Promise<number | undefined> {
  const row = await db.get(
    { ended_time: 'integer' },
    `select ended_time from webhook_deliveries where ${ENDED} order by ended_time desc limit 1 offset ?`,
    workspaceId,
    subscriptionId,
    rowsMax,
  )
  return row?.ended_time
}

/** Drops the log of a subscription up to a time. */
export async function trimLog(db: Transaction, { workspaceId, subscriptionId }: SubscriptionRef, until: number): Promise<void> {
  await db.run(`delete from webhook_deliveries where ${ENDED} and ended_time <= ?`, workspaceId, subscriptionId, until)
}

/** Drops deliveries that ended at or before a time. @returns how many */
export async function dropEndedDeliveries(db: Transaction, endedUntil: number, limit: number): Promise<number> {
  const ended = 'from webhook_deliveries where ended_time is not null and ended_time <= ?'
  const last = await db.get(
    { ended_time: 'integer' },
    `select ended_time ${ended} order by ended_time limit 1 offset ?`,
    endedUntil,
    limit - 1,
  )
  return db.run(`delete ${ended}`, last?.ended_time ?? endedUntil)
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
})
export type LoggedDelivery = RowOf<typeof logRow>

/** Deliveries of a subscription for those who run the service: what has ended, latest first, behind what still waits. */
export async function listLog(
  db: Connection,
  { workspaceId, subscriptionId }: SubscriptionRef,
  limit: number,
): Promise<LoggedDelivery[]> {
  const select = `select ${Object.keys(logRow).join(', ')} from webhook_deliveries where workspace_id = ? and subscription_id = ?`
  const waiting = await db.all(
    logRow,
    `${select} and due_time is not null order by activation desc, due_time limit ?`,
    workspaceId,
    subscriptionId,
    limit,
  )
  const ended = await db.all(
    logRow,
    `${select} and ended_time is not null order by ended_time desc limit ?`,
    workspaceId,
    subscriptionId,
    limit - waiting.length,
  )
  return [...waiting, ...ended]
}

/** How many deliveries of a subscription wait. */
export async function countWaiting(db: Connection, { workspaceId, subscriptionId }: SubscriptionRef): Promise<number> {
  const row = await db.get(
    { count: 'number' },
    'select cast(count(*) as integer) as count from webhook_deliveries where workspace_id = ? and subscription_id = ? and due_time is not null',
    workspaceId,
    subscriptionId,
  )
  return row?.count ?? 0
}

/**
 * Makes ended deliveries due again, their attempts counted from the start.
 * @param eventId one of them; left out, all that were given up
 * @returns how many
 */
export function replayDeliveries(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  { activation, eventId, now }: { readonly activation: number; readonly eventId: string | undefined; readonly now: number },
): Promise<number> {
  const which: readonly [string, ...SqlValue[]] = eventId === undefined ? ['is_delivered = 0'] : ['event_id = ?', eventId]
  const [condition, ...parameters] = which
  return db.run(
    `update webhook_deliveries set due_time = ?, activation = ?, attempts = 0, ended_time = null, is_delivered = null
     where workspace_id = ? and subscription_id = ? and ended_time is not null and ${condition}`,
    now,
    activation,
    workspaceId,
    subscriptionId,
    ...parameters,
  )
}
