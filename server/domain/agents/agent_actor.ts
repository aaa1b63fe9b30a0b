import { findAgentRecord } from '../../store/agents.ts'
import type { Connection } from '../../store/database.ts'
import { findMember } from '../../store/members.ts'
import { memberOf, roleOf, type Actor } from '../shared/index.ts'

/**
 * With whose eyes an agent looks when a trigger has started it: those of the member who made it, as long as there is one; else those of
 * a member without rules of its own. Its permissions narrow that down. What it writes takes a person's approval and is written
 * with the rights of that person.
 * @returns undefined when there is no such agent
 */
export async function actorOfAgent(db: Connection, workspaceId: string, agentId: string): Promise<Actor | undefined> {
  const agent = await findAgentRecord(db, workspaceId, agentId)
  if (!agent) return undefined
  const maker = agent.createdBy === null ? undefined : await findMember(db, workspaceId, agent.createdBy)
  return maker?.left_time === null
    ? memberOf(workspaceId, maker.id, roleOf(maker.role))
    : memberOf(workspaceId, agentId, 'member')
}
