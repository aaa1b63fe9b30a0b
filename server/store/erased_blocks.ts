import { yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import { dropCommentsOn } from './comments.ts'
import type { Connection, Transaction } from './database.ts'
import { dropMeetingNotes } from './meeting_notes.ts'
import { rowOf, type RowOf } from './row_shape.ts'

/** Pages and databases stay when the content around them goes. */
const IS_CONTENT = `type not in ('child_page', 'child_database')`

/**
 * Drops the blocks directly on a page, outside the trash. What is below them is dropped by `dropBelowErased`.
 * @returns their ids
 */
export async function eraseContent(db: Transaction, workspaceId: string, pageId: string): Promise<string[]> {
  for (const dropped: string[] = []; ;) {
    const found = await db.all(
      { id: 'text' },
      `select id from blocks where workspace_id = ? and parent_id = ? and in_trash = 0 and ${IS_CONTENT} limit ?`,
      workspaceId,
      pageId,
      BLOCKS_AT_ONCE,
    )
    const ids = found.map(({ id }) => id)
    await erase(db, workspaceId, ids)
    dropped.push(...ids)
    if (found.length < BLOCKS_AT_ONCE) return dropped
    await yieldToEventLoop()
  }
}

/** Drops blocks, and notes that what is below them goes too. */
async function erase(db: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.insert({ table: 'erased_blocks', columns: ['workspace_id', 'id'], rows: ids.map((id) => [workspaceId, id]) })
  await deleteIds(db, 'blocks', workspaceId, ids)
  await dropMeetingNotes(db, workspaceId, ids)
}

/** Notes that what is below a block that was never stored goes. */
export async function eraseBelow(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run('insert into erased_blocks (workspace_id, id) values (?, ?) on conflict do nothing', workspaceId, id)
}

const PARENTS_AT_ONCE = 500
const BLOCKS_AT_ONCE = 1_000

/**
 * Drops what is below erased blocks, and the comments on them.
 * @param workspaceId undefined for any workspace
 * @param limit about so many rows
 * @returns how many; fewer than `limit` when nothing is left
 */
export async function dropBelowErased(db: Transaction, workspaceId: string | undefined, limit: number): Promise<number> {
  let dropped = 0
  while (dropped < limit) {
    const parents = await listErased(db, workspaceId)
    const [first] = parents
    if (!first) return dropped
    const ids = parents.filter((parent) => parent.workspace_id === first.workspace_id).map(({ id }) => id)
    dropped += await dropChildren(db, first.workspace_id, ids)
  }
  return dropped
}

const erasedRow = rowOf({
  workspace_id: 'text',
  id: 'text',
})
type ErasedRow = RowOf<typeof erasedRow>

/** Held until the transaction ends: no one else drops what is below them at the same time. */
function listErased(db: Connection, workspaceId: string | undefined): Promise<ErasedRow[]> {
  return workspaceId === undefined
    ? db.all(
        erasedRow,
        `select workspace_id, id from erased_blocks order by workspace_id, id limit ?${db.forUpdate}`,
        PARENTS_AT_ONCE,
      )
    : db.all(
        erasedRow,
        `select workspace_id, id from erased_blocks where workspace_id = ? order by id limit ?${db.forUpdate}`,
        workspaceId,
        PARENTS_AT_ONCE,
      )
}

/** @returns how many rows went, those of finished parents included: never none */
async function dropChildren(db: Transaction, workspaceId: string, parentIds: readonly string[]): Promise<number> {
  const parents = db.wanted(parentIds)
  const children = await db.all(
    { id: 'text' },
    `select b.id from ${parents.table}
     ${db.lookUpEach('blocks', 'b', `b.workspace_id = ? and b.parent_id = wanted.id and b.${IS_CONTENT}`)} limit ?`,
    parents.parameter,
    workspaceId,
    BLOCKS_AT_ONCE,
  )
  const ids = children.map(({ id }) => id)
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
  const wanted = db.wanted(ids)
  return db.run(
    `delete from ${table} where workspace_id = ? and id in (select wanted.id from ${wanted.table})`,
    workspaceId,
    wanted.parameter,
  )
}
