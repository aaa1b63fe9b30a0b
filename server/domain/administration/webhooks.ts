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

/** Every subscription of the deployment, oldest first; of one connection where it is given. */
export async function listWebhooks(db: Connection, connectionId: string | undefined): Promise<WebhookSubscriptionRow[]> {
  const rows = await listAllSubscriptions(db)
  return connectionId === undefined ? rows : rows.filter((row) => row.connection_id === connectionId)
}

/** @throws AdministrationError if there is none with this id */
export async function requireWebhook(db: Connection, id: string): Promise<WebhookSubscriptionRow> {
  const row = await findSubscriptionAnywhere(db, id)
  if (!row)
    throw new AdministrationError(`There is no webhook subscription ${id}. List them with: workspace-service webhook list`)
  return row
}

/** A subscription, and how many deliveries of it wait. */
export async function showWebhook(
  db: Connection,
  id: string,
): Promise<{ readonly row: WebhookSubscriptionRow; readonly waiting: number }> {
  const row = await requireWebhook(db, id)
  return { row, waiting: await countWaiting(db, refOf(row)) }
}

/** Deliveries of a subscription: those that wait, then those that have ended, latest first. */
export async function webhookLog(db: Connection, id: string, limit: number): Promise<LoggedDelivery[]> {
  return listLog(db, refOf(await requireWebhook(db, id)), limit)
}

/**
 * Has what ended delivered again, with the attempts of new events.
 * @param eventId one event, delivered or not; left out, all that were given up
 * @returns how many
 */
export async function replayWebhook(db: Transaction, id: string, eventId: string | undefined, now: number): Promise<number> {
  const row = await requireWebhook(db, id)
  if (row.status !== 'active')
    throw new AdministrationError(`The subscription is ${row.status}; only active ones receive events.`)
  const count = await replayDeliveries(db, refOf(row), { activation: row.activation, eventId, now })
  if (eventId !== undefined && count === 0)
    throw new AdministrationError('The log of this subscription has no finished delivery of that event.')
  await startDelivery(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
  return count
}

/** Has the running service send the verification request, whatever the status. @returns how the one before ended */
export async function testWebhook(db: Transaction, id: string, now: number): Promise<WebhookSubscriptionRow> {
  const row = await requireWebhook(db, id)
  if (row.sealed_token === null)
    throw new AdministrationError('The verification token is void. Its connection has to request a new one.')
  await requestVerification(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
  return row
}

function refOf({ workspace_id: workspaceId, id: subscriptionId }: WebhookSubscriptionRow): SubscriptionRef {
  return { workspaceId, subscriptionId }
}
