import type { CommentDisplayName, CommentDisplayNameRequest } from '../../../generated/types.ts'
import type { Comment } from '../../store/comments.ts'
import { findUsers } from '../../store/users.ts'
import { invalid } from '../failures.ts'
import type { Scope } from '../scope.ts'

/** A name as it is stored: that of a user is looked up on read, for it may change. */
export type StoredDisplayName =
  | { readonly type: 'integration'; readonly userId: string }
  | { readonly type: 'user'; readonly userId: string }
  | { readonly type: 'custom'; readonly name: string }

/**
 * The name that a new comment is shown under: as it was asked for, or the caller's own, which is the connection's for a bot and the
 * person's for a member.
 * @throws ServiceError `validation_error` for a person where there is none behind the token, or a connection where there is none
 */
export function storeDisplayName({ actor }: Scope, request: CommentDisplayNameRequest | undefined): StoredDisplayName {
  const type = request?.type ?? (actor.connectionId === undefined ? 'user' : 'integration')
  if (request?.type === 'custom') return { type: 'custom', name: request.custom.name }
  if (type === 'user') {
    if (actor.personId === undefined)
      throw invalid('body.display_name', 'should not be that of a person: there is nobody behind an installation token')
    return { type, userId: actor.personId }
  }
  if (actor.connectionId === undefined)
    throw invalid('body.display_name', 'should not be that of a connection: a personal access token belongs to a member')
  return { type: 'integration', userId: actor.userId }
}

/** Looks up the names that some comments are shown under. They are no user information: everyone who reads comments sees them. */
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
