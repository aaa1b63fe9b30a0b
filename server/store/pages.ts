import type { Connection, Transaction } from './database.ts'

/** What a page has besides its block. */
export interface Page {
  readonly icon: unknown
  readonly cover: unknown
  readonly isLocked: boolean
  readonly isArchived: boolean
}

interface PageRow {
  icon: string | null
  cover: string | null
  is_locked: number
  is_archived: number
}

export async function findPage(db: Connection, workspaceId: string, id: string): Promise<Page | undefined> {
  const row = await db.get<PageRow>(
    'select icon, cover, is_locked, is_archived from pages where workspace_id = ? and id = ?',
    workspaceId,
    id,
  )
  return row && fromRow(row)
}

function fromRow(row: PageRow): Page {
  return {
    icon: fromJson(row.icon),
    cover: fromJson(row.cover),
    isLocked: Boolean(row.is_locked),
    isArchived: Boolean(row.is_archived),
  }
}

export async function findPages(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  if (ids.length === 0) return pages
  const wanted = db.wanted(ids)
  const rows = await db.all<PageRow & { id: string }>(
    `select p.id, p.icon, p.cover, p.is_locked, p.is_archived
     from ${wanted.table} ${db.lookUp('pages', 'p', 'p.workspace_id = ? and p.id = wanted.id')}`,
    wanted.parameter,
    workspaceId,
  )
  for (const row of rows) pages.set(row.id, fromRow(row))
  return pages
}

/** Stored icons of pages; null for one without. */
export async function findIcons(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, unknown>> {
  const icons = new Map<string, unknown>()
  if (ids.length === 0) return icons
  const wanted = db.wanted(ids)
  const rows = await db.all<{ id: string; icon: string | null }>(
    `select p.id, p.icon from ${wanted.table} ${db.lookUp('pages', 'p', 'p.workspace_id = ? and p.id = wanted.id')}`,
    wanted.parameter,
    workspaceId,
  )
  for (const row of rows) icons.set(row.id, fromJson(row.icon))
  return icons
}

export async function insertPage(db: Transaction, workspaceId: string, id: string, page: Page): Promise<void> {
  await db.run(
    'insert into pages (workspace_id, id, icon, cover, is_locked, is_archived) values (?, ?, ?, ?, ?, ?)',
    workspaceId,
    id,
    toJson(page.icon),
    toJson(page.cover),
    Number(page.isLocked),
    Number(page.isArchived),
  )
}

export async function updatePage(db: Transaction, workspaceId: string, id: string, page: Page): Promise<void> {
  await db.run(
    'update pages set icon = ?, cover = ?, is_locked = ?, is_archived = ? where workspace_id = ? and id = ?',
    toJson(page.icon),
    toJson(page.cover),
    Number(page.isLocked),
    Number(page.isArchived),
    workspaceId,
    id,
  )
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function fromJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
