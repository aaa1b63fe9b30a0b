import type { Connection } from '../../store/database.ts'
import { findSubscription, type WebhookSubscriptionRow } from '../../store/webhook_subscriptions.ts'
import { sightOf } from '../events/sight.ts'
import type { EventActor, FormedEvent } from './payload.ts'

/** What has to be known anew for each attempt. */
export interface PresentState {
  /** Whether the subscription is still what it was when its turn began. */
  readonly isActive: boolean
  /** Whether its connection may still see what the event is about. */
  readonly mayBeSent: boolean
  /** Of public connections: their bots that see the entity, and the users of those. */
  readonly accessibleBy: readonly EventActor[] | undefined
}

export async function lookAgain(
  db: Connection,
  { workspace_id: workspaceId, id, activation, connection_id: connectionId }: WebhookSubscriptionRow,
  event: FormedEvent,
): Promise<PresentState> {
  const row = await findSubscription(db, workspaceId, id)
  const isActive = row?.status === 'active' && row.activation === activation
  return { isActive, ...(await sightOf(db, connectionId, event)) }
}
