import { collationKey } from '../kernel/collation.ts'
import { chunks, TimeSlice } from '../kernel/yield_to_event_loop.ts'
import { belowTrashColumn, type Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { insertMeetingNotes, type NewMeetingNote } from './meeting_notes.ts'
import { isVisible, isVisibleBelow } from './visibility.ts'
import { addTitles, retitle, titledTypes, titleText, type NewTitle } from './titles.ts'
import { insertPages, type NewPage } from './page_details.ts'
import { rowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { lastRankColumn } from './sibling_ranks.ts'
import { raw, sql, valueList, type Sql } from './sql.ts'
import { readBlockContent } from './stored/read_json.ts'

/**
 * The parent of a block: `database_id` for data sources, `data_source_id` for their rows, `template_of` for their templates. The pages of a
 * data source are not inside other pages.
 */
export const parentTypes = ['workspace', 'page_id', 'block_id', 'database_id', 'data_source_id', 'template_of'] as const
export type ParentType = (typeof parentTypes)[number]

/** The stored content of a block; its form depends on the type of the block. */
export type StoredContent = Readonly<Record<string, unknown>>

export interface Block {
  readonly id: string
  readonly type: string
  readonly parentType: ParentType
  readonly parentId: string
  /** The nearest page that contains the block; null for a page at the top of the workspace. */
  readonly pageId: string | null
  /** The position of the block among its siblings. Ranks are compared byte by byte. */
  readonly rank: string
  readonly content: StoredContent
  /** The length of the stored content in characters; undefined for a block that was not read from the store. */
  readonly contentLength?: number
  readonly inTrash: boolean
  readonly createdTime: number
  readonly createdBy: string
  readonly lastEditedTime: number
  readonly lastEditedBy: string
  /** Whether at least one child is not in the trash. */
  readonly hasChildren: boolean
}

export const blockRow = rowOf({
  id: 'text',
  type: 'text',
  parent_type: parentTypes,
  parent_id: 'text',
  page_id: 'text?',
  rank: 'text',
  content: 'text',
  in_trash: 'integer',
  created_time: 'integer',
  created_by: 'text',
  last_edited_time: 'integer',
  last_edited_by: 'text',
  has_children: 'integer?',
})
type BlockRow = RowOf<typeof blockRow>

/** A block with what presenting it depends on. */
export interface BlockToRead extends Block {
  /** Whether an ancestor is in the trash. */
  readonly isBelowTrash: boolean
}

/** A block that is about to be changed, with what the change depends on. */
export interface BlockToEdit extends BlockToRead {
  /** The highest rank of the block's children, including those in the trash, or null. */
  readonly lastRank: string | null
}

const readRow = rowOf({ ...blockRow, below_trash: 'integer?' })
const editedRow = rowOf({ ...readRow, last_rank: 'text?' })

/** The column `has_children` of a block `b`. */
export function hasChildrenColumn(workspaceId: string): Sql {
  return sql`(select 1 from blocks c where c.workspace_id = ${workspaceId} and c.parent_id = b.id and c.in_trash = 0 limit 1)
    as has_children`
}

export function blockColumns(workspaceId: string): Sql {
  return sql`b.id, b.type, b.parent_type, b.parent_id, b.page_id, b.rank, b.content, b.in_trash, b.created_time,
    b.created_by, b.last_edited_time, b.last_edited_by, ${hasChildrenColumn(workspaceId)}`
}

function oneBlock(workspaceId: string, id: string, more = sql``): Sql {
  return sql`select ${blockColumns(workspaceId)} ${more} from blocks b where b.workspace_id = ${workspaceId} and b.id = ${id}`
}

/** The type and content of a block. A damaged block gets a type whose content callers cannot see, or an empty title. */
export function storedContentOf({
  id,
  type,
  content,
}: Pick<BlockRow, 'id' | 'type' | 'content'>): Pick<Block, 'type' | 'content'> {
  const stored = readBlockContent(id, type, content)
  if (stored) return { type, content: stored }
  return titledTypes.has(type) ? { type, content: { title: [] } } : { type: 'unsupported', content: { block_type: type } }
}

export function toBlock(row: BlockRow): Block {
  return {
    id: row.id,
    ...storedContentOf(row),
    parentType: row.parent_type,
    parentId: row.parent_id,
    pageId: row.page_id,
    rank: row.rank,
    contentLength: row.content.length,
    inTrash: Boolean(row.in_trash),
    createdTime: row.created_time,
    createdBy: row.created_by,
    lastEditedTime: row.last_edited_time,
    lastEditedBy: row.last_edited_by,
    hasChildren: Boolean(row.has_children),
  }
}

export async function findBlock(db: Connection, workspaceId: string, id: string): Promise<Block | undefined> {
  const row = await db.get(blockRow, oneBlock(workspaceId, id))
  return row && toBlock(row)
}

/**
 * Like `findBlock`, if the viewer can see it. The cost depends on how many pages and databases contain the block, not on the size of the
 * workspace.
 */
export async function findVisibleBlock(db: Connection, viewer: Viewer, id: string): Promise<Block | undefined> {
  const row = await db.get(blockRow, sql`${oneBlock(viewer.workspaceId, id)} ${isVisible(db, viewer)}`)
  return row && toBlock(row)
}

/** Like `findVisibleBlock`, but also reads, in the same statement, whether an ancestor is in the trash. */
export async function findVisibleToRead(db: Connection, viewer: Viewer, id: string): Promise<BlockToRead | undefined> {
  const { workspaceId } = viewer
  const more = sql`, ${belowTrashColumn(db, workspaceId)}`
  const row = await db.get(readRow, sql`${oneBlock(workspaceId, id, more)} ${isVisible(db, viewer)}`)
  return row && { ...toBlock(row), isBelowTrash: Boolean(row.below_trash) }
}

/** Like `findVisibleBlock`, but also reads, in the same statement, what a change of the block depends on. */
export async function findVisibleToEdit(db: Connection, viewer: Viewer, id: string): Promise<BlockToEdit | undefined> {
  const { workspaceId } = viewer
  const more = sql`, ${belowTrashColumn(db, workspaceId)}, ${lastRankColumn(workspaceId)}`
  const row = await db.get(editedRow, sql`${oneBlock(workspaceId, id, more)} ${isVisible(db, viewer)}`)
  return row && { ...toBlock(row), isBelowTrash: Boolean(row.below_trash), lastRank: row.last_rank }
}

export async function findBlocks(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, Block>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    blockRow,
    sql`select ${blockColumns(workspaceId)} from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}`,
  )
  return new Map(rows.map((row) => [row.id, toBlock(row)]))
}

/** The children outside the trash after a rank, in display order. */
export async function listChildren(
  db: Connection,
  workspaceId: string,
  parentId: string,
  rank: string | undefined,
  limit: number,
  condition = sql``,
  isIncluded = false,
): Promise<Block[]> {
  const rows = await db.all(
    blockRow,
    sql`select ${blockColumns(workspaceId)} from blocks b where b.workspace_id = ${workspaceId} and b.parent_id = ${parentId} and b.in_trash = 0
      and b.rank ${raw(isIncluded ? '>=' : '>')} ${rank ?? ''} ${condition} order by b.rank limit ${limit}`,
  )
  return rows.map(toBlock)
}

/** Like `listChildren`, but only for a parent that the viewer can see, and only the children that the viewer can see. */
export function listVisibleChildren(
  db: Connection,
  viewer: Viewer,
  parentId: string,
  rank: string | undefined,
  limit: number,
  isIncluded = false,
): Promise<Block[]> {
  return listChildren(db, viewer.workspaceId, parentId, rank, limit, isVisibleBelow(db, viewer), isIncluded)
}

/** The pages and databases on a page, at any depth of blocks, that are not in the trash themselves and that the viewer can see. */
export async function listVisibleRecordsOn(db: Connection, viewer: Viewer, pageId: string, limit: number): Promise<Block[]> {
  const rows = await db.all(
    blockRow,
    sql`select ${blockColumns(viewer.workspaceId)} from blocks b where b.workspace_id = ${viewer.workspaceId} and b.page_id = ${pageId}
      and b.type in ('child_page', 'child_database') and b.in_trash = 0 ${isVisibleBelow(db, viewer)} order by b.rank, b.id limit ${limit}`,
  )
  return rows.map(toBlock)
}

/**
 * The given ids whose block has a child outside the trash that the viewer can see. The viewer must be able to see the blocks themselves.
 */
export async function withVisibleChildren(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const seen = isVisibleBelow(db, viewer)
  const rows = await db.all(
    { id: 'text' },
    // PostgreSQL would turn `exists` into a join that reads all blocks.
    sql`select wanted.id from ${db.wanted(ids)} where
       (select 1 from blocks b where b.workspace_id = ${viewer.workspaceId} and b.parent_id = wanted.id and b.in_trash = 0 ${seen}
       limit 1) = 1`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The stored titles (rich text) of pages and databases, by id. */
export async function findTitles(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, unknown>> {
  const titles = new Map<string, unknown>()
  for (const [id, block] of await findBlocks(db, workspaceId, ids)) titles.set(id, block.content['title'] ?? [])
  return titles
}

export type NewBlock = Omit<Block, 'inTrash' | 'hasChildren' | 'lastEditedTime' | 'lastEditedBy'>

const INSERT_COLUMNS = [
  'workspace_id',
  'id',
  'type',
  'parent_type',
  'parent_id',
  'page_id',
  'rank',
  'content',
  'created_time',
  'created_by',
  'last_edited_time',
  'last_edited_by',
]

const INSERTED_AT_ONCE = 250
/** The maximum length of content in one insert, in characters. If there is more, fewer blocks are inserted at once. */
const LENGTH_AT_ONCE = 500_000
const LONG_INSERTED_AT_ONCE = 25

/** @param pages the additional stored data of the blocks that are pages */
export async function insertBlocks(
  db: Transaction,
  workspaceId: string,
  blocks: readonly NewBlock[],
  pages: readonly NewPage[] = [],
): Promise<void> {
  const slice = new TimeSlice()
  for (const some of chunks(blocks, INSERTED_AT_ONCE)) {
    const contents = some.map(({ content }) => JSON.stringify(content))
    const isLong = contents.reduce((sum, { length }) => sum + length, 0) > LENGTH_AT_ONCE
    const rows = some.map((block, index) => [
      workspaceId,
      block.id,
      block.type,
      block.parentType,
      block.parentId,
      block.pageId,
      block.rank,
      contents[index] ?? '',
      block.createdTime,
      block.createdBy,
      block.createdTime,
      block.createdBy,
    ])
    for (const part of isLong ? chunks(rows, LONG_INSERTED_AT_ONCE) : [rows]) {
      await db.insert({ table: 'blocks', columns: INSERT_COLUMNS, rows: part })
      if (slice.isOver) await slice.next()
    }
  }
  await insertPages(db, workspaceId, pages)
  await addTitles(db, workspaceId, blocks.flatMap(titleOf))
  await insertMeetingNotes(db, workspaceId, blocks.flatMap(meetingNoteOf))
}

/** The index entry of a meeting notes block; empty for other blocks. */
function meetingNoteOf({ id, type, content, createdTime, createdBy }: NewBlock): NewMeetingNote[] {
  if (type !== 'meeting_notes') return []
  const people = [...new Set([createdBy, ...attendeesIn(content)])]
  const title = titleText(content['title'])
  return [{ id, createdTime, people, titleKey: title === '' ? '' : collationKey(title) }]
}

/** The ids of the attendees of a meeting's calendar event. */
export function attendeesIn(content: StoredContent): readonly string[] {
  const event = content['calendar_event'] as { readonly attendees?: readonly string[] } | undefined
  return event?.attendees ?? []
}

/** The entry of a page, database or data source in the index of titles; empty for other blocks. */
function titleOf({ id, type, parentId, pageId, content, createdTime }: NewBlock): NewTitle[] {
  const kind = titledTypes.get(type)
  if (kind === undefined) return []
  const position = { parentId, aboveId: pageId ?? parentId }
  return [{ id, kind, ...position, title: content['title'], lastEditedTime: createdTime, inTrash: false }]
}

export async function updateContent(db: Transaction, workspaceId: string, id: string, content: StoredContent): Promise<void> {
  await db.run(sql`update blocks set content = ${JSON.stringify(content)} where workspace_id = ${workspaceId} and id = ${id}`)
  await followTitle(db, workspaceId, id, content)
}

/**
 * Like `updateContent` and `touch` together, in one statement.
 * @param editedIds the block and the blocks that count as edited with it
 */
export async function editContent(
  db: Transaction,
  workspaceId: string,
  id: string,
  content: StoredContent,
  { editedIds, userId, now }: { readonly editedIds: readonly string[]; readonly userId: string; readonly now: number },
): Promise<void> {
  await db.run(
    sql`update blocks set content = case when id = ${id} then ${JSON.stringify(content)} else content end,
      last_edited_time = ${now}, last_edited_by = ${userId} where workspace_id = ${workspaceId} and id in (${valueList(editedIds)})`,
  )
  await followTitle(db, workspaceId, id, content)
}

/** Updates the index of titles. Only pages, databases and data sources have a title. */
async function followTitle(db: Transaction, workspaceId: string, id: string, content: StoredContent): Promise<void> {
  if ('title' in content) await retitle(db, workspaceId, id, content['title'])
}

export async function setTrashed(db: Transaction, workspaceId: string, id: string, inTrash: boolean): Promise<void> {
  await db.run(sql`update blocks set in_trash = ${inTrash ? 1 : 0} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Records that a user edited the blocks. */
export async function touch(
  db: Transaction,
  workspaceId: string,
  ids: readonly string[],
  userId: string,
  now: number,
): Promise<void> {
  for (let at = 0; at < ids.length; at += TOUCHED_AT_ONCE) {
    const some = valueList(ids.slice(at, at + TOUCHED_AT_ONCE))
    await db.run(
      sql`update blocks set last_edited_time = ${now}, last_edited_by = ${userId} where workspace_id = ${workspaceId}
        and id in (${some})`,
    )
  }
}

/** The maximum number of blocks in one statement. Each number of blocks needs its own prepared statement. */
const TOUCHED_AT_ONCE = 10
