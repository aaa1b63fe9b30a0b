import type { Connection } from '../../../store/database.ts'
import type { DueDelivery } from '../../../store/webhook_deliveries.ts'
import { hasActivation, type WebhookSubscriptionRow } from '../../../store/webhook_subscriptions.ts'
import { visibilitiesOf, type Visibility } from '../visibility.ts'
import type { FormedEvent } from './payload.ts'
import { readJson } from '../../../store/stored/read_json.ts'

/** The visibility determined when an event was formed is used for a first attempt within this time. */
const FRESH_MS = 5_000
const SEEN: Visibility = { mayBeSent: true, accessibleBy: undefined }
const NOT_SEEN: Visibility = { mayBeSent: false, accessibleBy: undefined }

/**
 * Checks the recipients again for each delivery attempt.
 * @param isPublic whether the deliveries are for a public connection, whose payloads list who sees the entity
 * @returns an entry for each delivery; undefined if the subscription is no longer active, or was activated again
 */
export async function checkAgain(
  db: Connection,
  subscription: WebhookSubscriptionRow,
  isPublic: boolean,
  deliveries: readonly DueDelivery[],
  now: number,
): Promise<readonly Visibility[] | undefined> {
  if (!(await hasActivation(db, subscription))) return undefined
  const known = new Map<DueDelivery, Visibility>()
  const isFresh = ({ attempts, created_time: time }: DueDelivery): boolean => attempts === 0 && now - time < FRESH_MS
  const stale = deliveries.filter((delivery) => isPublic || !isFresh(delivery))
  // Nobody sees the subject of a damaged event.
  for (const delivery of stale) known.set(delivery, NOT_SEEN)
  const readable = stale.flatMap((delivery) => {
    const event = readJson('webhook_deliveries.event', delivery.event_id, delivery.event) as FormedEvent | null
    return event ? [{ delivery, event }] : []
  })
  const [asked, events] = [readable.map(({ delivery }) => delivery), readable.map(({ event }) => event)]
  const found = asked.length > 0 ? await visibilitiesOf(db, subscription.connection_id, events) : []
  for (const [index, delivery] of asked.entries()) known.set(delivery, found[index] ?? NOT_SEEN)
  return deliveries.map((delivery) => known.get(delivery) ?? SEEN)
}
