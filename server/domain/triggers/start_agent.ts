import { newestRelease } from '../../../generated/operations.ts'
import type { AgentTrigger } from '../../../generated/types.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { lockAgentRecord } from '../../store/agents.ts'
import type { Transaction } from '../../store/database.ts'
import { insertSession } from '../../store/sessions.ts'
import { findOwnAgent, type Agent } from '../agents/agent.ts'
import { actorOfAgent } from '../agents/agent_actor.ts'
import { requireRunnable } from '../agents/credits.ts'
import type { JobParts } from '../jobs/job.ts'
import type { WriteScope } from '../scope.ts'
import { newSession, queueTurn } from '../sessions/queue_turn.ts'
import { SessionWriter } from '../sessions/writer.ts'

/** An agent that may run, as its triggers find it, and what it sees with. */
export interface Startable {
  readonly scope: WriteScope
  readonly agent: Agent
}

/** @returns undefined for an agent that is gone, deleted or disabled, or has nothing left to spend; nobody else changes it meanwhile */
export async function findStartable(
  { scopeOf }: Pick<JobParts, 'scopeOf'>,
  db: Transaction,
  workspaceId: string,
  agentId: string,
): Promise<Startable | undefined> {
  await lockAgentRecord(db, workspaceId, agentId)
  const actor = await actorOfAgent(db, workspaceId, agentId)
  if (!actor) return undefined
  const scope = scopeOf(actor, newestRelease, db)
  try {
    const agent = await findOwnAgent(scope, agentId)
    await requireRunnable(scope, agent)
    return { scope, agent }
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined
    throw error
  }
}

/** Why an agent runs without being asked. */
export interface Occasion {
  readonly trigger: AgentTrigger
  /** What a trigger without words of its own says. */
  readonly words: string
  /** What happened where, as far as the agent sees it. It is no part of what the session shows: whoever sees that may see less. */
  readonly context?: string
  /** The title of the page where it happened, if all full members see it. */
  readonly subject?: string
  readonly causedBy: readonly string[]
}

/** Begins a session that nobody asked for, in the name of the agent's bot. */
export async function startAgent({ scope, agent }: Startable, occasion: Occasion): Promise<void> {
  const { db, actor, now } = scope
  const { trigger, words, context = null, subject, causedBy } = occasion
  const text = wordsOf(trigger) ?? words
  const session = newSession(agent, text, now, {
    owner_id: null,
    creator: { type: 'bot', id: agent.id },
    trigger_type: trigger.type,
    type_label: 'triggered',
    ...(causedBy.length === 0 ? {} : { trigger_chain: JSON.stringify(causedBy) }),
  })
  await insertSession(db, actor.workspaceId, session)
  await queueTurn(scope, new SessionWriter(db, actor.workspaceId, session, now), agent, {
    message: { text, files: [], metadata: null, author: null },
    askedBy: null,
    promptContext: context,
    ...(subject === undefined ? {} : { subject }),
  })
}

const WORDS_LENGTH_MAX = 8_000

/** What the trigger was set up to say: the setting `message.text`. */
function wordsOf({ config }: AgentTrigger): string | undefined {
  const text = config?.['message']?.['text']
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, WORDS_LENGTH_MAX) : undefined
}
