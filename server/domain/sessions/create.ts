import type { Session, SessionMessageRequest, SessionUpdateRequest } from '../../../generated/types.ts'
import { canonicalId, newId } from '../../kernel/ids.ts'
import { insertSession, untouchedSession, type SessionRow } from '../../store/sessions.ts'
import { insertTurn } from '../../store/session_turns.ts'
import { attachUploads } from '../file_uploads/attach.ts'
import { invalid } from '../failures.ts'
import { enqueue } from '../jobs/queue.ts'
import type { WriteScope } from '../scope.ts'
import { requireSession } from './access.ts'
import { agentIdOf, isPersonal, type Agent } from '../agents/agent.ts'
import { presentVersion, requireRunningAgent, snapshotOf } from './agents.ts'
import { decideActions } from './decide_actions.ts'
import { conflict, type Followed, type AnswerForm } from './followed.ts'
import { limitJob, turnJob } from './jobs.ts'
import { actorRef, presentSession } from './present.ts'
import { replay } from './replay.ts'
import { allows } from './state_machine.ts'
import type { AttachedFile } from './stored_content.ts'
import { SessionWriter } from './writer.ts'

const TITLE_LENGTH_MAX = 80

/** A message, decisions, or the wish to follow. */
export function createSession(scope: WriteScope, request: SessionUpdateRequest, form: AnswerForm): Promise<Followed<Session>> {
  if ('message' in request) return say(scope, request)
  return 'actions' in request ? decideActions(scope, request) : replay(scope, request, form)
}

/** Begins a turn: in a new session, or in the one that is named. Its run is left to a job. */
async function say(scope: WriteScope, request: SessionMessageRequest): Promise<Followed<Session>> {
  const { db, actor, now, version } = scope
  const known = request.session_id === undefined ? undefined : await requireSession(scope, request.session_id)
  const agent = await requireRunningAgent(scope, askedAgent(scope, request, known?.session))
  const held = known && (await SessionWriter.hold(db, actor.workspaceId, known.session.id, now))
  if (held && !allows(held.session.status, 'message')) throw conflict(held.session, 'takes no message')
  const files = await attach(scope, request)

  const writer = held ?? new SessionWriter(db, actor.workspaceId, newSession(scope, agent, request.message), now)
  const after = writer.session.last_sequence
  if (!held) await insertSession(db, actor.workspaceId, writer.session)
  writer.change({ turn: writer.session.turn + 1, agent_version: presentVersion(agent), status: 'queued', error: null })
  writer.add({
    type: 'user.message',
    content: { text: request.message, files, metadata: request.metadata ?? null, author: actorRef(actor) },
  })
  const sequence = writer.add({ type: 'session.status', content: { status: 'queued' } })
  await writer.save()
  await insertTurn(db, actor.workspaceId, writer.session.id, {
    turn: writer.session.turn,
    actor_id: actor.userId,
    version,
    agent: JSON.stringify(await snapshotOf(scope, agent)),
    prompt_context: request.prompt_context ?? null,
    run: 1,
    run_sequence: sequence,
    run_time: null,
    worked_time: 0,
    input_tokens: 0,
    output_tokens: 0,
    credits: 0,
  })
  await enqueue(db, turnJob(actor.workspaceId, writer.session.id, now))
  await enqueue(db, limitJob(actor.workspaceId, writer.session.id, { limit: 'queue', turn: writer.session.turn, run: 1 }, now))
  return followed(scope, writer.session, after)
}

async function followed(scope: WriteScope, session: SessionRow, after: number): Promise<Followed<Session>> {
  return { answer: await presentSession(scope, session), follow: { sessionId: session.id, after } }
}

/**
 * The agent that a message is for.
 * @throws ServiceError `validation_error` where the request names none or another than the session's
 */
function askedAgent({ actor }: WriteScope, { agent_id: asked }: SessionMessageRequest, session: SessionRow | undefined): string {
  if (!session) {
    if (asked === undefined && actor.personId === undefined)
      throw invalid('body.agent_id', 'should be defined, because the token acts for no user, who would have a personal agent')
    return asked ?? 'service_ai'
  }
  if (asked !== undefined && agentIdOf(asked) !== session.agent_id)
    throw invalid('body.agent_id', `should be the agent of the session, ${session.agent_id}, or left out`)
  return session.agent_id
}

/** @throws ServiceError `object_not_found` or `validation_error` for an upload that cannot be attached */
async function attach(scope: WriteScope, { attachments = [] }: SessionMessageRequest): Promise<AttachedFile[]> {
  const files = attachments.map(({ file_upload: { id }, name }) => ({
    id: canonicalId(id),
    ...(name === undefined ? {} : { name }),
  }))
  await attachUploads(
    scope,
    files.map(({ id }, index) => ({ id, path: `body.attachments[${index}].file_upload.id`, use: 'any' })),
  )
  return files
}

function newSession({ actor, now }: WriteScope, agent: Agent, message: string): SessionRow {
  const { type, id } = actorRef(actor)
  return {
    id: newId(),
    agent_id: agent.id,
    owner_id: isPersonal(agent) ? (actor.personId ?? null) : null,
    title: titleOf(message),
    status: 'queued',
    creator_id: id,
    creator_kind: type,
    agent_version: null,
    models: JSON.stringify(agent.model.mode === 'auto' ? { type: 'auto' } : { type: 'pinned', ids: [agent.model.id] }),
    trigger_type: 'chat',
    type_label: 'chat',
    ...untouchedSession,
    created_time: now,
    updated_time: now,
  }
}

/** The first line that says something, cut. */
function titleOf(message: string): string {
  const line = message.split(/\r\n|[\n\r]/).find((one) => one.trim() !== '') ?? ''
  return Array.from(line.trim()).slice(0, TITLE_LENGTH_MAX).join('')
}
