import type { Connection } from '../../store/database.ts'
import type { DueDelivery } from '../../store/webhook_deliveries.ts'
import { hasActivation, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { sightOf, type Sight } from '../events/sight.ts'
import type { FormedEvent } from './payload.ts'

/** Forming an event has asked who sees what it is about; for a first attempt, that is good for so long. */
const FRESH_MS = 5_000

/**
 * What has to be known anew for each attempt at a delivery.
 * @param isPublic whether it is for a public connection, which is told who sees it
 * @returns undefined when the subscription is not active any more, or anew
 */
export async function lookAgain(
  db: Connection,
  subscription: WebhookSubscriptionRow,
  isPublic: boolean,
  { attempts, created_time: time }: Pick<DueDelivery, 'attempts' | 'created_time'>,
  event: FormedEvent,
  now: number,
): Promise<Sight | undefined> {
  if (!(await hasActivation(db, subscription))) return undefined
  const isFresh = attempts === 0 && now - time < FRESH_MS
  return isFresh && !isPublic ? { mayBeSent: true, accessibleBy: undefined } : sightOf(db, subscription.connection_id, event)
}
