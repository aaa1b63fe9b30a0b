import type { Actor } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { insertTurn } from '../../../store/session_turns.ts'
import { untouchedSession, type SessionRow } from '../../../store/sessions.ts'
import type { Agent } from '../agent.ts'
import { enqueue, type WriteScope } from '../../shared/index.ts'
import { presentVersion, snapshotOf, type AgentSnapshot } from './agents.ts'
import { limitJob, turnJob } from './jobs.ts'
import type { StoredContents } from './stored_content.ts'
import type { SessionWriter } from './writer.ts'

const TITLE_LENGTH_MAX = 80

export interface Origin extends Pick<SessionRow, 'owner_id' | 'trigger_type' | 'type_label'> {
  readonly creator: Actor
  readonly trigger_chain?: string
}

/** A session without events. @param message the first message, from which its title is derived */
export function newSession(agent: Agent, message: string, now: number, { creator, ...origin }: Origin): SessionRow {
  return {
    id: newId(),
    agent_id: agent.id,
    title: titleOf(message),
    status: 'queued',
    creator_id: creator.id,
    creator_kind: creator.type,
    agent_version: null,
    models: JSON.stringify(agent.model.mode === 'auto' ? { type: 'auto' } : { type: 'pinned', ids: [agent.model.id] }),
    ...untouchedSession,
    ...origin,
    created_time: now,
    updated_time: now,
  }
}

/** The first line that is not blank, shortened. */
function titleOf(message: string): string {
  const line = message.split(/\r\n|[\n\r]/).find((one) => one.trim() !== '') ?? ''
  return Array.from(line.trim()).slice(0, TITLE_LENGTH_MAX).join('')
}

export interface TurnStart {
  readonly message: StoredContents['user.message']
  /** A bot or member; null if a trigger started the agent. */
  readonly actorId: string | null
  readonly promptContext: string | null
  readonly subject?: string
}

/** Adds a turn to an existing session, and enqueues its run. */
export async function queueTurn(
  scope: WriteScope,
  writer: SessionWriter,
  agent: Agent,
  { message, actorId, promptContext, subject }: TurnStart,
): Promise<void> {
  const { db, actor, now, version } = scope
  writer.change({ turn: writer.session.turn + 1, agent_version: presentVersion(agent), status: 'queued', error: null })
  writer.add({ type: 'user.message', content: message })
  const sequence = writer.add({ type: 'session.status', content: { status: 'queued' } })
  await writer.save()
  const snapshot: AgentSnapshot = { ...(await snapshotOf(scope, agent)), ...(subject === undefined ? {} : { subject }) }
  await insertTurn(db, actor.workspaceId, writer.session.id, {
    turn: writer.session.turn,
    actor_id: actorId,
    version,
    agent: JSON.stringify(snapshot),
    prompt_context: promptContext,
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
}
