import { findAgentRecord } from '../../store/agents.ts'
import type { Connection } from '../../store/database.ts'
import { findMember } from '../../store/members.ts'
import { memberOf, roleOf, type Actor } from '../shared/index.ts'

/**
 * The actor for an agent that a trigger has started. The agent sees what this actor sees, within its own permissions: the actor is the
 * member who created the agent, if still a member; otherwise a member without individual access rules. The agent's writes need a person's
 * approval, and use the rights of that person.
 * @returns undefined if there is no such agent
 */
export async function actorOfAgent(db: Connection, workspaceId: string, agentId: string): Promise<Actor | undefined> {
  const agent = await findAgentRecord(db, workspaceId, agentId)
  if (!agent) return undefined
  const maker = agent.createdBy === null ? undefined : await findMember(db, workspaceId, agent.createdBy)
  return maker?.left_time === null
    ? memberOf(workspaceId, maker.id, roleOf(maker.role))
    : memberOf(workspaceId, agentId, 'member')
}
