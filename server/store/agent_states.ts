import { setRunTimes } from './agent_access.ts'
import type { AgentRecord } from './agents.ts'
import type { Transaction } from './database.ts'
import { raw, sql } from './sql.ts'

/** The state of an agent, as opposed to its settings. */
export type AgentState = Pick<AgentRecord, 'pauseReason' | 'pauseEndTime' | 'deletedTime' | 'creditLimit' | 'lastEditedTime'>

/** Stores the state of an agent. While an agent is deleted, its bot counts as having left the workspace. */
export async function setAgentState(db: Transaction, workspaceId: string, id: string, state: AgentState): Promise<void> {
  await db.run(
    sql`update agents set pause_reason = ${state.pauseReason}, pause_end_time = ${state.pauseEndTime}, deleted_time =
      ${state.deletedTime}, credit_limit = ${state.creditLimit}, last_edited_time = ${state.lastEditedTime}
     where workspace_id = ${workspaceId} and id = ${id}`,
  )
  await db.run(sql`update users set left_time = ${state.deletedTime} where workspace_id = ${workspaceId} and id = ${id}`)
}

export async function setLastRun(db: Transaction, workspaceId: string, id: string, time: number): Promise<void> {
  await db.run(sql`update agents set last_run_time = ${time} where workspace_id = ${workspaceId} and id = ${id}`)
  await setRunTimes(db, workspaceId, id)
}

/** The ids of agents paused for a reason. */
export async function listPaused(db: Transaction, workspaceId: string, reason: string): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from agents where workspace_id = ${workspaceId} and pause_reason = ${reason} and deleted_time is null
      order by id`,
  )
  return rows.map(({ id }) => id)
}

/**
 * The ids of agents that a credit limit may pause or resume: those that have spent credits in a billing period, and those that a limit has
 * paused.
 * @param withAll whether to return all agents, because the workspace has no credits left
 */
export async function listLimited(
  db: Transaction,
  workspaceId: string,
  periodStart: number,
  withAll: boolean,
): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select a.id from agents a where a.workspace_id = ${workspaceId} and a.deleted_time is null
      and (${raw(withAll ? '1 = 1' : `a.pause_reason in ('credit_limit', 'runaway_credit_usage')`)} or exists (
        select 1 from credit_periods p
        where p.workspace_id = ${workspaceId} and p.spender_id = a.id and p.period_start = ${periodStart})) order by a.id`,
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

/** Tables with few rows for each agent: at most one for each of its triggers, or for each hour of the last weeks. */
const WITH_FEW_ROWS = ['agent_schedules', 'agent_triggers', 'agent_watch', 'agent_hours'] as const

/**
 * Removes one agent that was deleted at or before a time, with its rows in other tables, at most about `limit` of them in each call.
 * @returns 0 if there is no such agent; otherwise at least `limit`, because there may be more to remove
 */
export async function dropDeletedAgents(db: Transaction, before: number, limit: number): Promise<number> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select workspace_id, id from agents where deleted_time is not null and deleted_time <= ${before} order by deleted_time
      limit 1`,
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
  await db.run(sql`delete from credit_periods where workspace_id = ${agent.workspace_id} and spender_id = ${agent.id}`)
  for (const table of WITH_FEW_ROWS)
    await db.run(sql`delete from ${raw(table)} where workspace_id = ${agent.workspace_id} and agent_id = ${agent.id}`)
  await db.run(sql`delete from agents where workspace_id = ${agent.workspace_id} and id = ${agent.id}`)
  return limit
}

interface AgentKey {
  readonly workspace_id: string
  readonly id: string
}

async function dropRows(db: Transaction, table: string, key: string, agent: AgentKey, limit: number): Promise<number> {
  return db.change(
    sql`delete from ${raw(table)} where workspace_id = ${agent.workspace_id} and agent_id = ${agent.id} and ${raw(key)} in
       (select ${raw(key)} from ${raw(table)} where workspace_id = ${agent.workspace_id} and agent_id = ${agent.id}
       limit ${limit})`,
  )
}

async function dropUsage(db: Transaction, agent: AgentKey, limit: number): Promise<number> {
  return db.change(
    sql`delete from agent_usage where workspace_id = ${agent.workspace_id} and (source_id, turn) in
       (select source_id, turn from agent_usage where workspace_id = ${agent.workspace_id} and agent_id = ${agent.id}
       limit ${limit})`,
  )
}
