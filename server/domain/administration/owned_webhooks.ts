import { findConnection } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { listMemberships } from '../../store/members.ts'
import { readJson } from '../../store/stored/read_json.ts'
import {
  countWaiting,
  findDelivery,
  hastenDelivery,
  listLog,
  replayDeliveries,
  type LoggedDelivery,
} from '../../store/webhook_deliveries.ts'
import { findSubscription, listSubscriptionsIn, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { setSubscriptionStatus, startDelivery } from '../events/index.ts'
import { roleOf } from '../shared/index.ts'
import { recordAct, type AuditedObject } from './audit_log.ts'
import { refOf } from './webhooks.ts'

/** A webhook subscription as the owners of the workspace of its connection see it. */
export interface OwnedWebhook {
  readonly row: WebhookSubscriptionRow
  readonly eventTypes: readonly string[]
  readonly connectionName: string | null
  readonly workspaceName: string | null
}

export interface OwnedDelivery {
  readonly row: LoggedDelivery
  /** As it is stored; null if it is damaged. */
  readonly event: StoredEvent | null
}

interface StoredEvent {
  readonly entity: { readonly id: string; readonly type: string }
  readonly [key: string]: unknown
}

/** A subscription with its deliveries: waiting ones, then ended ones, latest first. */
export interface OwnedWebhookLog {
  readonly webhook: OwnedWebhook
  readonly waitingCount: number
  readonly deliveries: readonly OwnedDelivery[]
}

/** The newest subscriptions in the workspaces that a person owns. */
export async function listOwnedWebhooks(db: Connection, personId: string, limit: number): Promise<OwnedWebhook[]> {
  const owned = await ownedWorkspaces(db, personId)
  const found: OwnedWebhook[] = []
  for (const row of await listSubscriptionsIn(db, [...owned.keys()], limit))
    found.push(await withNames(db, row, owned.get(row.workspace_id) ?? null))
  return found
}

/** @returns undefined if it does not exist, or the person does not own its workspace */
export async function findOwnedWebhook(db: Connection, personId: string, id: string): Promise<OwnedWebhook | undefined> {
  for (const [workspaceId, name] of await ownedWorkspaces(db, personId)) {
    const row = await findSubscription(db, workspaceId, id)
    if (row) return withNames(db, row, name)
  }
  return undefined
}

/** @param waitingMax the maximum number of waiting deliveries */
export async function logOfOwned(
  db: Connection,
  webhook: OwnedWebhook,
  limit: number,
  waitingMax: number,
): Promise<OwnedWebhookLog> {
  const { row } = webhook
  const deliveries = await listLog(db, refOf(row), limit, waitingMax)
  const waitingCount = row.status === 'active' ? await countWaiting(db, refOf(row)) : 0
  return { webhook, waitingCount, deliveries: deliveries.filter((one) => !isVoid(row, one)).map(withEvent) }
}

export async function findOwnedDelivery(
  db: Connection,
  { row }: OwnedWebhook,
  eventId: string,
): Promise<OwnedDelivery | undefined> {
  const found = await findDelivery(db, refOf(row), eventId)
  return found && !isVoid(row, found) ? withEvent(found) : undefined
}

/** Makes a delivery of an active subscription due now, whether it waits or has ended. @returns whether there is such a delivery */
export async function sendOwnedDelivery(
  db: Transaction,
  personId: string,
  { row }: OwnedWebhook,
  eventId: string,
  now: number,
): Promise<boolean> {
  const { activation, workspace_id: workspaceId } = row
  const which = { activation, eventId, now }
  const count = (await hastenDelivery(db, refOf(row), which)) || (await replayDeliveries(db, refOf(row), which))
  if (count === 0) return false
  await startDelivery(db, { homeId: workspaceId, subscriptionId: row.id }, now)
  await recordAct(db, { workspaceId, personId, action: 'webhook.delivery_sent', object: subscriptionOf(row) }, now)
  return true
}

/** Pauses or resumes a subscription. @throws ServiceError `validation_error` before its address is verified */
export async function changeOwnedStatus(
  db: Transaction,
  personId: string,
  { row }: OwnedWebhook,
  status: 'active' | 'paused',
  now: number,
): Promise<void> {
  if (row.status === status) return
  await setSubscriptionStatus(db, row, status, now)
  const action = status === 'active' ? 'webhook.resumed' : 'webhook.paused'
  await recordAct(db, { workspaceId: row.workspace_id, personId, action, object: subscriptionOf(row) }, now)
}

function subscriptionOf({ id, url }: WebhookSubscriptionRow): AuditedObject {
  return { type: 'webhook', id, name: url }
}

/** The names of the workspaces that a person owns, by id. */
export async function ownedWorkspaces(db: Connection, personId: string): Promise<ReadonlyMap<string, string | null>> {
  const memberships = await listMemberships(db, personId)
  const owned = memberships.filter(({ role }) => roleOf(role) === 'owner')
  return new Map(owned.map(({ workspace_id: id, workspace_name: name }) => [id, name]))
}

async function withNames(db: Connection, row: WebhookSubscriptionRow, workspaceName: string | null): Promise<OwnedWebhook> {
  const connectionName = (await findConnection(db, row.connection_id))?.name ?? null
  const eventTypes = readJson('webhook_subscriptions.event_types', row.id, row.event_types) as string[]
  return { row, eventTypes, connectionName, workspaceName }
}

/** Whether a delivery waits from before a pause, and will be dropped. */
function isVoid({ activation }: WebhookSubscriptionRow, delivery: LoggedDelivery): boolean {
  return delivery.due_time !== null && delivery.activation < activation
}

function withEvent(row: LoggedDelivery): OwnedDelivery {
  return { row, event: readJson('webhook_deliveries.event', row.event_id, row.event) as StoredEvent | null }
}
