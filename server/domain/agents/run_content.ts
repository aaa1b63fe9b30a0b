import { findVersionContent, type RunContent } from '../../store/agents.ts'
import type { Scope } from '../shared/index.ts'
import type { Agent } from './agent.ts'

/** The content with which a turn of an agent runs: the published version or, if there is none, the latest draft. */
export async function runContentOf({ db, actor }: Pick<Scope, 'db' | 'actor'>, agent: Agent): Promise<RunContent> {
  const published = agent.version === null ? undefined : await findVersionContent(db, actor.workspaceId, agent.version.id)
  return published ?? agent
}
