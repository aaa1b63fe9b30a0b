import type { Session, SessionMessageRequest, SessionUpdateRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { insertSession, type SessionRow } from '../../../store/sessions.ts'
import { attachUploads, requireUploads } from '../../files/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { requireSession } from './access.ts'
import { agentIdOf, isPersonal, type Agent } from '../agent.ts'
import { requireNotDeleted, requireRunnable } from '../credits.ts'
import { findTalkingAgent } from './agents.ts'
import { decideActions } from './decide_actions.ts'
import type { ResponseForm, Followed } from './followed.ts'
import { actorRef, presentSession } from './present.ts'
import { newSession, queueTurn } from './queue_turn.ts'
import { replay } from './replay.ts'
import { sessionConflict } from './session_conflict.ts'
import { allows } from './state_machine.ts'
import type { AttachedFile } from './stored_content.ts'
import { SessionWriter } from './writer.ts'

/** A message, decisions, or a request to follow the session. */
export function createSession(scope: WriteScope, request: SessionUpdateRequest, form: ResponseForm): Promise<Followed<Session>> {
  if ('message' in request) return addMessage(scope, request)
  return 'actions' in request ? decideActions(scope, request) : replay(scope, request, form)
}

/** Starts a turn in a new session or in the one that the request names, and enqueues its run. */
async function addMessage(scope: WriteScope, request: SessionMessageRequest): Promise<Followed<Session>> {
  const { db, actor, now } = scope
  const known = request.session_id === undefined ? undefined : await requireSession(scope, request.session_id)
  const agent = await findTalkingAgent(scope, requestedAgent(scope, request, known?.session))
  const files = await attach(scope, request, () => requireNotDeleted(agent))
  await requireRunnable(scope, agent)
  const held = known && (await SessionWriter.hold(db, actor.workspaceId, known.session.id, now))
  if (held && !allows(held.session.status, 'message')) throw sessionConflict(held.session, 'does not accept a message')

  const writer = held ?? new SessionWriter(db, actor.workspaceId, newChat(scope, agent, request.message), now)
  const after = writer.session.last_sequence
  if (!held) await insertSession(db, actor.workspaceId, writer.session)
  const author = actorRef(actor)
  await queueTurn(scope, writer, agent, {
    message: { text: request.message, files, metadata: request.metadata ?? null, author },
    actorId: actor.userId,
    promptContext: request.prompt_context ?? null,
  })
  return followed(scope, writer.session, after)
}

async function followed(scope: WriteScope, session: SessionRow, after: number): Promise<Followed<Session>> {
  return { response: await presentSession(scope, session), follow: { sessionId: session.id, after } }
}

/**
 * The agent of a message.
 * @throws ServiceError `validation_error` if the request names no agent, or not the session's
 */
function requestedAgent(
  { actor }: WriteScope,
  { agent_id: asked }: SessionMessageRequest,
  session: SessionRow | undefined,
): string {
  if (!session) {
    if (asked === undefined && actor.personId === undefined)
      throw invalid('body.agent_id', 'should be defined: a token that does not act for a user has no personal agent')
    return asked ?? 'service_ai'
  }
  if (asked !== undefined && agentIdOf(asked) !== session.agent_id)
    throw invalid('body.agent_id', `should be the agent of the session, ${session.agent_id}, or left out`)
  return session.agent_id
}

/**
 * Attaches files to a message. Missing uploads are reported before the state of the agent, other problems of uploads after it.
 * @param requireAgent throws if the agent cannot take any message
 * @throws ServiceError `object_not_found` or `validation_error` for an upload that cannot be attached
 */
async function attach(
  scope: WriteScope,
  { attachments = [] }: SessionMessageRequest,
  requireAgent: () => void,
): Promise<AttachedFile[]> {
  const files = attachments.map(({ file_upload: { id }, name }) => ({
    id: canonicalId(id),
    ...(name === undefined ? {} : { name }),
  }))
  const wanted = files.map(({ id }, index) => ({ id, path: `body.attachments[${index}].file_upload.id`, use: 'any' }) as const)
  await requireUploads(scope, wanted)
  requireAgent()
  await attachUploads(scope, wanted)
  return files
}

function newChat({ actor, now }: WriteScope, agent: Agent, message: string): SessionRow {
  const owner_id = isPersonal(agent) ? (actor.personId ?? null) : null
  return newSession(agent, message, now, { owner_id, creator: actorRef(actor), trigger_type: 'chat', type_label: 'chat' })
}
