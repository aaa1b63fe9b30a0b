import { isSameJson } from '../../../kernel/canonical_json.ts'
import type { Comment, CommentList, CreateCommentRequest, PartialComment } from '../../../../generated/types.ts'
import { canonicalId, newRecordId } from '../../../kernel/ids.ts'
import { findBlocks, type Block } from '../../../store/blocks.ts'
import {
  deleteCommentRow,
  insertComment,
  insertDiscussion,
  findVisibleComment,
  listCommentsFrom,
  listCommentsOn,
  updateCommentText,
  type Comment as StoredComment,
} from '../../../store/comments.ts'
import { definitionOf } from '../block_types/index.ts'
import { requireMayEdit, requireOpen, requireVisible } from '../blocks/access.ts'
import { recordEvent, referenceTo } from '../../events/index.ts'
import {
  badEntry,
  cutPageAtEntry,
  entryOfCursor,
  presentPaging,
  type PageRequest,
  type Scope,
  type WriteScope,
} from '../../shared/index.ts'
import { storedFile } from '../../files/index.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import { requireComment, requireOwnComment, requirePlace } from './access.ts'
import { storeDisplayName } from './display_name.ts'
import { presentComments, presentCommentsOn, presentWrittenComment } from './present.ts'
import type { DraftText } from './text.ts'

/** Comments of open discussions on a page or block, without those on its content, oldest first. */
export async function listComments(scope: Scope, writtenId: string, request: PageRequest): Promise<CommentList> {
  const { db, actor } = scope
  const id = canonicalId(writtenId)
  const first = entryOfCursor(request)
  const parent = await requireVisible(scope, id)
  const start = first === undefined ? undefined : await findVisibleComment(db, actor, first)
  if (first !== undefined && start?.parentId !== id) throw badEntry(request)
  const rows = await listCommentsFrom(db, actor.workspaceId, id, start, request.pageSize + 1)
  const page = cutPageAtEntry(rows, request)
  return {
    object: 'list',
    type: 'comment',
    comment: {},
    results: await presentComments(scope, parent, page.items),
    ...presentPaging(page),
  }
}

/**
 * Comments of open discussions by the id of their page or block, oldest first; at most `limit` of them.
 * @param ids of pages and blocks that the caller sees
 */
export async function listOpenComments(scope: Scope, ids: readonly string[], limit: number): Promise<Map<string, Comment[]>> {
  const { db, actor } = scope
  const rows = await listCommentsOn(db, actor.workspaceId, ids, limit)
  const parentIds = [...new Set(rows.map(({ parentId }) => parentId))]
  const comments = await presentCommentsOn(scope, await findBlocks(db, actor.workspaceId, parentIds), rows)
  return Map.groupBy(comments, ({ parent }) => (parent.type === 'page_id' ? parent.page_id : parent.block_id))
}

export async function retrieveComment(scope: Scope, id: string): Promise<Comment> {
  const { comment, parent } = await requireComment(scope, id)
  const [presented] = await presentComments(scope, parent, [comment])
  if (!presented) throw new Error(`comment ${comment.id} was not presented`)
  return presented
}

/**
 * Starts a discussion, joins the discussion of a page, or replies to one. This does not count as an edit of the page or block.
 * @param text the result of `draftText` for the request
 * @throws OutdatedError if a record that the text refers to has been deleted since
 */
export async function createComment(
  scope: WriteScope,
  request: CreateCommentRequest,
  text: DraftText,
): Promise<Comment | PartialComment> {
  const { db, actor, now } = scope
  const displayName = storeDisplayName(scope, request.display_name)
  const uploads = new ReferenceList()
  const attachments = (request.attachments ?? []).map(({ file_upload_id: id }, index) =>
    storedFile(uploads.addUpload(id, `body.attachments[${index}].file_upload_id`, 'any')),
  )
  const place = await requirePlace(scope, request)
  await text.check(scope)
  await requireReferences(scope, uploads)
  await requireOpen(scope, place.parent, definitionOf(place.parent.type).record, place.path)

  const discussionId = place.discussion?.id ?? newRecordId('discussion')
  if (!place.discussion) await insertDiscussion(db, actor.workspaceId, { id: discussionId, parentId: place.parent.id }, now)
  const comment = {
    id: newRecordId('comment'),
    discussionId,
    parentId: place.parent.id,
    richText: text.stored,
    displayName,
    attachments,
    createdTime: now,
    createdBy: actor.userId,
    connectionId: actor.connectionId ?? null,
    lastEditedTime: now,
  }
  await insertComment(db, actor.workspaceId, comment, !place.discussion?.isResolved)
  await recordComment(scope, 'comment.created', place.parent, comment)
  return presentWrittenComment(scope, place.parent, comment)
}

/**
 * Replaces the text of one of the caller's own comments.
 * @throws OutdatedError if a record that the text refers to was deleted since it was drafted
 */
export async function updateComment(scope: WriteScope, id: string, text: DraftText): Promise<Comment | PartialComment> {
  const { comment, parent } = await requireOwnComment(scope, id)
  const { stored: richText } = text
  await text.check(scope)
  await requireOpen(scope, parent, definitionOf(parent.type).record, 'path.comment_id')
  if (isSameJson(richText, comment.richText)) return presentWrittenComment(scope, parent, comment)
  await updateCommentText(scope.db, scope.actor.workspaceId, comment.id, richText, scope.now)
  await recordComment(scope, 'comment.updated', parent, comment)
  return presentWrittenComment(scope, parent, { ...comment, richText, lastEditedTime: scope.now })
}

/**
 * Deletes one of the caller's own comments permanently, also on a record in the trash.
 * @returns the deleted comment
 */
export async function deleteComment(scope: WriteScope, id: string): Promise<Comment | PartialComment> {
  const { comment, parent } = await requireOwnComment(scope, id)
  await requireMayEdit(scope, parent, definitionOf(parent.type).record)
  const presented = await presentWrittenComment(scope, parent, comment)
  await deleteCommentRow(scope.db, scope.actor.workspaceId, comment)
  await recordComment(scope, 'comment.deleted', parent, comment)
  return presented
}

/**
 * Records an event for a comment. A database at the top of the workspace is on no page; comments on it are recorded with the database as
 * their page.
 */
function recordComment(
  scope: WriteScope,
  type: 'comment.created' | 'comment.updated' | 'comment.deleted',
  parent: Block,
  { id, discussionId }: Pick<StoredComment, 'id' | 'discussionId'>,
): Promise<void> {
  const pageId = parent.type === 'child_page' ? parent.id : (parent.pageId ?? parent.id)
  return recordEvent(scope, { type, id, discussionId, parent: referenceTo(parent), pageId })
}
