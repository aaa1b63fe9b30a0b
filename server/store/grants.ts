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

/** A share of an item with the bot of a connection. */
const sharedBotRow = rowOf({ bot_id: 'text', item_id: 'text', name: 'text?', owner_id: 'text?', connection_id: 'text' })
export type SharedBotRow = RowOf<typeof sharedBotRow>

/** The bots of connections with which the items themselves are shared, without removed ones. */
export async function listBotsGiven(
  db: Connection,
  workspaceId: string,
  itemIds: readonly string[],
  limit: number,
): Promise<SharedBotRow[]> {
  return db.all(
    sharedBotRow,
    sql`select g.bot_id, g.item_id, u.name, u.owner_id, u.connection_id from ${db.wanted(itemIds)}
      ${db.lookUpEach('grants', 'g', sql`g.workspace_id = ${workspaceId} and g.item_id = wanted.id`)}
      ${db.lookUp('users', 'u', sql`u.workspace_id = ${workspaceId} and u.id = g.bot_id`)}
      where u.connection_id is not null and u.left_time is null order by u.name, g.bot_id, g.item_id limit ${limit}`,
  )
}

export async function listGrants(db: Connection, workspaceId: string, botId: string): Promise<GrantRow[]> {
  return db.all(
    grantRow,
    sql`select bot_id, item_id, created_time from grants where workspace_id = ${workspaceId} and bot_id = ${botId}
      order by created_time, item_id`,
  )
}
