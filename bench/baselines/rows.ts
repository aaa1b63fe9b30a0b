/** Rows that the baselines read and write in the service's own tables: one statement each, without rights or rules. */

/** Columns of a block in the form of both engines. */
export interface BlockRow {
  readonly id: string
  readonly type: string
  readonly parent_type: string
  readonly parent_id: string
  readonly page_id: string | null
  readonly rank: string
  /** JSON text. */
  readonly content: string
  readonly in_trash: number
  /** Milliseconds since 1970; PostgreSQL gives text. */
  readonly created_time: number | string
  readonly created_by: string
  readonly last_edited_time: number | string
  readonly last_edited_by: string
  readonly has_children: number | null
}

/** A block of type `child_page` with its row of `pages`. */
export interface PageRow extends BlockRow {
  readonly is_locked: number
  readonly is_archived: number
}

export interface NewRow {
  readonly id: string
  readonly type: string
  readonly parentType: 'page_id' | 'block_id'
  readonly parentId: string
  readonly pageId: string
  readonly rank: string
  readonly content: string
}

/** Facts about a parent that a write reads first. */
export interface ParentRow {
  readonly type: string
  readonly page_id: string | null
  /** Of the last child; null without children. */
  readonly last_rank: string | null
}

/**
 * The tables of one engine. A read takes one statement. A write takes two: one that reads, and one that writes, whose commit is flushed.
 */
export interface Rows {
  block(id: string): Promise<BlockRow | undefined> | BlockRow | undefined
  page(id: string): Promise<PageRow | undefined> | PageRow | undefined
  /** The first children in order. */
  children(parentId: string, limit: number): Promise<BlockRow[]> | BlockRow[]
  changeContent(id: string, content: string, time: number): Promise<BlockRow | undefined> | BlockRow | undefined
  parent(id: string): Promise<ParentRow | undefined> | ParentRow | undefined
  /** Adds blocks and sets the last edited time of their ancestors, in one transaction. */
  append(rows: readonly NewRow[], above: readonly string[], time: number): Promise<void> | void
  /** Adds a page with its row of `pages`, its title and the words that search finds it by, and its blocks, in one transaction. */
  createPage(page: NewRow, words: string, blocks: readonly NewRow[], time: number): Promise<void> | void
}

/** The actor of the bench, which the service knows. All rows belong to it. */
export interface Author {
  readonly workspaceId: string
  readonly userId: string
}

export const BLOCK_COLUMNS = `b.id, b.type, b.parent_type, b.parent_id, b.page_id, b.rank, b.content, b.in_trash, b.created_time, b.created_by,
  b.last_edited_time, b.last_edited_by,
  (select 1 from blocks c where c.workspace_id = b.workspace_id and c.parent_id = b.id and c.in_trash = 0 limit 1) as has_children`
