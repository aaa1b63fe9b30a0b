import { LEVEL_OF_ACCESS, type AgentViewer } from './agent_access.ts'
import type { Connection } from './database.ts'

/** The agents that a viewer can reach, each with its level. */
export async function listAgentLevels(db: Connection, viewer: AgentViewer): Promise<Map<string, number>> {
  const { workspaceId, subjectId, isFullMember } = viewer
  const rows = await db.all(
    { agent_id: 'text', subject_id: 'text', level: 'integer?' },
    `select x.agent_id, x.subject_id, ${LEVEL_OF_ACCESS} as level from agent_access x
     where x.workspace_id = ? and x.subject_id in (?, ?)`,
    workspaceId,
    workspaceId,
    workspaceId,
    workspaceId,
    subjectId,
    isFullMember ? workspaceId : subjectId,
  )
  const levels = new Map<string, number>()
  // A rule of one's own decides before that of all members.
  const ownLast = rows.toSorted((a, b) => Number(a.subject_id === subjectId) - Number(b.subject_id === subjectId))
  for (const { agent_id: id, level } of ownLast) if (level !== null) levels.set(id, level)
  return levels
}
