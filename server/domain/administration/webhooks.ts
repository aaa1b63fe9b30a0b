import type { Connection, Transaction } from '../../store/database.ts'
import {
  countWaiting,
  listLog,
  replayDeliveries,
  type LoggedDelivery,
  type SubscriptionRef,
} from '../../store/webhook_deliveries.ts'
import { findSubscriptionAnywhere, listAllSubscriptions, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { requestVerification, startDelivery } from '../events/index.ts'
import { AdministrationError } from '../shared/index.ts'

export type { LoggedDelivery, WebhookSubscriptionRow }

/** All subscriptions of the deployment or, if given, of one connection, oldest first. */
export async function listWebhooks(db: Connection, connectionId: string | undefined): Promise<WebhookSubscriptionRow[]> {
  const rows = await listAllSubscriptions(db)
  return connectionId === undefined ? rows : rows.filter((row) => row.connection_id === connectionId)
}

/** @throws AdministrationError if there is no subscription with this id */
export async function requireWebhook(db: Connection, id: string): Promise<WebhookSubscriptionRow> {
  const row = await findSubscriptionAnywhere(db, id)
  if (!row)
    throw new AdministrationError(
      `No webhook subscription has the id ${id}. List subscriptions with: workspace-service webhook list`,
    )
  return row
}

/** A subscription, and the number of its waiting deliveries. */
export async function showWebhook(
  db: Connection,
  id: string,
): Promise<{ readonly row: WebhookSubscriptionRow; readonly waiting: number }> {
  const row = await requireWebhook(db, id)
  return { row, waiting: await countWaiting(db, refOf(row)) }
}

/** Deliveries of a subscription: waiting ones, then ended ones, latest first. */
export async function webhookLog(db: Connection, id: string, limit: number): Promise<LoggedDelivery[]> {
  return listLog(db, refOf(await requireWebhook(db, id)), limit)
}

/**
 * Queues ended deliveries again, with the attempts of new events.
 * @param eventId one event, delivered or not; if left out, all deliveries that were given up
 * @returns the number of deliveries
 */
export async function replayWebhook(db: Transaction, id: string, eventId: string | undefined, now: number): Promise<number> {
  const row = await requireWebhook(db, id)
  if (row.status !== 'active')
    throw new AdministrationError(`The subscription is ${row.status}; only active ones receive events.`)
  const count = await replayDeliveries(db, refOf(row), { activation: row.activation, eventId, now })
  if (eventId !== undefined && count === 0)
    throw new AdministrationError('The log of this subscription does not contain a finished delivery of that event.')
  await startDelivery(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
  return count
}

/**
 * Makes the running service send the verification request, in any status.
 * @returns the outcome of the previous one
 */
export async function testWebhook(db: Transaction, id: string, now: number): Promise<WebhookSubscriptionRow> {
  const row = await requireWebhook(db, id)
  if (row.sealed_token === null)
    throw new AdministrationError('The verification token is invalid. Its connection has to request a new one.')
  await requestVerification(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
  return row
}

/** The key of a subscription. */
export function refOf({ workspace_id: workspaceId, id: subscriptionId }: WebhookSubscriptionRow): SubscriptionRef {
  return { workspaceId, subscriptionId }
}
