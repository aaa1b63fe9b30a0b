import type { Session, SessionReplayRequest } from '../../../../generated/types.ts'
import { findEvent } from '../../../store/session_events.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import { invalid, type Scope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import type { ResponseForm, Followed } from './followed.ts'
import { presentSession } from './present.ts'

const PATH = 'body.continue_from'
const SEQUENCE = /^\d{1,9}$/

/** Sends the events of a session from a position on. It is a read: the response is a stream. */
export async function replay(scope: Scope, request: SessionReplayRequest, form: ResponseForm): Promise<Followed<Session>> {
  if (form !== 'stream') throw invalid(PATH, 'should only be sent with `Accept: text/event-stream`')
  const { session } = await requireSession(scope, request.session_id)
  const after = await sequenceOf(scope, session, request.continue_from)
  return { response: await presentSession(scope, session), follow: { sessionId: session.id, after } }
}

/** @param named the id or the number of an event */
async function sequenceOf({ db, actor }: Scope, session: SessionRow, named: string): Promise<number> {
  if (SEQUENCE.test(named) && Number(named) <= session.last_sequence) return Number(named)
  const event = await findEvent(db, actor.workspaceId, session.id, named)
  if (!event) throw invalid(PATH, 'should be the id of an event of the session, or its `sequence`')
  return event.sequence
}
