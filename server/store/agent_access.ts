import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

/**
 * The access levels of an agent: 1 view (see and run it), 2 edit (also its restricted fields and its status), 3 full (also its credit limit
 * and deletion).
 */
export type AgentLevelNumber = 1 | 2 | 3

/**
 * The member or bot whose agents are listed. A rule for this subject takes precedence over one for all full members, whose subject id is
 * the workspace's.
 */
export interface AgentViewer {
  readonly workspaceId: string
  readonly subjectId: string
  /** Whether rules for all full members apply. */
  readonly isFullMember: boolean
}

/** An SQL expression for the level of an access row `x`: a shared agent gives at most the level of the member who shared it. */
export function levelOfAccess(workspaceId: string): Sql {
  return sql`case when x.shared_by is null then x.level else
    (select case when s.level < x.level then s.level else x.level end from agent_access s
     where s.workspace_id = ${workspaceId} and s.agent_id = x.agent_id and s.subject_id in (x.shared_by, ${workspaceId})
     order by case when s.subject_id = ${workspaceId} then 1 else 0 end limit 1) end`
}

/** @returns undefined if the agent is hidden from the viewer */
export async function findAgentLevel(db: Connection, viewer: AgentViewer, agentId: string): Promise<number | undefined> {
  const { workspaceId, subjectId, isFullMember } = viewer
  const row = await db.get(
    { level: 'integer?' },
    sql`select ${levelOfAccess(workspaceId)} as level from agent_access x
      where x.workspace_id = ${workspaceId} and x.agent_id = ${agentId}
      and x.subject_id in (${subjectId}, ${isFullMember ? workspaceId : subjectId})
      order by case when x.subject_id = ${subjectId} then 0 else 1 end limit 1`,
  )
  return row?.level ?? undefined
}

/** Gives a subject access to an agent. @param subjectId a member, a bot, or the workspace for all its full members */
export async function setAgentAccess(
  db: Transaction,
  workspaceId: string,
  access: {
    readonly agentId: string
    readonly subjectId: string
    readonly level: AgentLevelNumber
    readonly sharedBy: string | null
  },
  now: number,
): Promise<void> {
  const agent = await db.get(
    { created_time: 'integer' },
    sql`select created_time from agents where workspace_id = ${workspaceId} and id = ${access.agentId}`,
  )
  await db.run(
    sql`insert into agent_access (workspace_id, subject_id, agent_id, level, shared_by, created_time, agent_created_time)
     values (${workspaceId}, ${access.subjectId}, ${access.agentId}, ${access.level}, ${access.sharedBy}, ${now},
     ${agent?.created_time ?? null})
     on conflict (workspace_id, subject_id, agent_id) do update set level = excluded.level, shared_by = excluded.shared_by,
     agent_run_time = -1`,
  )
  await setRunTimes(db, workspaceId, access.agentId)
}

/** From this level on, a viewer sees the accounts of connections and the time of the last run. */
export const EDIT_LEVEL: AgentLevelNumber = 2

/** Copies the last run of an agent into its access rows, whose index provides the order of lists; -1 for subjects that may not see it. */
export async function setRunTimes(db: Transaction, workspaceId: string, agentId: string): Promise<void> {
  await db.run(
    sql`update agent_access as x set agent_run_time = case when ${levelOfAccess(workspaceId)} >= ${EDIT_LEVEL} then
       coalesce((select a.last_run_time from agents a where a.workspace_id = ${workspaceId} and a.id = ${agentId}), -1) else -1 end
     where x.workspace_id = ${workspaceId} and x.agent_id = ${agentId} and x.level >= ${raw(EDIT_LEVEL)}`,
  )
}

/** @returns whether the subject had access */
export async function deleteAgentAccess(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  subjectId: string,
): Promise<boolean> {
  const changed = await db.change(
    sql`delete from agent_access where workspace_id = ${workspaceId} and subject_id = ${subjectId} and agent_id = ${agentId}`,
  )
  await setRunTimes(db, workspaceId, agentId)
  return changed > 0
}

export async function deleteAgentAccessOf(db: Transaction, workspaceId: string, subjectId: string): Promise<void> {
  await db.run(sql`delete from agent_access where workspace_id = ${workspaceId} and subject_id = ${subjectId}`)
}

const accessRow = rowOf({ subject_id: 'text', level: 'integer', shared_by: 'text?' })
export type AgentAccessRow = RowOf<typeof accessRow>

export async function listAgentAccess(db: Connection, workspaceId: string, agentId: string): Promise<AgentAccessRow[]> {
  return db.all(
    accessRow,
    sql`select subject_id, level, shared_by from agent_access where workspace_id = ${workspaceId} and agent_id = ${agentId}
      order by created_time, subject_id`,
  )
}

export async function setFavorite(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  userId: string,
  isFavorite: boolean,
): Promise<void> {
  await db.run(
    isFavorite
      ? 'insert into agent_favorites (workspace_id, user_id, agent_id) values (?, ?, ?) on conflict (workspace_id, user_id, agent_id) do nothing'
      : 'delete from agent_favorites where workspace_id = ? and user_id = ? and agent_id = ?',
    workspaceId,
    userId,
    agentId,
  )
}
