import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** Shares an item and everything below it with a bot. @param itemId the item, or the workspace's own id for the whole workspace */
export async function insertGrant(
  db: Transaction,
  workspaceId: string,
  botId: string,
  itemId: string,
  now: number,
): Promise<void> {
  await db.run(
    sql`insert into grants (workspace_id, bot_id, item_id, created_time) values (${workspaceId}, ${botId}, ${itemId}, ${now})
      on conflict do nothing`,
  )
}

/** @returns whether the item had been shared */
export async function deleteGrant(db: Transaction, workspaceId: string, botId: string, itemId: string): Promise<boolean> {
  return (
    (await db.change(sql`delete from grants where workspace_id = ${workspaceId} and bot_id = ${botId} and item_id = ${itemId}`)) >
    0
  )
}

export async function deleteGrantsOf(db: Transaction, workspaceId: string, botId: string): Promise<void> {
  await db.run(sql`delete from grants where workspace_id = ${workspaceId} and bot_id = ${botId}`)
}

const grantRow = rowOf({
  bot_id: 'text',
  item_id: 'text',
  created_time: 'integer',
})
type GrantRow = RowOf<typeof grantRow>

export async function listGrants(db: Connection, workspaceId: string, botId: string): Promise<GrantRow[]> {
  return db.all(
    grantRow,
    sql`select bot_id, item_id, created_time from grants where workspace_id = ${workspaceId} and bot_id = ${botId}
      order by created_time, item_id`,
  )
}
