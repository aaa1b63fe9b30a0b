import type { CancelSessionRequest, Session } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { findEvent } from '../../../store/session_events.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import { invalid, notFound, type WriteScope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import { presentSession } from './present.ts'
import { sessionConflict } from './session_conflict.ts'
import { SessionWriter } from './writer.ts'

/**
 * Cancels the current turn. A process that runs the turn locks the session for each write and checks its status first, so that it
 * writes nothing after this transaction has been committed.
 */
export async function cancelSession(scope: WriteScope, writtenId: string, request: CancelSessionRequest): Promise<Session> {
  const { db, actor, now } = scope
  const { session } = await requireSession(scope, writtenId)
  const writer = await SessionWriter.hold(db, actor.workspaceId, session.id, now)
  if (!writer) throw notFound(actor, 'session', session.id)
  await requireLastTurn(scope, writer.session, request)
  if (writer.session.status === 'canceled') return presentSession(scope, writer.session)
  if (writer.move('cancel') === undefined) throw sessionConflict(writer.session, 'has no turn to cancel')
  await writer.save()
  return presentSession(scope, writer.session)
}

async function requireLastTurn({ db, actor }: WriteScope, session: SessionRow, request: CancelSessionRequest): Promise<void> {
  if (request.event_id === undefined) return
  const event = await findEvent(db, actor.workspaceId, session.id, request.event_id)
  if (!event) throw invalid('body.event_id', 'should be the id of an event of the session')
  if (event.turn !== session.turn)
    throw new ServiceError('conflict_error', {
      message: 'The turn of the event in `body.event_id` has ended and cannot be canceled.',
    })
}
