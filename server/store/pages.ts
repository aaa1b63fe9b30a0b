import { inSlices, type SlicedWork } from '../kernel/yield_to_event_loop.ts'
import type { Viewer } from './access.ts'
import { blockColumns, blockRow, toBlock, type Block } from './blocks.ts'
import type { Connection, Transaction } from './database.ts'
import { detailJson, insertPages, type PageDetails } from './page_details.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'
import { isVisible } from './visibility.ts'
import { readNullableJson } from './stored/read_json.ts'

/** The values of a row by property id, each in the stored form of its type. Empty values are omitted; the block contains the title. */
export type RowValues = Readonly<Record<string, unknown>>

/** A page with its property values, which are empty unless it belongs to a data source. */
export interface PageRecord extends PageDetails {
  readonly values: RowValues
}

const pageRow = rowOf({
  id: 'text',
  icon: 'text?',
  cover: 'text?',
  is_locked: 'integer',
  is_archived: 'integer',
})
type PageRow = RowOf<typeof pageRow>

const recordRow = rowOf({ ...pageRow, row_values: 'text?' })

const visiblePageRow = rowOf({ ...blockRow, ...recordRow, is_locked: 'integer?', is_archived: 'integer?' })

function fromRow(row: PageRow): PageDetails {
  return {
    icon: readNullableJson('pages.icon', row.id, row.icon),
    cover: readNullableJson('pages.cover', row.id, row.cover),
    isLocked: Boolean(row.is_locked),
    isArchived: Boolean(row.is_archived),
  }
}

export async function findPage(db: Connection, workspaceId: string, id: string): Promise<PageDetails | undefined> {
  const row = await db.get(
    pageRow,
    sql`select id, icon, cover, is_locked, is_archived from pages where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row && fromRow(row)
}

/**
 * A block that the viewer can see, with its stored data as a page: like `findVisibleBlock` and `findPageRecords`, but in one statement. The
 * record is undefined if the block is not a page.
 */
export async function findVisiblePage(
  db: Connection,
  viewer: Viewer,
  id: string,
): Promise<{ readonly block: Block; readonly record: PageRecord | undefined } | undefined> {
  const { workspaceId } = viewer
  const row = await db.get(
    visiblePageRow,
    sql`select ${blockColumns(workspaceId)}, p.icon, p.cover, p.is_locked, p.is_archived, p.row_values from blocks b
      left join pages p on p.workspace_id = b.workspace_id and p.id = b.id
      where b.workspace_id = ${workspaceId} and b.id = ${id} ${isVisible(db, viewer)}`,
  )
  if (!row) return undefined
  const { is_locked, is_archived } = row
  const isPage = is_locked !== null && is_archived !== null
  return { block: toBlock(row), record: isPage ? toRecord({ ...row, is_locked, is_archived }) : undefined }
}

/** Pages by id, each with its values. */
export async function findPageRecords(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, PageRecord>> {
  return inSlices(parsed(await findRowsById(db, recordRow, 'pages', workspaceId, ids)))
}

/** Parses the values of rows, in steps. Values may be long: parsing them may take longer than reading them. */
function* parsed(rows: readonly RowOf<typeof recordRow>[]): SlicedWork<Map<string, PageRecord>> {
  const records = new Map<string, PageRecord>()
  for (const row of rows) {
    records.set(row.id, toRecord(row))
    yield
  }
  return records
}

function toRecord(row: RowOf<typeof recordRow>): PageRecord {
  return { ...fromRow(row), values: (readNullableJson('pages.row_values', row.id, row.row_values) ?? {}) as RowValues }
}

/** The stored icons of pages by id; null for a page without one. */
export async function findIcons(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await findRowsById(db, { id: 'text', icon: 'text?' }, 'pages', workspaceId, ids)
  return new Map(rows.map(({ id, icon }) => [id, readNullableJson('pages.icon', id, icon)]))
}

export async function insertPage(db: Transaction, workspaceId: string, id: string, page: PageDetails): Promise<void> {
  await insertPages(db, workspaceId, [{ id, ...page }])
}

export async function updatePageDetails(db: Transaction, workspaceId: string, id: string, page: PageDetails): Promise<void> {
  await db.run(
    sql`update pages set icon = ${detailJson(page.icon)}, cover = ${detailJson(page.cover)}, is_locked = ${Number(page.isLocked)},
      is_archived = ${Number(page.isArchived)} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}
