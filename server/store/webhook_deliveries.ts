import type { Transaction } from './database.ts'

/** A formed event on its way to one subscription. */
export interface NewDelivery {
  /** The home workspace of the subscription's connection, under which both stand. */
  readonly workspaceId: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly eventType: string
  /** JSON: all of the payload that is the same in every attempt. */
  readonly event: string
}

/** Adds deliveries, due at once. One that is there already stays as it is. */
export async function insertDeliveries(db: Transaction, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  for (const { workspaceId, subscriptionId, eventId, eventType, event } of deliveries) {
    await db.run(
      `insert into webhook_deliveries (workspace_id, subscription_id, event_id, event_type, event, created_time, due_time)
       values (?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, subscription_id, event_id) do nothing`,
      workspaceId,
      subscriptionId,
      eventId,
      eventType,
      event,
      now,
      now,
    )
  }
}
