import type { Transaction } from '../../store/database.ts'
import { insertDeliveries } from '../../store/webhook_deliveries.ts'
import type { FormedEvent } from './payload.ts'
import { startDelivery } from './start.ts'

/** Events for one active subscription. */
interface NewDeliveries {
  /** The home workspace of the subscription's connection: `workspaceId` of its `WebhookListener`. */
  readonly homeId: string
  readonly subscriptionId: string
  readonly events: readonly FormedEvent[]
}

/**
 * Enqueues events for delivery once the transaction has committed, unless the subscription is no longer active. Adding an event
 * again changes nothing.
 */
export async function insertDelivery(
  db: Transaction,
  { homeId: workspaceId, subscriptionId, events }: NewDeliveries,
  now: number,
): Promise<void> {
  const rows = events.map((event) => ({ eventId: event.id, eventType: event.type, event: JSON.stringify(event) }))
  const isActive = await insertDeliveries(db, { workspaceId, subscriptionId }, rows, now)
  if (isActive) await startDelivery(db, { homeId: workspaceId, subscriptionId }, now)
}
