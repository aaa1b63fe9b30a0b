import { inSlices, type SlicedWork } from '../kernel/yield_to_event_loop.ts'
import type { Connection, Transaction } from './database.ts'
import type { RowValues } from './pages.ts'
import { findRowsById } from './rows_by_id.ts'
import { sql } from './sql.ts'
import { readJson } from './stored/read_json.ts'

/** The values of rows by page id. Pages without values are omitted. */
export async function findRowValues(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, RowValues>> {
  const rows = await findRowsById(db, { id: 'text', row_values: 'text?' }, 'pages', workspaceId, ids)
  return inSlices(parsed(rows))
}

function* parsed(
  rows: readonly { readonly id: string; readonly row_values: string | null }[],
): SlicedWork<Map<string, RowValues>> {
  const values = new Map<string, RowValues>()
  for (const { id, row_values: text } of rows) {
    if (text !== null) values.set(id, readJson('pages.row_values', id, text) as RowValues)
    yield
  }
  return values
}

/** @param text the values as JSON; null for a page that is not in a data source */
export async function updateRowValues(db: Transaction, workspaceId: string, id: string, text: string | null): Promise<void> {
  await db.run(
    sql`update pages set row_values = ${text} where workspace_id = ${workspaceId}
      and id = ${id}`,
  )
}

/** A row or a template of a data source. */
export interface PageOfSource {
  readonly id: string
  readonly rank: string
  readonly isRow: boolean
  readonly createdTime: number
}

/** The rows and templates of a data source after a rank, either those in the trash or the others. */
export async function listPagesAfter(
  db: Connection,
  workspaceId: string,
  dataSourceId: string,
  inTrash: boolean,
  rank: string,
  limit: number,
): Promise<PageOfSource[]> {
  const pages = await db.all(
    { id: 'text', rank: 'text', parent_type: 'text', created_time: 'integer' },
    sql`select id, rank, parent_type, created_time from blocks
     where workspace_id = ${workspaceId} and parent_id = ${dataSourceId} and in_trash = ${Number(inTrash)} and rank > ${rank}
     order by rank limit ${limit}`,
  )
  return pages.map(({ id, rank: own, parent_type: type, created_time: createdTime }) => {
    return { id, rank: own, isRow: type === 'data_source_id', createdTime }
  })
}

/** The ids of all rows of a data source, oldest first, including those in the trash. */
export async function listRowsByCreation(db: Connection, workspaceId: string, dataSourceId: string): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and parent_id = ${dataSourceId}
      and parent_type = 'data_source_id' order by created_time, id`,
  )
  return rows.map(({ id }) => id)
}
