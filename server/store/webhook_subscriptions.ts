import type { Connection } from './database.ts'
import { rowOf } from './row_shape.ts'

/** What forming events needs to know of a subscription that is active. */
const listenerRow = rowOf({
  /** The home workspace of the connection. */
  workspace_id: 'text',
  id: 'text',
  connection_id: 'text',
  /** JSON list. */
  event_types: 'text',
  api_version: 'text',
  /** What happened before is not for it. */
  active_since: 'integer',
})
export interface WebhookListener {
  readonly workspaceId: string
  readonly id: string
  readonly connectionId: string
  readonly eventTypes: readonly string[]
  readonly apiVersion: string
  /** Changes before this time are not for it. */
  readonly activeSince: number
}

/**
 * The active subscriptions of all connections that have, or had, a bot in a workspace; whether the connection still is there and what
 * it may see is for the caller to ask.
 */
export async function listWebhookListeners(db: Connection, workspaceId: string): Promise<WebhookListener[]> {
  const rows = await db.all(
    listenerRow,
    `select s.workspace_id, s.id, s.connection_id, s.event_types, s.api_version, s.active_since from webhook_workspaces w
     ${db.lookUp('webhook_subscriptions', 's', 's.workspace_id = w.home_id and s.id = w.subscription_id')}
     where w.workspace_id = ? and s.status = 'active'`,
    workspaceId,
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    id: row.id,
    connectionId: row.connection_id,
    eventTypes: JSON.parse(row.event_types) as string[],
    apiVersion: row.api_version,
    activeSince: row.active_since,
  }))
}
