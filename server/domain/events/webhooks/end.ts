import type { Transaction } from '../../../store/database.ts'
import {
  deleteSubscription,
  listSubscriptionsAfter,
  type SubscriptionOwner,
  type WebhookSubscriptionRow,
} from '../../../store/webhook_subscriptions.ts'
import { startDelivery } from './start.ts'

/** More than the number of subscriptions that a connection may have. */
const AT_ONCE = 100

/**
 * Ends a subscription permanently. Pending deliveries are no longer sent; their rows are deleted gradually after the transaction.
 */
export async function endSubscription(
  db: Transaction,
  { workspace_id: homeId, id: subscriptionId }: WebhookSubscriptionRow,
  now: number,
): Promise<void> {
  await deleteSubscription(db, homeId, subscriptionId)
  await startDelivery(db, { homeId, subscriptionId }, now)
}

export async function endSubscriptions(db: Transaction, owner: SubscriptionOwner, now: number): Promise<void> {
  for (const row of await listSubscriptionsAfter(db, owner, undefined, AT_ONCE)) await endSubscription(db, row, now)
}
