import { newestRelease } from '../../../../generated/operations.ts'
import type { AgentTrigger } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { lockAgentRecord } from '../../../store/agents.ts'
import type { Transaction } from '../../../store/database.ts'
import { insertSession } from '../../../store/sessions.ts'
import { findOwnAgent, type Agent } from '../agent.ts'
import { actorOfAgent } from '../agent_actor.ts'
import { requireRunnable } from '../credits.ts'
import type { JobDeps, WriteScope } from '../../shared/index.ts'
import { newSession, queueTurn } from '../sessions/queue_turn.ts'
import { SessionWriter } from '../sessions/writer.ts'

/** An agent that can run, and the scope in which its triggers act. */
export interface Startable {
  readonly scope: WriteScope
  readonly agent: Agent
}

/** Finds an agent and locks it. @returns undefined if the agent does not exist, is deleted or disabled, or has no credits left */
export async function findStartable(
  { scopeOf }: Pick<JobDeps, 'scopeOf'>,
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

/** Why an agent runs without a request. */
export interface Occasion {
  readonly trigger: AgentTrigger
  /** The default message of a trigger. */
  readonly words: string
  /**
   * The context of the change, as far as it is visible to the agent. Sessions do not show it, because not everyone who sees a
   * session sees all of it.
   */
  readonly context?: string
  /** The title of the changed page, if it is visible to all full members. */
  readonly subject?: string
  readonly causedBy: readonly string[]
}

/** Starts a session without a request, in the name of the agent's bot. */
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
    actorId: null,
    promptContext: context,
    ...(subject === undefined ? {} : { subject }),
  })
}

const WORDS_LENGTH_MAX = 8_000

/** The message of the trigger: the setting `message.text`. */
function wordsOf({ config }: AgentTrigger): string | undefined {
  const text = config?.['message']?.['text']
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, WORDS_LENGTH_MAX) : undefined
}
