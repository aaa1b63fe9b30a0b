import type { Transaction } from '../../store/database.ts'
import { enqueue, enqueueAll } from '../jobs/queue.ts'
import { DELIVERY_KIND, RETRY_KIND, SLOW_DELIVERY_KIND, VERIFICATION_KIND, type SubscriptionWork } from './kinds.ts'

/** Retries of a subscription that are due within so many milliseconds begin together, at the end of them. */
const RETRY_WINDOW_MS = 5_000

/** Sends the verification token of a subscription to its address, once the transaction has committed. */
export function requestVerification(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueue(db, { kind: VERIFICATION_KIND, workspaceId: work.homeId, payload: work, dueTime: now })
}

/** Has what is due of a subscription delivered, and what is void dropped. */
export function startDelivery(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueueOnce(db, DELIVERY_KIND, work, now)
}

/** As `startDelivery`, for several subscriptions. */
export function startDeliveries(db: Transaction, works: readonly SubscriptionWork[], now: number): Promise<void> {
  return enqueueAll(
    db,
    works.map((work) => ({
      kind: DELIVERY_KIND,
      workspaceId: work.homeId,
      key: work.subscriptionId,
      payload: work,
      dueTime: now,
    })),
  )
}

/** As `startDelivery`, among the subscriptions whose receivers take their time. */
export function startSlowDelivery(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueueOnce(db, SLOW_DELIVERY_KIND, work, now)
}

/** When what is due at a time begins again: at most a few seconds later. */
export function retryTimeOf(dueTime: number): number {
  return Math.ceil(dueTime / RETRY_WINDOW_MS) * RETRY_WINDOW_MS
}

/** Has deliveries begin again. @param time from `retryTimeOf` */
export function retryAt(
  db: Transaction,
  { homeId, subscriptionId, time }: SubscriptionWork & { readonly time: number },
): Promise<void> {
  const key = `${subscriptionId} ${time}`
  return enqueue(db, { kind: RETRY_KIND, workspaceId: homeId, key, payload: { homeId, subscriptionId }, dueTime: time })
}

/** A job of a subscription that there is one of at a time. */
function enqueueOnce(db: Transaction, kind: string, work: SubscriptionWork, dueTime: number): Promise<void> {
  return enqueue(db, { kind, workspaceId: work.homeId, key: work.subscriptionId, payload: work, dueTime })
}
