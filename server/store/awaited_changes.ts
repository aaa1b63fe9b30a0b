import type { Connection } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, sql } from './sql.ts'
import { fromListeners, listenerRow, toListener, type WebhookListener } from './webhook_subscriptions.ts'

const awaitedRow = rowOf({
  workspace_id: 'text?',
  id: 'text?',
  connection_id: 'text?',
  event_types: 'text?',
  api_version: 'text?',
  active_since: 'integer?',
  trigger_type: 'text?',
})

/** Who waits for changes in a workspace. */
export interface AwaitedChanges {
  /** See `listWebhookListeners`. */
  readonly listeners: readonly WebhookListener[]
  /** The event types that trigger any agent. */
  readonly triggerTypes: readonly string[]
}

/**
 * Finds who waits for changes in a workspace: in one statement, because nearly every change needs it.
 * @param types each costs one access to an index, however many agents there are
 */
export async function findAwaitedChanges(db: Connection, workspaceId: string, types: readonly string[]): Promise<AwaitedChanges> {
  const listeners = sql`select ${columnNames(listenerRow, 's')}, null as trigger_type ${fromListeners(db, workspaceId)}`
  const triggers = types.map(
    (type) => sql`select null, null, null, null, null, null, cast(${type} as text)
      where exists (select 1 from agent_triggers where workspace_id = ${workspaceId} and type = ${type})`,
  )
  const rows = await db.all(awaitedRow, joinSql([listeners, ...triggers], ' union all '))
  return {
    listeners: rows.flatMap((row) => (isListener(row) ? [toListener(row)] : [])),
    triggerTypes: rows.flatMap(({ trigger_type: type }) => (type === null ? [] : [type])),
  }
}

type AwaitedRow = RowOf<typeof awaitedRow>

/** Whether a row belongs to a subscription, whose columns are never null. */
function isListener(row: AwaitedRow): row is AwaitedRow & RowOf<typeof listenerRow> {
  return row.trigger_type === null
}
