import { andThen, type MaybePromise } from '../kernel/maybe_promise.ts'
import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** What is stored of a page in addition to its block. */
export interface PageDetails {
  readonly icon: unknown
  readonly cover: unknown
  readonly isLocked: boolean
  readonly isArchived: boolean
}

/** The values of a row by property id, each in the stored form of its type. Empty values are omitted; the title is in the block. */
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

function fromRow(row: PageRow): PageDetails {
  return {
    icon: fromJson(row.icon),
    cover: fromJson(row.cover),
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

/** Pages by id, each with its values. */
export function findPageRecords(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): MaybePromise<Map<string, PageRecord>> {
  const found = findRowsById(db, recordRow, 'pages', workspaceId, ids)
  return andThen(found, (rows) => new Map(rows.map((row) => [row.id, toRecord(row)])))
}

function toRecord(row: RowOf<typeof recordRow>): PageRecord {
  return { ...fromRow(row), values: (fromJson(row.row_values) ?? {}) as RowValues }
}

/** The stored icons of pages by id; null for a page without one. */
export async function findIcons(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await findRowsById(db, { id: 'text', icon: 'text?' }, 'pages', workspaceId, ids)
  return new Map(rows.map(({ id, icon }) => [id, fromJson(icon)]))
}

export async function insertPage(db: Transaction, workspaceId: string, id: string, page: PageDetails): Promise<void> {
  await db.run(
    sql`insert into pages (workspace_id, id, icon, cover, is_locked, is_archived)
      values (${workspaceId}, ${id}, ${toJson(page.icon)}, ${toJson(page.cover)}, ${Number(page.isLocked)},
      ${Number(page.isArchived)})`,
  )
}

export async function updatePageDetails(db: Transaction, workspaceId: string, id: string, page: PageDetails): Promise<void> {
  await db.run(
    sql`update pages set icon = ${toJson(page.icon)}, cover = ${toJson(page.cover)}, is_locked = ${Number(page.isLocked)},
      is_archived = ${Number(page.isArchived)} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function fromJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
