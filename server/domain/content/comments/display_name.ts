import type { CommentDisplayName, CommentDisplayNameRequest } from '../../../../generated/types.ts'
import type { Comment } from '../../../store/comments.ts'
import { findUsers } from '../../../store/users.ts'
import { invalid, type Scope } from '../../shared/index.ts'

/** A stored display name. The name of a user is read with the comment, because it may change. */
export type StoredDisplayName =
  | { readonly type: 'integration'; readonly userId: string }
  | { readonly type: 'user'; readonly userId: string }
  | { readonly type: 'custom'; readonly name: string }

/**
 * The display name of a new comment: the requested one; by default the connection's for a bot and the person's for a member.
 * @throws ServiceError `validation_error` for a person or a connection that the token does not have
 */
export function storeDisplayName({ actor }: Scope, request: CommentDisplayNameRequest | undefined): StoredDisplayName {
  const type = request?.type ?? (actor.connectionId === undefined ? 'user' : 'integration')
  if (request?.type === 'custom') return { type: 'custom', name: request.custom.name }
  if (type === 'user') {
    if (actor.personId === undefined)
      throw invalid('body.display_name', 'should not be that of a person: an installation token does not act for a person')
    return { type, userId: actor.personId }
  }
  if (actor.connectionId === undefined)
    throw invalid('body.display_name', 'should not be that of a connection: a personal access token belongs to a member')
  return { type: 'integration', userId: actor.userId }
}

/** Reads the display names of comments. They are visible to everyone who reads the comments, whatever user information a caller may see. */
export async function presentDisplayNames(
  scope: Scope,
  comments: readonly Comment[],
): Promise<(comment: Comment) => CommentDisplayName> {
  const ids = comments.map(displayNameOf).flatMap((stored) => (stored.type === 'custom' ? [] : [stored.userId]))
  const rows = await findUsers(scope.db, scope.actor.workspaceId, [...new Set(ids)])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return (comment) => {
    const stored = displayNameOf(comment)
    return { type: stored.type, resolved_name: stored.type === 'custom' ? stored.name : (names.get(stored.userId) ?? null) }
  }
}

function displayNameOf(comment: Comment): StoredDisplayName {
  return comment.displayName as StoredDisplayName
}
