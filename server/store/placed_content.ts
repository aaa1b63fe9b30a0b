import { inSlices, type SlicedWork } from '../kernel/yield_to_event_loop.ts'
import { blockRow, hasChildrenColumn, storedContentOf, type Block } from './blocks.ts'
import type { Connection } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql, type Sql } from './sql.ts'

/** A block's content and position in the tree, without its authors and times. */
export interface PlacedContent extends Pick<Block, 'id' | 'type' | 'parentId' | 'pageId' | 'rank' | 'content' | 'hasChildren'> {
  /** The stored text from which the content was parsed, if a function of this file read the block. */
  readonly text?: string
}

/** Blocks that were read earlier, by id. Content that has not changed since then is not parsed again. */
export type KnownContent = ReadonlyMap<string, PlacedContent>

const { id, type, parent_id, page_id, rank, content, has_children } = blockRow
const placedRow = { id, type, parent_id, page_id, rank, content, has_children }
type PlacedRow = RowOf<typeof placedRow>

function placedColumns(workspaceId: string): Sql {
  return sql`b.id, b.type, b.parent_id, b.page_id, b.rank, b.content, ${hasChildrenColumn(workspaceId)}`
}

function placedOf(row: PlacedRow, known: KnownContent | undefined): PlacedContent {
  const before = known?.get(row.id)
  const { type, content } = before?.text === row.content && before.type === row.type ? before : storedContentOf(row)
  return {
    id: row.id,
    parentId: row.parent_id,
    pageId: row.page_id,
    rank: row.rank,
    type,
    content,
    text: row.content,
    hasChildren: Boolean(row.has_children),
  }
}

/** Like `listChildren`, with fewer columns, for reading many blocks. */
export async function listContent(
  db: Connection,
  workspaceId: string,
  parentId: string,
  afterRank: string | undefined,
  limit: number,
  known?: KnownContent,
): Promise<PlacedContent[]> {
  const rows = await db.all(
    placedRow,
    sql`select ${placedColumns(workspaceId)} from blocks b where b.workspace_id = ${workspaceId} and b.parent_id = ${parentId} and b.in_trash = 0
      and b.rank > ${afterRank ?? ''} order by b.rank limit ${limit}`,
  )
  return inSlices(parsed(rows, known))
}

/** Like `listContent`, for several parents, in no particular order. If `limit` blocks are returned, there may be more. */
export async function listContentOfAll(
  db: Connection,
  workspaceId: string,
  parentIds: readonly string[],
  limit: number,
  known?: KnownContent,
): Promise<PlacedContent[]> {
  const rows = await db.all(
    placedRow,
    sql`select ${placedColumns(workspaceId)} from ${db.wanted(parentIds)}
      ${db.lookUpEach('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.parent_id = wanted.id and b.in_trash = 0`)}
      limit ${limit}`,
  )
  return inSlices(parsed(rows, known))
}

/** A block without its content. */
export type BlockSize = Pick<Block, 'id' | 'type' | 'rank' | 'hasChildren' | 'contentLength'>

const sizeRow = rowOf({ id: 'text', type: 'text', rank: 'text', content_length: 'integer', has_children: 'integer?' })

/** Like `listContent`, but with the length of the content instead of the content. */
export async function listChildSizes(
  db: Connection,
  workspaceId: string,
  parentId: string,
  afterRank: string | undefined,
  limit: number,
): Promise<BlockSize[]> {
  const rows = await db.all(
    sizeRow,
    sql`select b.id, b.type, b.rank, length(b.content) as content_length, ${hasChildrenColumn(workspaceId)} from blocks b
      where b.workspace_id = ${workspaceId} and b.parent_id = ${parentId} and b.in_trash = 0 and b.rank > ${afterRank ?? ''}
      order by b.rank limit ${limit}`,
  )
  return rows.map(({ content_length: contentLength, has_children: hasChildren, ...row }) => ({
    ...row,
    contentLength,
    hasChildren: Boolean(hasChildren),
  }))
}

/** Parses the content of rows, in steps. Content may be long: parsing it may take longer than reading it. */
function* parsed(rows: readonly PlacedRow[], known: KnownContent | undefined): SlicedWork<PlacedContent[]> {
  const placed: PlacedContent[] = []
  for (const row of rows) {
    placed.push(placedOf(row, known))
    yield
  }
  return placed
}
