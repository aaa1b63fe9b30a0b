import type { Connection } from '../../store/database.ts'
import { findSubscription, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { sightOf, type Sight } from '../events/sight.ts'
import type { FormedEvent } from './payload.ts'

/**
 * What has to be known anew for each attempt at a delivery.
 * @returns undefined when the subscription is not active any more, or anew
 */
export async function lookAgain(
  db: Connection,
  { workspace_id: workspaceId, id, activation }: WebhookSubscriptionRow,
  event: FormedEvent,
): Promise<Sight | undefined> {
  const row = await findSubscription(db, workspaceId, id)
  const isSame = row?.status === 'active' && row.activation === activation
  return isSame ? sightOf(db, row.connection_id, event) : undefined
}
