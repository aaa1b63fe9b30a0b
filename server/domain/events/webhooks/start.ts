import type { Transaction } from '../../../store/database.ts'
import { enqueue, enqueueAll } from '../../shared/index.ts'
import { DELIVERY_KIND, RETRY_KIND, SLOW_DELIVERY_KIND, VERIFICATION_KIND, type SubscriptionWork } from './kinds.ts'

/** Retries of a subscription that are due within this number of milliseconds start together, at the end of that time. */
const RETRY_WINDOW_MS = 5_000

/** Sends the verification token of a subscription to its address once the transaction has committed. */
export function requestVerification(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueue(db, { kind: VERIFICATION_KIND, workspaceId: work.homeId, payload: work, dueTime: now })
}

/** Enqueues the delivery of due events of a subscription. */
export function startDelivery(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueueOnce(db, DELIVERY_KIND, work, now)
}

/** Like `startDelivery`, for several subscriptions. */
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

/** Like `startDelivery`, for subscriptions with slow receivers. */
export function startSlowDelivery(db: Transaction, work: SubscriptionWork, now: number): Promise<void> {
  return enqueueOnce(db, SLOW_DELIVERY_KIND, work, now)
}

/** The time at which deliveries that are due at `dueTime` are retried: a few seconds later at most. */
export function retryTimeOf(dueTime: number): number {
  return Math.ceil(dueTime / RETRY_WINDOW_MS) * RETRY_WINDOW_MS
}

/** Enqueues retries. @param time from `retryTimeOf` */
export function retryAt(
  db: Transaction,
  { homeId, subscriptionId, time }: SubscriptionWork & { readonly time: number },
): Promise<void> {
  const key = `${subscriptionId} ${time}`
  return enqueue(db, { kind: RETRY_KIND, workspaceId: homeId, key, payload: { homeId, subscriptionId }, dueTime: time })
}

/** Enqueues a job. Each subscription has one at a time. */
function enqueueOnce(db: Transaction, kind: string, work: SubscriptionWork, dueTime: number): Promise<void> {
  return enqueue(db, { kind, workspaceId: work.homeId, key: work.subscriptionId, payload: work, dueTime })
}
