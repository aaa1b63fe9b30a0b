import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** The credits that a workspace may spend in a billing period; null means no limit. */
export interface CreditTerms {
  /** The credits of the workspace. */
  readonly credits: number | null
  /** The limit of each agent in credits, unless its own is lower. */
  readonly defaultAgentLimit: number | null
}

export async function findCreditTerms(db: Connection, workspaceId: string): Promise<CreditTerms> {
  const row = await db.get(
    { credits: 'integer?', default_agent_limit: 'integer?' },
    sql`select credits, default_agent_limit from credit_terms where workspace_id = ${workspaceId}`,
  )
  return { credits: row?.credits ?? null, defaultAgentLimit: row?.default_agent_limit ?? null }
}

export async function setCreditTerms(db: Transaction, workspaceId: string, terms: CreditTerms): Promise<void> {
  await db.run(
    sql`insert into credit_terms (workspace_id, credits, default_agent_limit)
      values (${workspaceId}, ${terms.credits}, ${terms.defaultAgentLimit}) on conflict (workspace_id) do update
      set credits = excluded.credits, default_agent_limit = excluded.default_agent_limit`,
  )
}

/** The usage so far of a turn, or of other metered work. */
export interface Usage {
  /** The id of the session or other source of the work. */
  readonly sourceId: string
  readonly turn: number
  /** Null for work without an agent. */
  readonly agentId: string | null
  readonly tokens: number
  /** In hundredths of a credit. */
  readonly hundredths: number
  readonly completed: boolean
}

/** @returns the tokens and hundredths of a credit that a turn has used so far */
export async function findUsage(
  db: Connection,
  workspaceId: string,
  { sourceId, turn }: Pick<Usage, 'sourceId' | 'turn'>,
): Promise<Pick<Usage, 'tokens' | 'hundredths'>> {
  const row = await db.get(
    { tokens: 'integer', hundredths: 'integer' },
    sql`select tokens, hundredths from agent_usage where workspace_id = ${workspaceId} and source_id = ${sourceId}
      and turn = ${turn}`,
  )
  return row ?? { tokens: 0, hundredths: 0 }
}

export async function setUsage(db: Transaction, workspaceId: string, usage: Usage, now: number): Promise<void> {
  await db.run(
    sql`insert into agent_usage (workspace_id, source_id, turn, agent_id, tokens, hundredths, completed, created_time)
      values (${workspaceId}, ${usage.sourceId}, ${usage.turn}, ${usage.agentId}, ${usage.tokens}, ${usage.hundredths},
      ${usage.completed ? 1 : 0}, ${now}) on conflict (workspace_id, source_id, turn) do update
      set tokens = excluded.tokens, hundredths = excluded.hundredths, completed = excluded.completed`,
  )
}

/** @param spenderId an agent, or the workspace itself @returns the hundredths of a credit spent in the period, including these */
export async function addToPeriod(
  db: Transaction,
  workspaceId: string,
  spenderId: string,
  periodStart: number,
  hundredths: number,
): Promise<number> {
  await db.run(
    sql`insert into credit_periods (workspace_id, spender_id, period_start, hundredths)
      values (${workspaceId}, ${spenderId}, ${periodStart}, ${hundredths}) on conflict (workspace_id, spender_id, period_start) do
      update set hundredths = credit_periods.hundredths + excluded.hundredths`,
  )
  return spentInPeriod(db, workspaceId, spenderId, periodStart)
}

/** @param spenderId an agent, or the workspace itself @returns hundredths of a credit */
export async function spentInPeriod(
  db: Connection,
  workspaceId: string,
  spenderId: string,
  periodStart: number,
): Promise<number> {
  const row = await db.get(
    { hundredths: 'integer' },
    sql`select hundredths from credit_periods where workspace_id = ${workspaceId} and spender_id = ${spenderId}
      and period_start = ${periodStart}`,
  )
  return row?.hundredths ?? 0
}

/** The spending and completed turns of an agent from one time up to but excluding another. */
export async function sumUsage(
  db: Connection,
  workspaceId: string,
  agentId: string,
  from: number,
  until: number,
): Promise<{ readonly hundredths: number; readonly completed: number }> {
  const row = await db.get(
    { hundredths: 'integer', completed: 'integer' },
    sql`select cast(coalesce(sum(hundredths), 0) as bigint) as hundredths, cast(coalesce(sum(completed), 0) as bigint) as
      completed
     from agent_usage where workspace_id = ${workspaceId} and agent_id = ${agentId} and created_time >= ${from}
     and created_time < ${until}`,
  )
  return row ?? { hundredths: 0, completed: 0 }
}

export async function hasLimitRequest(db: Connection, workspaceId: string, agentId: string, userId: string): Promise<boolean> {
  const row = await db.get(
    { user_id: 'text' },
    sql`select user_id from agent_limit_requests where workspace_id = ${workspaceId} and agent_id = ${agentId}
      and user_id = ${userId}`,
  )
  return row !== undefined
}

export async function insertLimitRequest(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  userId: string,
  now: number,
): Promise<void> {
  await db.run(
    sql`insert into agent_limit_requests (workspace_id, agent_id, user_id, created_time)
      values (${workspaceId}, ${agentId}, ${userId}, ${now}) on conflict (workspace_id, agent_id, user_id) do nothing`,
  )
}

/** Removes the requests to raise an agent's limit, because they have been decided. */
export async function deleteLimitRequests(db: Transaction, workspaceId: string, agentId: string): Promise<void> {
  await db.run(sql`delete from agent_limit_requests where workspace_id = ${workspaceId} and agent_id = ${agentId}`)
}
