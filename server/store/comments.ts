import type { Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { isVisible } from './visibility.ts'
import { findRowsById } from './rows_by_id.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'
import { readJson } from './stored/read_json.ts'

export interface Discussion {
  readonly id: string
  /** The page or block on which the comment is. */
  readonly parentId: string
  readonly isResolved: boolean
}

export interface Comment {
  readonly id: string
  readonly discussionId: string
  /** The page or block on which the discussion is. */
  readonly parentId: string
  readonly richText: unknown
  /** The stored display name of the author. */
  readonly displayName: unknown
  /** The stored references to attached files. */
  readonly attachments: readonly unknown[]
  readonly createdTime: number
  readonly createdBy: string
  /** The connection whose bot wrote the comment; null for a member. */
  readonly connectionId: string | null
  readonly lastEditedTime: number
}

const commentRow = rowOf({
  id: 'text',
  discussion_id: 'text',
  parent_id: 'text',
  rich_text: 'text',
  display_name: 'text',
  attachments: 'text',
  created_time: 'integer',
  created_by: 'text',
  connection_id: 'text?',
  last_edited_time: 'integer',
})
type CommentRow = RowOf<typeof commentRow>

const SELECT = sql`select c.id, c.discussion_id, c.parent_id, c.rich_text, c.display_name, c.attachments, c.created_time, c.created_by,
  c.connection_id, c.last_edited_time from comments c`

function fromRow(row: CommentRow): Comment {
  return {
    id: row.id,
    discussionId: row.discussion_id,
    parentId: row.parent_id,
    richText: readJson('comments.rich_text', row.id, row.rich_text),
    displayName: readJson('comments.display_name', row.id, row.display_name),
    attachments: readJson('comments.attachments', row.id, row.attachments) as unknown[],
    createdTime: row.created_time,
    createdBy: row.created_by,
    connectionId: row.connection_id,
    lastEditedTime: row.last_edited_time,
  }
}

/** A join with the page or block of a discussion or comment, as `b`. */
function aboutBlock(db: Connection, workspaceId: string, alias: string): Sql {
  return db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = ${raw(alias)}.parent_id`)
}

/** A discussion on a page or block that the viewer can see. */
export async function findVisibleDiscussion(db: Connection, viewer: Viewer, id: string): Promise<Discussion | undefined> {
  const { workspaceId } = viewer
  const row = await db.get(
    { id: 'text', parent_id: 'text', resolved_time: 'integer?' },
    sql`select d.id, d.parent_id, d.resolved_time from discussions d ${aboutBlock(db, workspaceId, 'd')}
      where d.workspace_id = ${workspaceId} and d.id = ${id} ${isVisible(db, viewer)}`,
  )
  return row && { id: row.id, parentId: row.parent_id, isResolved: row.resolved_time !== null }
}

/** The open discussion on a page or block that has the oldest comment. */
export async function findOldestDiscussion(
  db: Connection,
  workspaceId: string,
  parentId: string,
): Promise<Discussion | undefined> {
  const [oldest] = await listCommentsFrom(db, workspaceId, parentId, undefined, 1)
  return oldest && { id: oldest.discussionId, parentId, isResolved: false }
}

export async function insertDiscussion(
  db: Transaction,
  workspaceId: string,
  { id, parentId }: Pick<Discussion, 'id' | 'parentId'>,
  now: number,
): Promise<void> {
  await db.run(
    sql`insert into discussions (workspace_id, id, parent_id, created_time) values (${workspaceId}, ${id}, ${parentId}, ${now})`,
  )
}

const discussionRow = rowOf({
  id: 'text',
  created_time: 'integer',
  /** When it was resolved; null while it is open. */
  resolved_time: 'integer?',
  comments: 'integer',
})
export type DiscussionRow = RowOf<typeof discussionRow>

/** The discussions on one page or block that have comments, resolved ones included, oldest first. */
export async function findDiscussions(db: Connection, workspaceId: string, parentId: string): Promise<DiscussionRow[]> {
  return db.all(
    discussionRow,
    sql`select d.id, d.created_time, d.resolved_time, c.comments
     from (select discussion_id, count(*) as comments from comments
       where workspace_id = ${workspaceId} and parent_id = ${parentId} group by discussion_id) c
     join discussions d on d.workspace_id = ${workspaceId} and d.id = c.discussion_id order by d.created_time, d.id`,
  )
}

/**
 * Resolves or reopens a discussion. The comments of a resolved discussion are not listed, but each can still be retrieved.
 * @param resolvedTime null to reopen it
 * @returns whether there is such a discussion
 */
export async function setResolved(
  db: Transaction,
  workspaceId: string,
  discussionId: string,
  resolvedTime: number | null,
): Promise<boolean> {
  const found = await db.change(
    sql`update discussions set resolved_time = ${resolvedTime} where workspace_id = ${workspaceId} and id = ${discussionId}`,
  )
  await db.run(
    sql`update comments set is_open = ${resolvedTime === null ? 1 : 0} where workspace_id = ${workspaceId}
      and discussion_id = ${discussionId}`,
  )
  return found > 0
}

/** A comment on a page or block that the viewer can see. */
export async function findVisibleComment(db: Connection, viewer: Viewer, id: string): Promise<Comment | undefined> {
  const { workspaceId } = viewer
  const about = aboutBlock(db, workspaceId, 'c')
  const row = await db.get(
    commentRow,
    sql`${SELECT} ${about} where c.workspace_id = ${workspaceId} and c.id = ${id} ${isVisible(db, viewer)}`,
  )
  return row && fromRow(row)
}

/** The page or block on which each comment is. */
export async function findCommentParents(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findRowsById(db, { id: 'text', parent_id: 'text' }, 'comments', workspaceId, ids)
  return new Map(rows.map((row) => [row.id, row.parent_id]))
}

/** Comments of open discussions on one page or block, oldest first, beginning with `start`. */
export async function listCommentsFrom(
  db: Connection,
  workspaceId: string,
  parentId: string,
  start: Pick<Comment, 'createdTime' | 'id'> | undefined,
  limit: number,
): Promise<Comment[]> {
  const following = start ? sql`and (c.created_time, c.id) >= (${start.createdTime}, ${start.id})` : sql``
  const rows = await db.all(
    commentRow,
    sql`${SELECT} where c.workspace_id = ${workspaceId} and c.parent_id = ${parentId} and c.is_open = 1 ${following}
      order by c.created_time, c.id limit ${limit}`,
  )
  return rows.map(fromRow)
}

/** Comments of open discussions on any of several blocks, oldest first on each, at most `limit` of them. */
export async function listCommentsOn(
  db: Connection,
  workspaceId: string,
  parentIds: readonly string[],
  limit: number,
): Promise<Comment[]> {
  if (parentIds.length === 0) return []
  const on = sql`c.workspace_id = ${workspaceId} and c.parent_id = wanted.id and c.is_open = 1`
  const rows = await db.all(
    commentRow,
    sql`select ${columnNames(commentRow, 'c')} from ${db.wanted(parentIds)} ${db.lookUpEach('comments', 'c', on)}
      order by c.created_time, c.id limit ${limit}`,
  )
  return rows.map(fromRow)
}

/** @param isOpen whether the comment's discussion is open */
export async function insertComment(db: Transaction, workspaceId: string, comment: Comment, isOpen: boolean): Promise<void> {
  await db.run(
    sql`insert into comments (workspace_id, id, discussion_id, parent_id, is_open, rich_text, display_name, attachments,
      created_time, created_by, connection_id, last_edited_time) values (${workspaceId}, ${comment.id}, ${comment.discussionId},
      ${comment.parentId}, ${isOpen ? 1 : 0}, ${JSON.stringify(comment.richText)}, ${JSON.stringify(comment.displayName)},
      ${JSON.stringify(comment.attachments)}, ${comment.createdTime}, ${comment.createdBy}, ${comment.connectionId},
      ${comment.lastEditedTime})`,
  )
}

export async function updateCommentText(
  db: Transaction,
  workspaceId: string,
  id: string,
  richText: unknown,
  now: number,
): Promise<void> {
  await db.run(
    sql`update comments set rich_text = ${JSON.stringify(richText)}, last_edited_time = ${now} where workspace_id = ${workspaceId}
      and id = ${id}`,
  )
}

/** Deletes a comment and, if it was the last one, its discussion. */
export async function deleteCommentRow(
  db: Transaction,
  workspaceId: string,
  { id, discussionId }: Pick<Comment, 'id' | 'discussionId'>,
): Promise<void> {
  await db.run(sql`delete from comments where workspace_id = ${workspaceId} and id = ${id}`)
  await db.run(
    sql`delete from discussions where workspace_id = ${workspaceId} and id = ${discussionId}
       and not exists (select 1 from comments c where c.workspace_id = ${workspaceId} and c.discussion_id = ${discussionId})`,
  )
}

/**
 * Deletes comments on deleted blocks, with their discussions.
 * @returns the number of comments; fewer than `limit` if none are left
 */
export async function dropCommentsOn(
  db: Transaction,
  workspaceId: string,
  parentIds: readonly string[],
  limit: number,
): Promise<number> {
  const rows = await db.all(
    { id: 'text', discussion_id: 'text' },
    sql`select c.id, c.discussion_id from ${db.wanted(parentIds)}
     ${db.lookUpEach('comments', 'c', sql`c.workspace_id = ${workspaceId} and c.parent_id = wanted.id`)} limit ${limit}`,
  )
  if (rows.length === 0) return 0
  await db.run(
    sql`delete from comments where workspace_id = ${workspaceId}
      and id in (select wanted.id from ${db.wanted(rows.map(({ id }) => id))})`,
  )
  await db.run(
    sql`delete from discussions where workspace_id = ${workspaceId}
      and id in (select wanted.id from ${db.wanted(rows.map((row) => row.discussion_id))})
      and not exists (select 1 from comments c where c.workspace_id = ${workspaceId} and c.discussion_id = discussions.id)`,
  )
  return rows.length
}
