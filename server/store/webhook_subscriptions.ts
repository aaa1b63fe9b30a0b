import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql } from './sql.ts'
import type { SubscriptionRef } from './webhook_deliveries.ts'

const webhookStatuses = ['pending_verification', 'active', 'paused'] as const

const subscriptionRow = rowOf({
  /** The home workspace of the connection. */
  workspace_id: 'text',
  id: 'text',
  connection_id: 'text',
  name: 'text?',
  url: 'text',
  /** JSON list, sorted. */
  event_types: 'text',
  api_version: 'text',
  status: webhookStatuses,
  pause_reason: ['requested', 'delivery_failures', null],
  /** The verification token, encrypted; null when it is void. */
  sealed_token: 'bytes?',
  wrong_tries: 'integer',
  created_time: 'integer',
  last_edited_time: 'integer',
  verified_time: 'integer?',
  /** Counts how often it became active. */
  activation: 'integer',
  /** What happened before is not for it. */
  active_since: 'integer?',
  /** When the last verification request ended. */
  verification_time: 'integer?',
  verification_status: 'integer?',
  verification_error: 'text?',
  /** The first failure since the last delivery; null when the last one succeeded. */
  failing_since: 'integer?',
  /** Events given up since then. */
  lost_events: 'integer',
  /** Its receiver takes its time, so its deliveries wait among those of others like it. */
  is_slow: 'integer',
})
export type WebhookSubscriptionRow = RowOf<typeof subscriptionRow>

const SELECT = sql`select ${columnNames(subscriptionRow)} from webhook_subscriptions`

export function findSubscription(db: Connection, workspaceId: string, id: string): Promise<WebhookSubscriptionRow | undefined> {
  return db.get(subscriptionRow, sql`${SELECT} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Whether a subscription is still active as it was when it was read. */
export async function hasActivation(
  db: Connection,
  { workspace_id: workspaceId, id, activation }: Pick<WebhookSubscriptionRow, 'workspace_id' | 'id' | 'activation'>,
): Promise<boolean> {
  const row = await db.get(
    {},
    sql`select id from webhook_subscriptions where workspace_id = ${workspaceId} and id = ${id} and activation = ${activation}
      and status = 'active'`,
  )
  return row !== undefined
}

/** As `findSubscription`, without its workspace, for those who run the service: reads all there are. */
export function findSubscriptionAnywhere(db: Connection, id: string): Promise<WebhookSubscriptionRow | undefined> {
  return db.get(subscriptionRow, sql`${SELECT} where id = ${id}`)
}

/** Subscriptions of a connection, oldest first. @param after time of creation and id of the last one seen */
export function listSubscriptionsAfter(
  db: Connection,
  { workspaceId, connectionId }: SubscriptionOwner,
  after: readonly string[] | undefined,
  limit: number,
): Promise<WebhookSubscriptionRow[]> {
  const [time = '', id = ''] = after ?? []
  const behind = after === undefined ? sql`` : sql`and (created_time, id) > (${Number(time)}, ${id})`
  return db.all(
    subscriptionRow,
    sql`${SELECT} where workspace_id = ${workspaceId} and connection_id = ${connectionId} ${behind}
      order by created_time, id limit ${limit}`,
  )
}

/** Every subscription, for those who run the service; oldest first. */
export function listAllSubscriptions(db: Connection): Promise<WebhookSubscriptionRow[]> {
  return db.all(subscriptionRow, sql`${SELECT} order by created_time, id`)
}

/** A connection, under its home workspace. */
export interface SubscriptionOwner {
  readonly workspaceId: string
  readonly connectionId: string
}

export async function countSubscriptions(db: Connection, { workspaceId, connectionId }: SubscriptionOwner): Promise<number> {
  const row = await db.get(
    { count: 'integer' },
    sql`select cast(count(*) as integer) as count from webhook_subscriptions where workspace_id = ${workspaceId}
      and connection_id = ${connectionId}`,
  )
  return row?.count ?? 0
}

type NewSubscription = Pick<
  WebhookSubscriptionRow,
  'workspace_id' | 'id' | 'connection_id' | 'name' | 'url' | 'event_types' | 'api_version' | 'sealed_token' | 'created_time'
>

/** Adds a subscription that is pending, and listens to every workspace where its connection has or had a bot. */
export async function insertSubscription(db: Transaction, subscription: NewSubscription): Promise<void> {
  const { workspace_id: workspaceId, id, connection_id: connectionId, created_time: time } = subscription
  await db.run(
    sql`insert into webhook_subscriptions (workspace_id, id, connection_id, name, url, event_types, api_version, status,
      sealed_token, created_time, last_edited_time)
      values (${workspaceId}, ${id}, ${connectionId}, ${subscription.name}, ${subscription.url}, ${subscription.event_types},
      ${subscription.api_version}, 'pending_verification', ${subscription.sealed_token}, ${time}, ${time})`,
  )
  const places = await db.all(
    { workspace_id: 'text' },
    sql`select distinct workspace_id from users where connection_id = ${connectionId}`,
  )
  for (const place of places) await insertWorkspace(db, place.workspace_id, workspaceId, id)
}

async function insertWorkspace(db: Transaction, workspaceId: string, homeId: string, subscriptionId: string): Promise<void> {
  await db.run(
    sql`insert into webhook_workspaces (workspace_id, home_id, subscription_id) values (${workspaceId}, ${homeId}, ${subscriptionId})
      on conflict (workspace_id, home_id, subscription_id) do nothing`,
  )
}

/** What subscriptions change by; what is left out stays. */
export type SubscriptionChanges = Partial<Omit<WebhookSubscriptionRow, 'workspace_id' | 'id' | 'connection_id' | 'created_time'>>

export async function updateSubscription(
  db: Transaction,
  { workspace_id: workspaceId, id }: Pick<WebhookSubscriptionRow, 'workspace_id' | 'id'>,
  changes: SubscriptionChanges,
): Promise<void> {
  const columns = Object.entries(changes)
  if (columns.length === 0) return
  const assignments = columns.map(([name, value]) => sql`${raw(name)} = ${value}`)
  await db.run(
    sql`update webhook_subscriptions set ${joinSql(assignments, ', ')} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Notes that attempts failed, unless the subscription has been paused since. */
export async function noteFailures(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  { activation, lost, now }: { readonly activation: number; readonly lost: number; readonly now: number },
): Promise<void> {
  await db.run(
    sql`update webhook_subscriptions set failing_since = coalesce(failing_since, ${now}), lost_events = lost_events + ${lost}
      where workspace_id = ${workspaceId} and id = ${subscriptionId} and activation = ${activation}`,
  )
}

/** Forgets failures before a success. */
export async function noteSuccess(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  activation: number,
): Promise<void> {
  await db.run(
    sql`update webhook_subscriptions set failing_since = null, lost_events = 0
      where workspace_id = ${workspaceId} and id = ${subscriptionId} and activation = ${activation} and failing_since is not null`,
  )
}

/**
 * Pauses an active subscription that has been failing since a time or longer and has lost so many events.
 * @returns whether it was paused
 */
export async function pauseFailing(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  { since, lostMin, now }: { readonly since: number; readonly lostMin: number; readonly now: number },
): Promise<boolean> {
  const changed = await db.run(
    sql`update webhook_subscriptions
      set status = 'paused', pause_reason = 'delivery_failures', activation = activation + 1, last_edited_time = ${now}
      where workspace_id = ${workspaceId} and id = ${subscriptionId} and status = 'active' and failing_since <= ${since}
      and lost_events >= ${lostMin}`,
  )
  return changed === 1
}

/** Its deliveries stay, for nobody. */
export async function deleteSubscription(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`delete from webhook_workspaces where home_id = ${workspaceId} and subscription_id = ${id}`)
  await db.run(sql`delete from webhook_subscriptions where workspace_id = ${workspaceId} and id = ${id}`)
}

/** The subscriptions of a connection listen to a workspace in which it gets a bot. */
export async function addWorkspaceOfBot(db: Transaction, workspaceId: string, connectionId: string): Promise<void> {
  await holdConnection(db, connectionId)
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select s.workspace_id, s.id from connections c
      join webhook_subscriptions s on s.workspace_id = c.workspace_id and s.connection_id = c.id where c.id = ${connectionId}`,
  )
  for (const subscription of rows) await insertWorkspace(db, workspaceId, subscription.workspace_id, subscription.id)
}

/** New bots and new subscriptions of a connection wait for each other, so that neither misses the other; so do new subscriptions. */
export async function holdConnection(db: Transaction, connectionId: string): Promise<void> {
  await db.get({}, sql`select id from connections where id = ${connectionId}${raw(db.forUpdate)}`)
}

const listenerRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  connection_id: 'text',
  event_types: 'text',
  api_version: 'text',
  active_since: 'integer',
})

/** What forming events needs to know of a subscription that is active. */
export interface WebhookListener {
  /** The home workspace of its connection. */
  readonly workspaceId: string
  readonly id: string
  readonly connectionId: string
  readonly eventTypes: readonly string[]
  readonly apiVersion: string
  /** Changes before this time are not for it. */
  readonly activeSince: number
}

/**
 * The active subscriptions of all connections that have, or had, a bot in a workspace; whether the connection still is there and what
 * it may see is for the caller to ask.
 */
export async function listWebhookListeners(db: Connection, workspaceId: string): Promise<WebhookListener[]> {
  const rows = await db.all(
    listenerRow,
    sql`select ${columnNames(listenerRow, 's')} from webhook_workspaces w
      ${db.lookUp('webhook_subscriptions', 's', sql`s.workspace_id = w.home_id and s.id = w.subscription_id`)}
      where w.workspace_id = ${workspaceId} and s.status = 'active'`,
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    id: row.id,
    connectionId: row.connection_id,
    eventTypes: typesIn(row.event_types),
    apiVersion: row.api_version,
    activeSince: row.active_since,
  }))
}

const LISTS_KEPT_MAX = 1_000
const lists = new Map<string, readonly string[]>()

/** Each request that changes something asks for the same lists. @param text JSON */
function typesIn(text: string): readonly string[] {
  const known = lists.get(text)
  if (known) return known
  if (lists.size >= LISTS_KEPT_MAX) lists.clear()
  const list = JSON.parse(text) as readonly string[]
  lists.set(text, list)
  return list
}
