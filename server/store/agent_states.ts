import type { AgentRecord } from './agents.ts'
import type { Transaction } from './database.ts'

/** What changes by itself or by single calls, settings aside. */
export type AgentState = Pick<AgentRecord, 'pauseReason' | 'pauseEndTime' | 'deletedTime' | 'creditLimit' | 'lastEditedTime'>

/** The bot of a deleted agent has left the workspace until the agent is restored. */
export async function setAgentState(db: Transaction, workspaceId: string, id: string, state: AgentState): Promise<void> {
  await db.run(
    `update agents set pause_reason = ?, pause_end_time = ?, deleted_time = ?, credit_limit = ?, last_edited_time = ?
     where workspace_id = ? and id = ?`,
    state.pauseReason,
    state.pauseEndTime,
    state.deletedTime,
    state.creditLimit,
    state.lastEditedTime,
    workspaceId,
    id,
  )
  await db.run('update users set left_time = ? where workspace_id = ? and id = ?', state.deletedTime, workspaceId, id)
}

export async function setLastRun(db: Transaction, workspaceId: string, id: string, time: number): Promise<void> {
  await db.run('update agents set last_run_time = ? where workspace_id = ? and id = ?', time, workspaceId, id)
}

/** Agents that are paused for a reason. */
export async function listPaused(db: Transaction, workspaceId: string, reason: string): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    'select id from agents where workspace_id = ? and pause_reason = ? and deleted_time is null order by id',
    workspaceId,
    reason,
  )
  return rows.map(({ id }) => id)
}

/**
 * Agents whose state may follow from what may be spent: those that have spent something in a billing period, and those paused for it.
 * @param withAll all agents, where nothing may be spent any more
 */
export async function listLimited(
  db: Transaction,
  workspaceId: string,
  periodStart: number,
  withAll: boolean,
): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    `select a.id from agents a where a.workspace_id = ? and a.deleted_time is null
       and (${withAll ? '1 = 1' : `a.pause_reason in ('credit_limit', 'runaway_credit_usage')`} or exists (
         select 1 from credit_periods p where p.workspace_id = ? and p.spender_id = a.id and p.period_start = ?)) order by a.id`,
    workspaceId,
    workspaceId,
    periodStart,
  )
  return rows.map(({ id }) => id)
}

const OF_AGENTS = [
  'agent_versions',
  'agent_access',
  'agent_favorites',
  'agent_limit_requests',
  'agent_mentions',
  'agent_usage',
] as const

/** Of each agent no more than it has triggers, and hours of the last weeks. */
const WITH_FEW_ROWS = ['agent_schedules', 'agent_triggers', 'agent_watch', 'agent_hours'] as const

/**
 * Takes agents that were deleted before a time away for good, with all that belongs to them.
 * @returns about how many rows; fewer than `limit` when none is left
 */
export async function dropDeletedAgents(db: Transaction, before: number, limit: number): Promise<number> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    'select workspace_id, id from agents where deleted_time is not null and deleted_time <= ? order by deleted_time limit 1',
    before,
  )
  const [agent] = rows
  if (!agent) return 0
  for (const table of OF_AGENTS) {
    const key = {
      agent_versions: 'id',
      agent_access: 'subject_id',
      agent_favorites: 'user_id',
      agent_limit_requests: 'user_id',
      agent_mentions: 'place_id',
    }
    const dropped =
      table === 'agent_usage' ? await dropUsage(db, agent, limit) : await dropRows(db, table, key[table], agent, limit)
    if (dropped >= limit) return dropped
  }
  await db.run('delete from credit_periods where workspace_id = ? and spender_id = ?', agent.workspace_id, agent.id)
  for (const table of WITH_FEW_ROWS)
    await db.run(`delete from ${table} where workspace_id = ? and agent_id = ?`, agent.workspace_id, agent.id)
  await db.run('delete from agents where workspace_id = ? and id = ?', agent.workspace_id, agent.id)
  return limit
}

interface AgentKey {
  readonly workspace_id: string
  readonly id: string
}

async function dropRows(db: Transaction, table: string, key: string, agent: AgentKey, limit: number): Promise<number> {
  return db.run(
    `delete from ${table} where workspace_id = ? and agent_id = ? and ${key} in
       (select ${key} from ${table} where workspace_id = ? and agent_id = ? limit ?)`,
    agent.workspace_id,
    agent.id,
    agent.workspace_id,
    agent.id,
    limit,
  )
}

async function dropUsage(db: Transaction, agent: AgentKey, limit: number): Promise<number> {
  return db.run(
    `delete from agent_usage where workspace_id = ? and (source_id, turn) in
       (select source_id, turn from agent_usage where workspace_id = ? and agent_id = ? limit ?)`,
    agent.workspace_id,
    agent.workspace_id,
    agent.id,
    limit,
  )
}
