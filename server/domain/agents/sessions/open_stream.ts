import type { Session } from '../../../../generated/types.ts'
import type { Database } from '../../../store/database.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { findSession } from '../../../store/sessions.ts'
import { notFound, type Actor } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import type { SessionFeed } from './feed.ts'
import type { FollowStart } from './followed.ts'
import type { Follower } from './follower.ts'
import { presentSession } from './present.ts'

/** A stream of a session from its current state. */
interface OpenedStream {
  readonly snapshot: Session
  readonly follower: Follower
}

/** @param actor a caller to whom the session is visible */
export async function openStream(
  { database, feed }: { readonly database: Database; readonly feed: SessionFeed },
  actor: Actor,
  start: FollowStart,
): Promise<OpenedStream> {
  const { workspaceId } = actor
  const { row, snapshot } = await database.read(async (db) => {
    const found = await findSession(db, workspaceId, start.sessionId)
    if (!found) throw notFound(actor, 'session', start.sessionId)
    return { row: found, snapshot: await presentSession({ db, actor }, found) }
  })
  return { snapshot, follower: feed.follow(workspaceId, start, row.last_sequence) }
}

/**
 * Whether a reader of a stream may continue. While the database is not available, this is assumed.
 * @param reauthorize authenticates the reader again
 * @throws ServiceError if the token is no longer valid or may not read the stream
 */
export async function mayFollow(database: Database, reauthorize: () => Promise<Actor>, sessionId: string): Promise<boolean> {
  try {
    const actor = await reauthorize()
    await database.read((db) => requireSession({ db, actor }, sessionId))
    return true
  } catch (error) {
    return !(error instanceof ServiceError) || error.status >= 500
  }
}
