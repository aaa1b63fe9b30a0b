import type { Block } from './blocks.ts'
import { findBlocks } from './blocks.ts'
import type { Connection } from './database.ts'

/** Where a walk through the pages goes on: the edit time and id of the last one seen. */
export interface EditPosition {
  readonly time: number
  readonly id: string
}

/**
 * Pages and databases outside the trash, last edited first.
 * @param words lower-case ASCII; each has to stand somewhere in the content. A coarse sieve: the caller looks at the titles
 */
export async function listPagesByEdit(
  db: Connection,
  workspaceId: string,
  words: readonly string[],
  before: EditPosition | undefined,
  limit: number,
): Promise<Block[]> {
  const sieve = words.map(() => ` and lower(content) like ? escape '\\'`).join('')
  const rows = await db.all<{ id: string }>(
    `select id from blocks where workspace_id = ? and type in ('child_page', 'child_database') and in_trash = 0${sieve}
       ${before === undefined ? '' : 'and (last_edited_time, id) < (?, ?)'} order by last_edited_time desc, id desc limit ?`,
    workspaceId,
    ...words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    ...(before === undefined ? [] : [before.time, before.id]),
    limit,
  )
  const found = await findBlocks(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => found.get(id) ?? [])
}

/** Those of the ids that are in the trash, or below something that is. */
export async function trashedAmong(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const trashed = new Set<string>()
  if (ids.length === 0) return trashed
  const wanted = db.wanted(ids)
  const rows = await db.all<{ id: string }>(
    `with recursive ancestry (start, parent_id, parent_type, in_trash) as (
       select b.id, b.parent_id, b.parent_type, b.in_trash from ${wanted.table}
       ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = wanted.id')}
       union all
       select a.start, b.parent_id, b.parent_type, b.in_trash
       from ancestry a ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = a.parent_id')} where a.parent_type <> 'workspace')
     select distinct start as id from ancestry where in_trash = 1`,
    wanted.parameter,
    workspaceId,
    workspaceId,
  )
  for (const { id } of rows) trashed.add(id)
  return trashed
}
