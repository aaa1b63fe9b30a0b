import type { Transaction } from '../../store/database.ts'
import {
  dropEndedDeliveries,
  findEndOfLog,
  giveUpDeliveries,
  listBeyondBacklog,
  trimLog,
  type SubscriptionRef,
} from '../../store/webhook_deliveries.ts'
import { listAllSubscriptions, noteFailures, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'

const DAY_MS = 86_400_000
const LOG_KEPT_MS = 7 * DAY_MS
/** The log of a subscription has no more. */
export const LOG_ROWS_MAX = 1_000
/** So many events of a subscription may wait. What is due last has failed most often, and is given up first. */
const WAITING_MAX = 100_000
const TOO_MANY = 'Too many events waited for this receiver.'

/** Drops what has been in the log for long, and gives up what waits beyond all measure. @returns how many */
export async function sweepDeliveries(db: Transaction, now: number, limit: number, waitingMax = WAITING_MAX): Promise<number> {
  let count = await dropEndedDeliveries(db, now - LOG_KEPT_MS, limit)
  for (const subscription of await listAllSubscriptions(db)) {
    if (count >= limit) break
    if (subscription.status === 'active') count += await giveUpBeyond(db, subscription, now, { waitingMax, limit: limit - count })
  }
  return count
}

async function giveUpBeyond(
  db: Transaction,
  { workspace_id: workspaceId, id: subscriptionId, activation, failing_since: failingSince }: WebhookSubscriptionRow,
  now: number,
  bounds: Parameters<typeof listBeyondBacklog>[3],
): Promise<number> {
  const ref: SubscriptionRef = { workspaceId, subscriptionId }
  const ids = await listBeyondBacklog(db, ref, activation, bounds)
  if (ids.length === 0) return 0
  await giveUpDeliveries(db, ref, ids, { error: TOO_MANY, now })
  if (failingSince !== null) await noteFailures(db, ref, { activation, lost: ids.length, now })
  const until = await findEndOfLog(db, ref, LOG_ROWS_MAX)
  if (until !== undefined) await trimLog(db, ref, until)
  return ids.length
}
