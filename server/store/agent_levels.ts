import { LEVEL_OF_ACCESS, type AgentViewer } from './agent_access.ts'
import type { Connection } from './database.ts'

/** What a viewer may do with each of some agents; those that are hidden from it are not there. */
export async function findAgentLevels(
  db: Connection,
  viewer: AgentViewer,
  agentIds: readonly string[],
): Promise<Map<string, number>> {
  if (agentIds.length === 0) return new Map()
  const { workspaceId, subjectId, isFullMember } = viewer
  const wanted = db.wanted(agentIds)
  const rows = await db.all(
    { agent_id: 'text', subject_id: 'text', level: 'integer?' },
    `select x.agent_id, x.subject_id, ${LEVEL_OF_ACCESS} as level from ${wanted.table}
     ${db.lookUpEach('agent_access', 'x', 'x.workspace_id = ? and x.subject_id in (?, ?) and x.agent_id = wanted.id')}`,
    workspaceId,
    workspaceId,
    workspaceId,
    wanted.parameter,
    workspaceId,
    subjectId,
    isFullMember ? workspaceId : subjectId,
  )
  // A rule of one's own decides before that of all members.
  const ownLast = rows.toSorted((a, b) => Number(a.subject_id === subjectId) - Number(b.subject_id === subjectId))
  const decided = new Map(ownLast.map(({ agent_id: id, level }) => [id, level]))
  return new Map([...decided].flatMap(([id, level]) => (level === null ? [] : [[id, level]])))
}

/** Some of the agents that a viewer may have been given. @returns undefined where there are more than `limit` rules to look at */
export async function listFewAgents(db: Connection, viewer: AgentViewer, limit: number): Promise<string[] | undefined> {
  const { workspaceId, subjectId, isFullMember } = viewer
  const rows = await db.all(
    { agent_id: 'text' },
    'select agent_id from agent_access where workspace_id = ? and subject_id in (?, ?) limit ?',
    workspaceId,
    subjectId,
    isFullMember ? workspaceId : subjectId,
    limit + 1,
  )
  return rows.length > limit ? undefined : [...new Set(rows.map(({ agent_id: id }) => id))]
}
