import type { Transaction } from '../database.ts'
import { titlesInTrashSchema } from '../dialects/title_keys.ts'
import { addTitles } from '../titles.ts'
import type { Migration } from './migration.ts'

/** Data sources are in the trash with their database, and those that were there before search knew of any are found. */
export const titlesInTrash: Migration = {
  name: 'titles in the trash',
  statements: (_types, engine) => [
    ...titlesInTrashSchema[engine],
    `update titles set in_trash = 1 where kind = 'data_source' and in_trash = 0 and exists (
       select 1 from blocks d where d.workspace_id = titles.workspace_id and d.id = titles.parent_id and d.in_trash = 1)`,
  ],
  fill: indexWhatIsThere,
}

const DATA_SOURCES_AT_ONCE = 1_000

interface DataSourceRow {
  id: string
  parent_id: string
  content: string
  last_edited_time: number
  in_trash: number
}

async function indexWhatIsThere(db: Transaction): Promise<void> {
  for (const { id: workspaceId } of await db.all<{ id: string }>('select id from workspaces')) {
    let behind: string | undefined = '00000000-0000-0000-0000-000000000000'
    while (behind !== undefined) {
      const rows: DataSourceRow[] = await db.all<DataSourceRow>(
        `select b.id, b.parent_id, b.content, b.last_edited_time, case when b.in_trash = 1 then 1 else a.in_trash end as in_trash
         from (select s.id from data_sources s where s.workspace_id = ? and s.id > ? and not exists (
           select 1 from titles t where t.workspace_id = s.workspace_id and t.id = s.id) order by s.id limit ?) d
         ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = d.id')}
         ${db.lookUp('blocks', 'a', 'a.workspace_id = ? and a.id = b.parent_id')}
         order by b.id`,
        workspaceId,
        behind,
        DATA_SOURCES_AT_ONCE,
        workspaceId,
        workspaceId,
      )
      await addTitles(db, workspaceId, rows.map(titleOf))
      behind = rows.at(-1)?.id
    }
  }
}

function titleOf(row: DataSourceRow): Parameters<typeof addTitles>[2][number] {
  const content = JSON.parse(row.content) as Readonly<Record<string, unknown>>
  return {
    id: row.id,
    kind: 'data_source',
    parentId: row.parent_id,
    aboveId: row.parent_id,
    title: content['title'],
    lastEditedTime: row.last_edited_time,
    inTrash: row.in_trash > 0,
  }
}
