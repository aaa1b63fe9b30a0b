import { idsOf } from '../kernel/ids.ts'
import { yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import { dropCommentsOn } from './comments.ts'
import type { Connection, Transaction } from './database.ts'
import { dropMeetingNotes } from './meeting_notes.ts'
import { raw, sql } from './sql.ts'

/** The rows that are erased with a page's content. Pages and databases are kept. */
const IS_CONTENT = sql`type not in ('child_page', 'child_database')`

/**
 * Deletes the top-level blocks of a page that are not in the trash. `dropBelowErased` later deletes the blocks below them.
 * @returns the ids of the deleted blocks
 */
export async function eraseContent(db: Transaction, workspaceId: string, pageId: string): Promise<string[]> {
  for (const dropped: string[] = []; ;) {
    const found = await db.all(
      { id: 'text' },
      sql`select id from blocks where workspace_id = ${workspaceId} and parent_id = ${pageId} and in_trash = 0 and ${IS_CONTENT}
        limit ${BLOCKS_AT_ONCE}`,
    )
    const ids = idsOf(found)
    await erase(db, workspaceId, ids)
    dropped.push(...ids)
    if (found.length < BLOCKS_AT_ONCE) return dropped
    await yieldToEventLoop()
  }
}

/** Deletes blocks and schedules the blocks below them for deletion. */
async function erase(db: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.insert({ table: 'erased_blocks', columns: ['workspace_id', 'id'], rows: ids.map((id) => [workspaceId, id]) })
  await deleteIds(db, 'blocks', workspaceId, ids)
  await dropMeetingNotes(db, workspaceId, ids)
}

/** Schedules the blocks below an id for deletion, even though the block itself was never stored. */
export async function eraseBelow(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`insert into erased_blocks (workspace_id, id) values (${workspaceId}, ${id}) on conflict do nothing`)
}

const PARENTS_AT_ONCE = 500
const BLOCKS_AT_ONCE = 1_000

/**
 * Deletes the blocks below erased blocks, and the comments on erased blocks.
 * @param workspaceId undefined for all workspaces
 * @param limit the approximate number of rows to delete
 * @returns the number of deleted rows; fewer than `limit` if nothing is left
 */
export async function dropBelowErased(db: Transaction, workspaceId: string | undefined, limit: number): Promise<number> {
  let dropped = 0
  while (dropped < limit) {
    const id = workspaceId ?? (await nextWorkspace(db))
    const parents = id === undefined ? [] : await listErased(db, id)
    if (id === undefined || parents.length === 0) return dropped
    dropped += await dropChildren(db, id, parents)
  }
  return dropped
}

async function nextWorkspace(db: Connection): Promise<string | undefined> {
  const row = await db.get({ workspace_id: 'text' }, sql`select workspace_id from erased_blocks order by workspace_id limit 1`)
  return row?.workspace_id
}

/**
 * Lists blocks below which blocks must be deleted. Locks the rows until the transaction ends, so that no other process deletes below the
 * same blocks.
 */
async function listErased(db: Connection, workspaceId: string): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from erased_blocks where workspace_id = ${workspaceId} order by id
      limit ${PARENTS_AT_ONCE}${raw(db.forUpdate)}`,
  )
  return idsOf(rows)
}

/** @returns the number of deleted rows, including finished entries of `erased_blocks`: at least one */
async function dropChildren(db: Transaction, workspaceId: string, parentIds: readonly string[]): Promise<number> {
  const children = await db.all(
    { id: 'text' },
    sql`select b.id from ${db.wanted(parentIds)}
     ${db.lookUpEach('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.parent_id = wanted.id and b.${IS_CONTENT}`)}
     limit ${BLOCKS_AT_ONCE}`,
  )
  const ids = idsOf(children)
  await erase(db, workspaceId, ids)
  if (ids.length === BLOCKS_AT_ONCE) return ids.length
  const comments = await dropCommentsOn(db, workspaceId, parentIds, BLOCKS_AT_ONCE)
  if (comments === BLOCKS_AT_ONCE) return ids.length + comments
  return ids.length + comments + (await deleteIds(db, 'erased_blocks', workspaceId, parentIds))
}

function deleteIds(
  db: Transaction,
  table: 'blocks' | 'erased_blocks',
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  return db.change(
    sql`delete from ${raw(table)} where workspace_id = ${workspaceId} and id in (select wanted.id from ${db.wanted(ids)})`,
  )
}
