import type { Connection } from '../../store/database.ts'
import type { DueDelivery } from '../../store/webhook_deliveries.ts'
import { hasActivation, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { visibilityOf, type Visibility } from '../events/visibility.ts'
import type { FormedEvent } from './payload.ts'

/** Forming an event has found out who sees what it is about; for a first attempt, that is good for so long. */
const FRESH_MS = 5_000

/**
 * What has to be known anew for each attempt at a delivery.
 * @param isPublic whether they are for a public connection, which is told who sees what events are about
 * @returns for each delivery; undefined when the subscription is not active any more, or anew
 */
export async function checkAgain(
  db: Connection,
  subscription: WebhookSubscriptionRow,
  isPublic: boolean,
  deliveries: readonly DueDelivery[],
  now: number,
): Promise<readonly Visibility[] | undefined> {
  if (!(await hasActivation(db, subscription))) return undefined
  const all: Visibility[] = []
  for (const { attempts, created_time: time, event } of deliveries) {
    const isFresh = attempts === 0 && now - time < FRESH_MS
    all.push(
      isFresh && !isPublic
        ? { mayBeSent: true, accessibleBy: undefined }
        : await visibilityOf(db, subscription.connection_id, JSON.parse(event) as FormedEvent),
    )
  }
  return all
}
