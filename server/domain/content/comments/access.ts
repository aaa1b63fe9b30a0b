import type { CreateCommentRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { findBlock, type Block } from '../../../store/blocks.ts'
import {
  findOldestDiscussion,
  findVisibleComment,
  findVisibleDiscussion,
  type Comment,
  type Discussion,
} from '../../../store/comments.ts'
import { requireVisible } from '../blocks/access.ts'
import { invalid, notFound, type Scope } from '../../shared/index.ts'
import { requirePage } from '../blocks/page_access.ts'

export interface CommentPlace {
  readonly parent: Block
  /** Undefined if the comment starts a discussion. */
  readonly discussion: Discussion | undefined
  /** The path in the request. */
  readonly path: string
}

/**
 * The page, block or discussion of a new comment.
 * @throws ServiceError `object_not_found`; `validation_error` if a page is required and the id belongs to another kind of record
 */
export async function requirePlace(scope: Scope, request: CreateCommentRequest): Promise<CommentPlace> {
  const { parent, discussion_id: discussionId } = request
  if (discussionId !== undefined) {
    const place = await requireDiscussion(scope, canonicalId(discussionId))
    requireParentOf(place, parent)
    return place
  }
  if (!parent || !('page_id' in parent || 'block_id' in parent)) throw new Error('a comment without a parent')
  const path = 'page_id' in parent ? 'body.parent.page_id' : 'body.parent.block_id'
  const block =
    'page_id' in parent ? await requirePage(scope, parent.page_id, path) : await requireVisible(scope, parent.block_id)
  return { parent: block, discussion: await discussionOn(scope, block), path }
}

/** If a request names both a discussion and a parent, checks that they belong together. @throws ServiceError `validation_error` */
function requireParentOf({ parent: { id, type } }: CommentPlace, written: CreateCommentRequest['parent']): void {
  for (const [key, value] of Object.entries(written ?? {})) {
    if (key === 'type') continue
    const isOther = canonicalId(String(value)) !== id || (key === 'page_id' && type !== 'child_page')
    if (isOther) throw invalid(`body.parent.${key}`, 'should be the page or block that the discussion is about')
  }
}

/** The discussion that a new comment joins. Comments on a page share one discussion; each comment on a block starts its own. */
async function discussionOn(scope: Scope, { type, id }: Block): Promise<Discussion | undefined> {
  return type === 'child_page' ? findOldestDiscussion(scope.db, scope.actor.workspaceId, id) : undefined
}

async function requireDiscussion(scope: Scope, id: string): Promise<CommentPlace> {
  const discussion = await findVisibleDiscussion(scope.db, scope.actor, id)
  const parent = discussion && (await findBlock(scope.db, scope.actor.workspaceId, discussion.parentId))
  if (!discussion || !parent) throw notFound(scope.actor, 'discussion', id)
  return { parent, discussion, path: 'body.discussion_id' }
}

/** A comment that the caller sees, and its parent. @throws ServiceError `object_not_found` if it is missing or its parent is not visible */
export async function requireComment(scope: Scope, writtenId: string): Promise<{ comment: Comment; parent: Block }> {
  const id = canonicalId(writtenId)
  const comment = await findVisibleComment(scope.db, scope.actor, id)
  const parent = comment && (await findBlock(scope.db, scope.actor.workspaceId, comment.parentId))
  if (!comment || !parent) throw notFound(scope.actor, 'comment', id)
  return { comment, parent }
}

/**
 * A comment that the caller may change, and its parent. @throws ServiceError `object_not_found` also for comments of other connections or
 * members
 */
export async function requireOwnComment(scope: Scope, writtenId: string): Promise<{ comment: Comment; parent: Block }> {
  const found = await requireComment(scope, writtenId)
  if (!isOwn(scope, found.comment)) throw notFound(scope.actor, 'comment', found.comment.id)
  return found
}

/**
 * Whether the caller wrote a comment. A connection may have several bots in a workspace, one for each person who authorized it. They count
 * as one author.
 */
function isOwn({ actor }: Scope, { connectionId, createdBy }: Comment): boolean {
  return actor.connectionId === undefined
    ? connectionId === null && createdBy === actor.userId
    : connectionId === actor.connectionId
}
