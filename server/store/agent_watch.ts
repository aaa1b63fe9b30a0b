import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Counts a run of an agent. @returns the number of runs in the period, this one included */
export async function addRun(db: Transaction, workspaceId: string, agentId: string, periodStart: number): Promise<number> {
  const row = await db.get(
    { runs: 'integer' },
    sql`insert into agent_watch (workspace_id, agent_id, failures, period_start, runs)
      values (${workspaceId}, ${agentId}, 0, ${periodStart}, 1) on conflict (workspace_id, agent_id) do update
      set runs = case when agent_watch.period_start = excluded.period_start then agent_watch.runs + 1 else 1 end, period_start =
      excluded.period_start returning runs`,
  )
  return row?.runs ?? 0
}

/** Counts a failed run. @returns the number of failures in a row */
export async function addFailure(db: Transaction, workspaceId: string, agentId: string): Promise<number> {
  const row = await db.get(
    { failures: 'integer' },
    sql`insert into agent_watch (workspace_id, agent_id, failures, period_start, runs)
      values (${workspaceId}, ${agentId}, 1, 0, 0) on conflict (workspace_id, agent_id) do update
      set failures = agent_watch.failures + 1 returning failures`,
  )
  return row?.failures ?? 0
}

/** Ends a series of failures, after a run that did not fail. */
export async function clearFailures(db: Transaction, workspaceId: string, agentId: string): Promise<void> {
  await db.run(
    sql`update agent_watch set failures = 0 where workspace_id = ${workspaceId} and agent_id = ${agentId} and failures > 0`,
  )
}

/** Resets the counts that can pause an agent, because a person has attended to it. */
export async function clearWatch(db: Transaction, workspaceId: string, agentId: string): Promise<void> {
  await db.run(sql`delete from agent_watch where workspace_id = ${workspaceId} and agent_id = ${agentId}`)
  await db.run(sql`delete from agent_hours where workspace_id = ${workspaceId} and agent_id = ${agentId}`)
}

/** Adds hundredths of a credit to the spending of an agent in an hour. @returns the sum */
export async function addToHour(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  hourStart: number,
  hundredths: number,
): Promise<number> {
  const row = await db.get(
    { hundredths: 'integer' },
    sql`insert into agent_hours (workspace_id, agent_id, hour_start, hundredths)
      values (${workspaceId}, ${agentId}, ${hourStart}, ${hundredths}) on conflict (workspace_id, agent_id, hour_start) do update
      set hundredths = agent_hours.hundredths + excluded.hundredths returning hundredths`,
  )
  return row?.hundredths ?? 0
}

/**
 * The hours from `from` up to but excluding `before` in which an agent spent anything: their number, and the hundredths of a credit spent.
 */
export async function sumHours(
  db: Connection,
  workspaceId: string,
  agentId: string,
  from: number,
  before: number,
): Promise<{ readonly hours: number; readonly hundredths: number }> {
  const row = await db.get(
    { hours: 'integer', hundredths: 'integer?' },
    sql`select count(*) as hours, cast(sum(hundredths) as bigint) as hundredths from agent_hours
     where workspace_id = ${workspaceId} and agent_id = ${agentId} and hour_start >= ${from} and hour_start < ${before}`,
  )
  return { hours: row?.hours ?? 0, hundredths: row?.hundredths ?? 0 }
}

/** Deletes hours before a time. @returns how many, at most `limit` */
export function dropHours(db: Transaction, before: number, limit: number): Promise<number> {
  return db.change(
    sql`delete from agent_hours where (workspace_id, agent_id, hour_start) in (
       select workspace_id, agent_id, hour_start from agent_hours where hour_start < ${before} order by hour_start
       limit ${limit})`,
  )
}
