import type { AgentVersionRef } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { findAgent, type Agent } from '../agent.ts'
import { runContentOf } from '../run_content.ts'
import { invalid, type Scope } from '../../shared/index.ts'
import { retrievePageMarkdown } from '../../content/index.ts'

/** The agent as it was when a turn started. The turn uses it until its end. */
export interface AgentSnapshot {
  readonly name: string
  readonly instructions: string
  /** The id of the page with the instructions; null if they are not on a page. */
  readonly instructionsPageId: string | null
  readonly model: Agent['model']
  /** The title of the page of a trigger: see `RunMessage`. */
  readonly subject?: string
}

/** @throws ServiceError like `findAgent`; `validation_error` for an external agent */
export async function findTalkingAgent(scope: Scope, request: string): Promise<Agent> {
  const agent = await findAgent(scope, request)
  if (agent.type === 'external') throw invalid('body.agent_id', 'should not be an external agent: external agents run elsewhere')
  return agent
}

/** As JSON; null if no version is published. */
export function presentVersion({ version }: Agent): string | null {
  if (version === null) return null
  const { id, number, publishedTime } = version
  return JSON.stringify({ id, number, published_at: toTimestamp(publishedTime) } satisfies AgentVersionRef)
}

export async function snapshotOf(scope: Scope, agent: Agent): Promise<AgentSnapshot> {
  const { instructions, instructionsPageId, model } = await runContentOf(scope, agent)
  return { name: agent.name, instructions: instructions ?? '', instructionsPageId, model }
}

/** The text of the instructions. Instructions on a page that the sender of the message cannot see are omitted. */
export async function instructionsOf(scope: Scope, { instructions, instructionsPageId }: AgentSnapshot): Promise<string> {
  if (instructionsPageId === null) return instructions
  try {
    const { markdown } = await retrievePageMarkdown(scope, instructionsPageId, false)
    return [instructions, markdown].filter((text) => text !== '').join('\n')
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'object_not_found') return instructions
    throw error
  }
}
