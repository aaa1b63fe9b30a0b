import type { Transaction } from '../../store/database.ts'
import { insertDeliveries } from '../../store/webhook_deliveries.ts'

/** What the payloads of one event have in common in all attempts, in the order in which it is sent. */
export interface FormedEvent {
  readonly id: string
  /** When it happened, as payloads write it. */
  readonly timestamp: string
  readonly workspace_id: string
  readonly workspace_name: string
  readonly subscription_id: string
  readonly integration_id: string
  readonly authors: readonly { readonly id: string; readonly type: 'person' | 'bot' | 'agent' }[]
  readonly api_version: string
  readonly type: string
  readonly entity: { readonly id: string; readonly type: string }
  readonly data?: object
}

/** One event for one subscription. */
export interface NewDelivery {
  /** The home workspace of the subscription's connection: `workspaceId` of its `WebhookListener`. */
  readonly homeId: string
  readonly event: FormedEvent
}

/** Leaves an event to be delivered as soon as the transaction has committed. Adding it again changes nothing. */
export function insertDelivery(db: Transaction, delivery: NewDelivery, now: number): Promise<void> {
  return insertDeliveriesOf(db, [delivery], now)
}

/** As `insertDelivery`, for many at once. */
export async function insertDeliveriesOf(db: Transaction, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  const rows = deliveries.map(({ homeId, event }) => ({
    workspaceId: homeId,
    subscriptionId: event.subscription_id,
    eventId: event.id,
    eventType: event.type,
    event: JSON.stringify(event),
  }))
  await insertDeliveries(db, rows, now)
}
