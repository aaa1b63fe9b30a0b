import { findAgentRecord } from '../../../store/agents.ts'
import { listCalls } from '../../../store/session_turns.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import { recordAct, type AuditAction } from '../../administration/index.ts'
import { notFound, type WriteScope } from '../../shared/index.ts'
import { personalAgent } from '../agent.ts'
import { requireSession } from './access.ts'
import { cancelSession } from './cancel.ts'
import { decideActions } from './decide_actions.ts'

interface PersonDecision {
  readonly sessionId: string
  readonly actionId: string
  readonly option: 'approve' | 'reject'
}

/** Records the decision of a signed-in person, who needs no token, on a proposal. */
export async function decideAsPerson(scope: WriteScope, { sessionId, actionId, option }: PersonDecision): Promise<void> {
  const { session } = await requireSession(scope, sessionId)
  const calls = await listCalls(scope.db, scope.actor.workspaceId, session.id, session.turn)
  const call = calls.find(({ id, kind }) => id === actionId && kind === 'write')
  if (!call) throw notFound(scope.actor, 'session', session.id)
  await decideActions(scope, { session_id: session.id, actions: [{ action_id: actionId, option_id: option }] }, true)
  if (call.decision !== null) return
  await recordOnAgent(scope, session, option === 'approve' ? 'agent_action.approved' : 'agent_action.rejected')
}

/** Cancels the current turn of a session for a signed-in person. */
export async function cancelAsPerson(scope: WriteScope, sessionId: string): Promise<void> {
  const { session } = await requireSession(scope, sessionId)
  await cancelSession(scope, session.id, {})
  if (session.status !== 'canceled') await recordOnAgent(scope, session, 'agent_turn.canceled')
}

/** Owners read the log, and may not see the pages that titles name, so only the agent is named. */
async function recordOnAgent({ db, actor, now }: WriteScope, session: SessionRow, action: AuditAction): Promise<void> {
  const { workspaceId, userId: personId } = actor
  const name = (await findAgentRecord(db, workspaceId, session.agent_id))?.name ?? personalAgent.name
  const object = { type: 'agent', id: session.agent_id, name }
  await recordAct(db, { workspaceId, personId, action, object }, now)
}
