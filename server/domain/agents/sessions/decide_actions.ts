import type { Session, SessionActionsRequest } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { findTurn, listCalls, updateCall, updateTurn, type CallRow } from '../../../store/session_turns.ts'
import { invalid, notFound, enqueue, type WriteScope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import type { Followed } from './followed.ts'
import { limitJob, turnJob } from './jobs.ts'
import { presentAction, presentSession } from './present.ts'
import { sessionConflict } from './session_conflict.ts'
import { allows } from './state_machine.ts'
import { SessionWriter } from './writer.ts'

/**
 * Records a person's decisions on proposals. When none is left open, the turn continues: a job executes the approved ones.
 * @param isSignedIn whether the person is signed in with a browser, and may have no token
 */
export async function decideActions(
  scope: WriteScope,
  request: SessionActionsRequest,
  isSignedIn = false,
): Promise<Followed<Session>> {
  const { db, actor, now } = scope
  const { workspaceId } = actor
  const { session } = await requireSession(scope, request.session_id)
  const writer = await SessionWriter.hold(db, workspaceId, session.id, now)
  if (!writer) throw notFound(actor, 'session', session.id)
  if (!allows(writer.session.status, 'decideAll')) throw sessionConflict(writer.session, 'does not accept decisions')
  const after = writer.session.last_sequence
  const calls = (await listCalls(db, workspaceId, session.id, writer.session.turn)).filter(({ kind }) => kind === 'write')
  const decided = newDecisions(calls, request)
  for (const call of decided) {
    const metadata = request.metadata === undefined ? null : JSON.stringify(request.metadata)
    await updateCall(db, workspaceId, session.id, {
      ...call,
      decider_id: actor.userId,
      is_signed_in: isSignedIn ? 1 : 0,
      metadata,
    })
  }
  const ids = new Set(decided.map(({ id }) => id))
  const open = calls.filter(({ id, decision }) => decision === null && !ids.has(id))
  if (open.length > 0 && decided.length > 0) writer.move('decideSome', { required_actions: open.map(presentAction) })
  if (open.length === 0) await continueTurn(scope, writer)
  await writer.save()
  return { response: await presentSession(scope, writer.session), follow: { sessionId: session.id, after } }
}

/**
 * The calls with new decisions.
 * @throws ServiceError `validation_error` for an unknown action or one that occurs twice; `conflict_error` for one that was already decided
 * differently
 */
function newDecisions(calls: readonly CallRow[], { actions }: SessionActionsRequest): CallRow[] {
  const chosen = actions.map(({ action_id: id, option_id: decision }, index) => {
    const path = `body.actions[${index}].action_id`
    const call = calls.find((one) => one.id === id)
    if (!call) throw invalid(path, 'should be the id of one of the required actions of the session')
    if (actions.findIndex((other) => other.action_id === id) < index) throw invalid(path, 'should not be named twice')
    return { call, decision }
  })
  const changed = chosen.filter(({ call, decision }) => call.decision !== decision)
  for (const { call } of changed) if (call.decision !== null) throw decidedOtherwise(call)
  return changed.map(({ call, decision }) => ({ ...call, decision }))
}

function decidedOtherwise({ id, decision }: CallRow): ServiceError {
  return new ServiceError('conflict_error', { message: `The action ${id} has been decided already: \`${decision}\`.` })
}

/** Enqueues the next run of the turn. */
async function continueTurn({ db, actor: { workspaceId }, now }: WriteScope, writer: SessionWriter): Promise<void> {
  const { id, turn: number } = writer.session
  const turn = await findTurn(db, workspaceId, id, number)
  const run = turn.run + 1
  const run_sequence = writer.move('decideAll')
  if (run_sequence === undefined) throw new Error(`session ${id} does not wait for decisions`)
  await updateTurn(db, workspaceId, id, { ...turn, run, run_sequence, run_time: now })
  await enqueue(db, turnJob(workspaceId, id, now))
  await enqueue(db, limitJob(workspaceId, id, { limit: 'turn', turn: number, run }, now, turn.worked_time))
}
