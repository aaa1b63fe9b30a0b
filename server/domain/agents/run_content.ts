import { findVersionContent, type RunContent } from '../../store/agents.ts'
import type { Scope } from '../scope.ts'
import type { Agent } from './agent.ts'

/** What a turn of an agent runs with: its published version, or, before the first one, what was written last. */
export async function runContentOf({ db, actor }: Pick<Scope, 'db' | 'actor'>, agent: Agent): Promise<RunContent> {
  const published = agent.version === null ? undefined : await findVersionContent(db, actor.workspaceId, agent.version.id)
  return published ?? agent
}
