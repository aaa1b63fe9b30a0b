import type { Session } from '../../../generated/types.ts'
import type { Database } from '../../store/database.ts'
import { findSession } from '../../store/sessions.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../failures.ts'
import type { SessionFeed } from './feed.ts'
import type { FollowStart } from './followed.ts'
import type { Follower } from './follower.ts'
import { presentSession } from './present.ts'

/** A stream of a session, from where it stands now. */
interface OpenedStream {
  readonly snapshot: Session
  readonly follower: Follower
}

/** @param actor a caller who has just been found to see the session */
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
