import type { Transaction } from '../../../store/database.ts'
import { insertDeliveries } from '../../../store/webhook_deliveries.ts'
import type { FormedEvent } from './payload.ts'
import { startDeliveries } from './start.ts'

/** Events for one active subscription. */
interface NewDeliveries {
  /** The home workspace of the subscription's connection: `workspaceId` of its `WebhookListener`. */
  readonly homeId: string
  readonly subscriptionId: string
  readonly events: readonly FormedEvent[]
}

/**
 * Enqueues events for delivery once the transaction has committed, except for subscriptions that are no longer active. Adding an event
 * again changes nothing.
 */
export async function insertDelivery(db: Transaction, all: readonly NewDeliveries[], now: number): Promise<void> {
  const subscriptions = all.map(({ homeId: workspaceId, subscriptionId }) => ({ workspaceId, subscriptionId }))
  const rows = all.flatMap(({ homeId: workspaceId, subscriptionId, events }) =>
    events.map((event) => ({
      workspaceId,
      subscriptionId,
      eventId: event.id,
      eventType: event.type,
      event: JSON.stringify(event),
    })),
  )
  if (rows.length === 0) return
  const active = await insertDeliveries(db, subscriptions, rows, now)
  const works = active.map(({ workspaceId: homeId, subscriptionId }) => ({ homeId, subscriptionId }))
  await startDeliveries(db, works, now)
}
