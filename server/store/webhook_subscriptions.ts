import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql, valueList, type Sql } from './sql.ts'
import type { SubscriptionRef } from './webhook_deliveries.ts'
import { readJson } from './stored/read_json.ts'

const webhookStatuses = ['pending_verification', 'active', 'paused'] as const

const subscriptionRow = rowOf({
  /** The home workspace of the connection. */
  workspace_id: 'text',
  id: 'text',
  connection_id: 'text',
  name: 'text?',
  url: 'text',
  /** A JSON list, sorted. */
  event_types: 'text',
  api_version: 'text',
  status: webhookStatuses,
  pause_reason: ['requested', 'delivery_failures', null],
  /** The verification token, encrypted; null if the token is no longer valid. */
  sealed_token: 'bytes?',
  wrong_tries: 'integer',
  created_time: 'integer',
  last_edited_time: 'integer',
  verified_time: 'integer?',
  /** The number of activations and pauses of the subscription. */
  activation: 'integer',
  /** The subscription gets no events for changes before this time. */
  active_since: 'integer?',
  /** When the last verification request ended. */
  verification_time: 'integer?',
  verification_status: 'integer?',
  verification_error: 'text?',
  /** The time of the first failure since the last success; null if the last attempt succeeded. */
  failing_since: 'integer?',
  /** The number of events that were given up since `failing_since`. */
  lost_events: 'integer',
  /** Whether the receiver is slow, in which case its deliveries are queued with those of other slow receivers. */
  is_slow: 'integer',
})
export type WebhookSubscriptionRow = RowOf<typeof subscriptionRow>

const SELECT = sql`select ${columnNames(subscriptionRow)} from webhook_subscriptions`

export async function findSubscription(
  db: Connection,
  workspaceId: string,
  id: string,
): Promise<WebhookSubscriptionRow | undefined> {
  return db.get(subscriptionRow, sql`${SELECT} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Whether a subscription is still active, and has not been paused since it was read. */
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

/** Like `findSubscription`, but in any workspace, for operators. Scans all subscriptions. */
export async function findSubscriptionAnywhere(db: Connection, id: string): Promise<WebhookSubscriptionRow | undefined> {
  return db.get(subscriptionRow, sql`${SELECT} where id = ${id}`)
}

/** The subscriptions of a connection, oldest first. @param after the creation time and id of the subscription after which to continue */
export async function listSubscriptionsAfter(
  db: Connection,
  { workspaceId, connectionId }: SubscriptionOwner,
  after: readonly string[] | undefined,
  limit: number,
): Promise<WebhookSubscriptionRow[]> {
  const [time = '', id = ''] = after ?? []
  const following = after === undefined ? sql`` : sql`and (created_time, id) > (${Number(time)}, ${id})`
  return db.all(
    subscriptionRow,
    sql`${SELECT} where workspace_id = ${workspaceId} and connection_id = ${connectionId} ${following}
      order by created_time, id limit ${limit}`,
  )
}

/** The newest subscriptions of the connections of some workspaces. */
export async function listSubscriptionsIn(
  db: Connection,
  workspaceIds: readonly string[],
  limit: number,
): Promise<WebhookSubscriptionRow[]> {
  if (workspaceIds.length === 0) return []
  return db.all(
    subscriptionRow,
    sql`${SELECT} where workspace_id in (${valueList(workspaceIds)}) order by created_time desc, id limit ${limit}`,
  )
}

/** All subscriptions, for operators, oldest first. */
export async function listAllSubscriptions(db: Connection): Promise<WebhookSubscriptionRow[]> {
  return db.all(subscriptionRow, sql`${SELECT} order by created_time, id`)
}

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

/** Adds a pending subscription, for changes in every workspace in which its connection has or had a bot. */
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

/** Changes of a subscription. Omitted fields stay unchanged. */
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

/** Records failed attempts, unless the subscription has been paused in the meantime. */
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

/** Records a success, which resets the count of earlier failures. */
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
 * Pauses an active subscription that has been failing at least since a time and has lost at least `lostMin` events.
 * @returns whether it was paused
 */
export async function pauseFailing(
  db: Transaction,
  { workspaceId, subscriptionId }: SubscriptionRef,
  { since, lostMin, now }: { readonly since: number; readonly lostMin: number; readonly now: number },
): Promise<boolean> {
  const changed = await db.change(
    sql`update webhook_subscriptions
      set status = 'paused', pause_reason = 'delivery_failures', activation = activation + 1, last_edited_time = ${now}
      where workspace_id = ${workspaceId} and id = ${subscriptionId} and status = 'active' and failing_since <= ${since}
      and lost_events >= ${lostMin}`,
  )
  return changed === 1
}

/** Deletes a subscription, but not its deliveries. */
export async function deleteSubscription(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`delete from webhook_workspaces where home_id = ${workspaceId} and subscription_id = ${id}`)
  await db.run(sql`delete from webhook_subscriptions where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Subscribes the subscriptions of a connection to a workspace in which the connection gets a bot. */
export async function addWorkspaceOfBot(db: Transaction, workspaceId: string, connectionId: string): Promise<void> {
  await lockConnection(db, connectionId)
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select s.workspace_id, s.id from connections c
      join webhook_subscriptions s on s.workspace_id = c.workspace_id and s.connection_id = c.id where c.id = ${connectionId}`,
  )
  for (const subscription of rows) await insertWorkspace(db, workspaceId, subscription.workspace_id, subscription.id)
}

/** Locks a connection, so that its new bots and new subscriptions are added one after another and none of them overlooks another. */
export async function lockConnection(db: Transaction, connectionId: string): Promise<void> {
  await db.get({}, sql`select id from connections where id = ${connectionId}${raw(db.forUpdate)}`)
}

export const listenerRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  connection_id: 'text',
  event_types: 'text',
  api_version: 'text',
  active_since: 'integer',
})

/** The data of an active subscription that is used to create events. */
export interface WebhookListener {
  /** The home workspace of the subscription's connection. */
  readonly workspaceId: string
  readonly id: string
  readonly connectionId: string
  readonly eventTypes: readonly string[]
  readonly apiVersion: string
  /** The subscription gets no events for changes before this time. */
  readonly activeSince: number
}

/**
 * The active subscriptions of all connections that have or had a bot in a workspace. The caller must check whether the connection still
 * exists, and what it may see.
 */
export async function listWebhookListeners(db: Connection, workspaceId: string): Promise<WebhookListener[]> {
  const rows = await db.all(listenerRow, sql`select ${columnNames(listenerRow, 's')} ${fromListeners(db, workspaceId)}`)
  return rows.map(toListener)
}

/** SQL for the subscriptions `s` of `listWebhookListeners`, beginning with `from`. */
export function fromListeners(db: Connection, workspaceId: string): Sql {
  return sql`from webhook_workspaces w
    ${db.lookUp('webhook_subscriptions', 's', sql`s.workspace_id = w.home_id and s.id = w.subscription_id`)}
    where w.workspace_id = ${workspaceId} and s.status = 'active'`
}

export function toListener(row: RowOf<typeof listenerRow>): WebhookListener {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    connectionId: row.connection_id,
    eventTypes: typesIn(row.id, row.event_types),
    apiVersion: row.api_version,
    activeSince: row.active_since,
  }
}

const LISTS_KEPT_MAX = 1_000
const lists = new Map<string, readonly string[]>()

/** Parses and caches a list of event types, because every request that makes changes needs the same lists. @param text JSON */
function typesIn(id: string, text: string): readonly string[] {
  const known = lists.get(text)
  if (known) return known
  if (lists.size >= LISTS_KEPT_MAX) lists.clear()
  const list = readJson('webhook_subscriptions.event_types', id, text) as readonly string[]
  lists.set(text, list)
  return list
}
