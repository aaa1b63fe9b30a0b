import type { Transaction } from './database.ts'

/** The stored data of a page besides its block. */
export interface PageDetails {
  readonly icon: unknown
  readonly cover: unknown
  readonly isLocked: boolean
  readonly isArchived: boolean
}

export interface NewPage extends PageDetails {
  readonly id: string
}

/** Inserts the stored data of new pages. Their blocks must exist already. */
export function insertPages(db: Transaction, workspaceId: string, pages: readonly NewPage[]): Promise<void> {
  const rows = pages.map(({ id, icon, cover, isLocked, isArchived }) => [
    ...[workspaceId, id, detailJson(icon), detailJson(cover), Number(isLocked), Number(isArchived)],
  ])
  return db.insert({ table: 'pages', columns: ['workspace_id', 'id', 'icon', 'cover', 'is_locked', 'is_archived'], rows })
}

/** An icon or a cover in its stored form. */
export function detailJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
