import type { Transaction } from '../database.ts'
import { titleKeysSchema } from '../dialects/title_keys.ts'
import { addTitles, titledTypes } from '../titles.ts'
import type { Migration } from './migration.ts'

/**
 * What search goes through. A title's row repeats what its order and its place depend on, so that one index holds everything in the
 * order of the last edit; it is kept apart from the engine's index of words, which an edit of the page leaves alone.
 */
export const titles: Migration = {
  name: 'titles',
  statements: ({ id, time, bytewise, number }, engine) => [
    `create table titles (
      number ${number}, workspace_id ${id} not null, id ${id} not null,
      kind text not null check (kind in ('page', 'database', 'data_source')), parent_id ${id} not null, above_id ${id} not null,
      words ${bytewise} not null, head ${bytewise} not null, in_trash integer not null, last_edited_time ${time} not null,
      unique (workspace_id, id))`,
    `create index titles_of_data_sources on titles (workspace_id, in_trash, last_edited_time, id) where kind = 'data_source'`,
    `create index titles_by_place on titles (workspace_id, above_id)`,
    `create index titles_by_head on titles (workspace_id, head)`,
    ...titleKeysSchema[engine],
  ],
  fill: indexWhatIsThere,
}

const BLOCKS_AT_ONCE = 1_000

interface TitledRow {
  id: string
  type: string
  parent_id: string
  page_id: string | null
  content: string
  in_trash: number
  last_edited_time: number
}

async function indexWhatIsThere(db: Transaction): Promise<void> {
  for (const { id: workspaceId } of await db.all<{ id: string }>('select id from workspaces')) {
    let before: TitledRow | undefined
    do {
      const rows: TitledRow[] = await db.all<TitledRow>(
        `select id, type, parent_id, page_id, content, in_trash, last_edited_time from blocks
         where workspace_id = ? and type in ('child_page', 'child_database') and (last_edited_time, id) > (?, ?)
         order by last_edited_time, id limit ?`,
        workspaceId,
        before?.last_edited_time ?? -1,
        before?.id ?? '00000000-0000-0000-0000-000000000000',
        BLOCKS_AT_ONCE,
      )
      await addTitles(db, workspaceId, rows.map(titleOf))
      before = rows.at(-1)
    } while (before !== undefined)
  }
}

function titleOf(row: TitledRow): Parameters<typeof addTitles>[2][number] {
  const content = JSON.parse(row.content) as Readonly<Record<string, unknown>>
  return {
    id: row.id,
    kind: titledTypes.get(row.type) ?? 'page',
    parentId: row.parent_id,
    aboveId: row.page_id ?? row.parent_id,
    title: content['title'],
    lastEditedTime: row.last_edited_time,
    inTrash: row.in_trash > 0,
  }
}
