import { levelOfAccess, type AgentViewer } from './agent_access.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'

/** The level of a viewer for each of the agents. Agents that the viewer cannot see are omitted. */
export async function findAgentLevels(
  db: Connection,
  viewer: AgentViewer,
  agentIds: readonly string[],
): Promise<Map<string, number>> {
  if (agentIds.length === 0) return new Map()
  const { workspaceId, subjectId, isFullMember } = viewer
  const rows = await db.all(
    { agent_id: 'text', subject_id: 'text', level: 'integer?' },
    sql`select x.agent_id, x.subject_id, ${levelOfAccess(workspaceId)} as level from ${db.wanted(agentIds)}
      ${db.lookUpEach(
        'agent_access',
        'x',
        sql`x.workspace_id = ${workspaceId} and x.subject_id in (${subjectId}, ${isFullMember ? workspaceId : subjectId})
          and x.agent_id = wanted.id`,
      )}`,
  )
  // A rule for the subject itself takes precedence over one for all members.
  const ownLast = rows.toSorted((a, b) => Number(a.subject_id === subjectId) - Number(b.subject_id === subjectId))
  const decided = new Map(ownLast.map(({ agent_id: id, level }) => [id, level]))
  return new Map([...decided].flatMap(([id, level]) => (level === null ? [] : [[id, level]])))
}

/** The agents for which a viewer has access rows. @returns undefined if there are more than `limit` rows */
export async function listFewAgents(db: Connection, viewer: AgentViewer, limit: number): Promise<string[] | undefined> {
  const { workspaceId, subjectId, isFullMember } = viewer
  const rows = await db.all(
    { agent_id: 'text' },
    sql`select agent_id from agent_access where workspace_id = ${workspaceId}
      and subject_id in (${subjectId}, ${isFullMember ? workspaceId : subjectId}) limit ${limit + 1}`,
  )
  return rows.length > limit ? undefined : [...new Set(rows.map(({ agent_id: id }) => id))]
}
