import type {
  Comment,
  CommentAttachment,
  CommentDisplayName,
  CommentParent,
  PartialComment,
} from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import type { Block } from '../../../store/blocks.ts'
import type { Comment as StoredComment } from '../../../store/comments.ts'
import { presentFile, mediaKindOf, type StoredFile } from '../../files/index.ts'
import type { Facts } from '../rich_text/facts.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { Scope } from '../../shared/index.ts'
import { partialUser } from '../../people/index.ts'
import { presentDisplayNames } from './display_name.ts'

/** Comments on one page or block. The number of queries does not depend on the number of comments. */
export function presentComments(scope: Scope, parent: Block, comments: readonly StoredComment[]): Promise<Comment[]> {
  return presentCommentsOn(scope, new Map([[parent.id, parent]]), comments)
}

/** Comments by the id of their page or block. Comments on others than the given ones are left out. */
export async function presentCommentsOn(
  scope: Scope,
  parents: ReadonlyMap<string, Block>,
  comments: readonly StoredComment[],
): Promise<Comment[]> {
  const values = comments.flatMap(({ richText, attachments }) => [richText, attachments])
  const facts = await gatherFacts(scope, values)
  const displayName = await presentDisplayNames(scope, comments)
  return comments.flatMap((comment) => {
    const parent = parents.get(comment.parentId)
    return parent ? [presentOne(comment, parent, facts, displayName(comment))] : []
  })
}

function presentOne(comment: StoredComment, parent: Block, facts: Facts, displayName: CommentDisplayName): Comment {
  return {
    object: 'comment',
    id: comment.id,
    parent: presentParent(parent),
    discussion_id: comment.discussionId,
    created_time: toTimestamp(comment.createdTime),
    last_edited_time: toTimestamp(comment.lastEditedTime),
    created_by: partialUser(comment.createdBy),
    rich_text: presentRichText(comment.richText as StoredRichText, facts),
    display_name: displayName,
    ...(comment.attachments.length === 0 ? {} : { attachments: presentAttachments(comment, facts) }),
  }
}

function presentAttachments({ attachments }: StoredComment, facts: Facts): CommentAttachment[] {
  return (attachments as readonly StoredFile[]).map((stored) => {
    const kind = mediaKindOf(facts.files.get(stored.file.id)?.contentType ?? '')
    return { category: kind === 'other' ? 'productivity' : kind, file: presentFile(stored, facts).file }
  })
}

/** A comment that was just created, changed or deleted: complete with the read-comments capability, otherwise only its id. */
export async function presentWrittenComment(
  scope: Scope,
  parent: Block,
  comment: StoredComment,
): Promise<Comment | PartialComment> {
  const partial: PartialComment = { object: 'comment', id: comment.id }
  if (!scope.actor.capabilities.has('read_comments')) return partial
  const [full] = await presentComments(scope, parent, [comment])
  return full ?? partial
}

function presentParent({ type, id }: Block): CommentParent {
  return type === 'child_page' ? { type: 'page_id', page_id: id } : { type: 'block_id', block_id: id }
}
