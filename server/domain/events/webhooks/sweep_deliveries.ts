import type { Transaction } from '../../../store/database.ts'
import {
  dropEndedDeliveries,
  findEndOfLog,
  giveUpDeliveries,
  listBacklogExcess,
  trimLog,
  type SubscriptionRef,
} from '../../../store/webhook_deliveries.ts'
import { listAllSubscriptions, noteFailures, type WebhookSubscriptionRow } from '../../../store/webhook_subscriptions.ts'

const DAY_MS = 86_400_000
const LOG_KEPT_MS = 7 * DAY_MS
/** The maximum number of entries in the log of a subscription. */
export const LOG_ROWS_MAX = 1_000
/**
 * The maximum number of pending events of a subscription. Those that are due last are dropped first, because they have failed
 * most often.
 */
const WAITING_MAX = 100_000
const TOO_MANY = 'Too many events were waiting for this receiver.'

/** Deletes old entries of the log, and pending deliveries above the maximum. @returns the number of rows */
export async function sweepDeliveries(db: Transaction, now: number, limit: number, waitingMax = WAITING_MAX): Promise<number> {
  let count = await dropEndedDeliveries(db, now - LOG_KEPT_MS, limit)
  for (const subscription of await listAllSubscriptions(db)) {
    if (count >= limit) break
    if (subscription.status === 'active') count += await dropAbove(db, subscription, now, { waitingMax, limit: limit - count })
  }
  return count
}

async function dropAbove(
  db: Transaction,
  { workspace_id: workspaceId, id: subscriptionId, activation, failing_since: failingSince }: WebhookSubscriptionRow,
  now: number,
  bounds: Parameters<typeof listBacklogExcess>[3],
): Promise<number> {
  const ref: SubscriptionRef = { workspaceId, subscriptionId }
  const ids = await listBacklogExcess(db, ref, activation, bounds)
  if (ids.length === 0) return 0
  await giveUpDeliveries(db, ref, ids, { error: TOO_MANY, now })
  if (failingSince !== null) await noteFailures(db, ref, { activation, lost: ids.length, now })
  const until = await findEndOfLog(db, ref, LOG_ROWS_MAX)
  if (until !== undefined) await trimLog(db, ref, until)
  return ids.length
}
