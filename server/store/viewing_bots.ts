import { itemAbove } from './access.ts'
import { parentTypes, type ParentType } from './blocks.ts'
import type { Connection } from './database.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { rowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** A bot that can see a block. */
export interface ViewingBot {
  readonly id: string
  /** The person who authorized the bot; null for the bot of an internal connection. */
  readonly ownerId: string | null
  readonly connectionId: string
}

/**
 * The bots of some connections that can see each of the blocks, because the block, an item above it, or the whole workspace was shared with
 * them. For bots, neither the trash nor the access rules of members matter.
 */
export async function findViewingBots(
  db: Connection,
  workspaceId: string,
  blockIds: readonly string[],
  connectionIds: readonly string[],
): Promise<Map<string, ViewingBot[]>> {
  const seeing = new Map<string, ViewingBot[]>()
  if (blockIds.length === 0 || connectionIds.length === 0) return seeing
  const above = itemAbove('b')
  const rows = await db.all(
    { start: 'text', id: 'text', owner_id: 'text?', connection_id: 'text' },
    sql`with recursive ancestry (start, id, above_id) as (
       select b.id, b.id, ${above} from ${rowsById(db, 'blocks', 'b', workspaceId, blockIds)}
       union all
       select a.start, b.id, ${above}
       from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.above_id`)}),
     items (start, id) as (select start, id from ancestry union all select start, ${workspaceId} from ancestry
     where above_id is null) select distinct i.start, u.id, u.owner_id, u.connection_id
     from items i ${db.lookUpEach('grants', 'g', sql`g.workspace_id = ${workspaceId} and g.item_id = i.id`)}
     ${db.lookUp('users', 'u', sql`u.workspace_id = ${workspaceId} and u.id = g.bot_id`)}
     where u.left_time is null and u.connection_id in (select wanted.id from ${db.wanted(connectionIds)})
     order by i.start, u.id`,
  )
  for (const { start, id, owner_id: ownerId, connection_id: connectionId } of rows)
    seeing.set(start, [...(seeing.get(start) ?? []), { id, ownerId, connectionId }])
  return seeing
}

const placeRow = rowOf({ id: 'text', type: 'text', parent_type: parentTypes, parent_id: 'text' })

export interface BlockPlace {
  readonly id: string
  readonly type: string
  readonly parentType: ParentType
  readonly parentId: string
}

/** The parents of blocks, by id, without reading their content. */
export async function findPlaces(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, BlockPlace>> {
  const rows = await findRowsById(db, placeRow, 'blocks', workspaceId, ids)
  return new Map(
    rows.map(({ id, type, parent_type: parentType, parent_id: parentId }) => [id, { id, type, parentType, parentId }]),
  )
}

/** Bots by id, without those that have been removed. */
export async function findBots(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, ViewingBot>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    { id: 'text', owner_id: 'text?', connection_id: 'text' },
    sql`select u.id, u.owner_id, u.connection_id from ${rowsById(db, 'users', 'u', workspaceId, ids)}
      where u.connection_id is not null and u.left_time is null`,
  )
  return new Map(rows.map(({ id, owner_id: ownerId, connection_id: connectionId }) => [id, { id, ownerId, connectionId }]))
}
