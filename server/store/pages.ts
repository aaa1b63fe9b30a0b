import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** What a page has besides its block. */
export interface Page {
  readonly icon: unknown
  readonly cover: unknown
  readonly isLocked: boolean
  readonly isArchived: boolean
}

/** Values of a row by property id, each in the stored form of its type. What is empty is left out; the title is in the block. */
export type RowValues = Readonly<Record<string, unknown>>

/** What a page has besides its block, with its values where it belongs to a data source. */
export interface PageRecord extends Page {
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

function fromRow(row: PageRow): Page {
  return {
    icon: fromJson(row.icon),
    cover: fromJson(row.cover),
    isLocked: Boolean(row.is_locked),
    isArchived: Boolean(row.is_archived),
  }
}

export async function findPage(db: Connection, workspaceId: string, id: string): Promise<Page | undefined> {
  const row = await db.get(
    pageRow,
    sql`select id, icon, cover, is_locked, is_archived from pages where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row && fromRow(row)
}

/** Pages by id, each with its values. */
export async function findPageRecords(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, PageRecord>> {
  const found = new Map<string, PageRecord>()
  if (ids.length === 0) return found
  const rows = await db.all(
    { ...pageRow, row_values: 'text?' },
    sql`select p.id, p.icon, p.cover, p.is_locked, p.is_archived, p.row_values
     from ${db.wanted(ids)} ${db.lookUp('pages', 'p', sql`p.workspace_id = ${workspaceId} and p.id = wanted.id`)}`,
  )
  for (const row of rows) found.set(row.id, { ...fromRow(row), values: (fromJson(row.row_values) ?? {}) as RowValues })
  return found
}

/** Stored icons of pages; null for one without. */
export async function findIcons(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, unknown>> {
  const icons = new Map<string, unknown>()
  if (ids.length === 0) return icons
  const rows = await db.all(
    { id: 'text', icon: 'text?' },
    sql`select p.id, p.icon from ${db.wanted(ids)}
      ${db.lookUp('pages', 'p', sql`p.workspace_id = ${workspaceId} and p.id = wanted.id`)}`,
  )
  for (const row of rows) icons.set(row.id, fromJson(row.icon))
  return icons
}

export async function insertPage(db: Transaction, workspaceId: string, id: string, page: Page): Promise<void> {
  await db.run(
    sql`insert into pages (workspace_id, id, icon, cover, is_locked, is_archived)
      values (${workspaceId}, ${id}, ${toJson(page.icon)}, ${toJson(page.cover)}, ${Number(page.isLocked)},
      ${Number(page.isArchived)})`,
  )
}

export async function updatePage(db: Transaction, workspaceId: string, id: string, page: Page): Promise<void> {
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
