import type { Connection, Transaction } from './database.ts'

/** What a workspace may spend in a billing period; null means as much as it likes. */
export interface CreditTerms {
  /** Credits of the workspace. */
  readonly credits: number | null
  /** The limit of each agent, in credits, where its own is not smaller. */
  readonly defaultAgentLimit: number | null
}

export async function findCreditTerms(db: Connection, workspaceId: string): Promise<CreditTerms> {
  const row = await db.get(
    { credits: 'integer?', default_agent_limit: 'integer?' },
    'select credits, default_agent_limit from credit_terms where workspace_id = ?',
    workspaceId,
  )
  return { credits: row?.credits ?? null, defaultAgentLimit: row?.default_agent_limit ?? null }
}

export async function setCreditTerms(db: Transaction, workspaceId: string, terms: CreditTerms): Promise<void> {
  await db.run(
    `insert into credit_terms (workspace_id, credits, default_agent_limit) values (?, ?, ?)
     on conflict (workspace_id) do update set credits = excluded.credits, default_agent_limit = excluded.default_agent_limit`,
    workspaceId,
    terms.credits,
    terms.defaultAgentLimit,
  )
}

/** What a turn of an agent, or other work of the workspace, has used so far. */
export interface Usage {
  /** The session, or whatever else the work belongs to. */
  readonly sourceId: string
  readonly turn: number
  /** Null for work without an agent. */
  readonly agentId: string | null
  readonly tokens: number
  /** Hundredths of a credit. */
  readonly hundredths: number
  readonly completed: boolean
}

/** @returns tokens and hundredths of credits that a turn has used so far */
export async function findUsage(
  db: Connection,
  workspaceId: string,
  { sourceId, turn }: Pick<Usage, 'sourceId' | 'turn'>,
): Promise<Pick<Usage, 'tokens' | 'hundredths'>> {
  const row = await db.get(
    { tokens: 'integer', hundredths: 'integer' },
    'select tokens, hundredths from agent_usage where workspace_id = ? and source_id = ? and turn = ?',
    workspaceId,
    sourceId,
    turn,
  )
  return row ?? { tokens: 0, hundredths: 0 }
}

export async function setUsage(db: Transaction, workspaceId: string, usage: Usage, now: number): Promise<void> {
  await db.run(
    `insert into agent_usage (workspace_id, source_id, turn, agent_id, tokens, hundredths, completed, created_time)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (workspace_id, source_id, turn)
     do update set tokens = excluded.tokens, hundredths = excluded.hundredths, completed = excluded.completed`,
    workspaceId,
    usage.sourceId,
    usage.turn,
    usage.agentId,
    usage.tokens,
    usage.hundredths,
    usage.completed ? 1 : 0,
    now,
  )
}

/** @param spenderId an agent, or the workspace itself @returns hundredths of credits, with these */
export async function addToPeriod(
  db: Transaction,
  workspaceId: string,
  spenderId: string,
  periodStart: number,
  hundredths: number,
): Promise<number> {
  await db.run(
    `insert into credit_periods (workspace_id, spender_id, period_start, hundredths) values (?, ?, ?, ?)
     on conflict (workspace_id, spender_id, period_start) do update set hundredths = credit_periods.hundredths + excluded.hundredths`,
    workspaceId,
    spenderId,
    periodStart,
    hundredths,
  )
  return spentInPeriod(db, workspaceId, spenderId, periodStart)
}

/** @param spenderId an agent, or the workspace itself @returns hundredths of credits */
export async function spentInPeriod(
  db: Connection,
  workspaceId: string,
  spenderId: string,
  periodStart: number,
): Promise<number> {
  const row = await db.get(
    { hundredths: 'integer' },
    'select hundredths from credit_periods where workspace_id = ? and spender_id = ? and period_start = ?',
    workspaceId,
    spenderId,
    periodStart,
  )
  return row?.hundredths ?? 0
}

/** What an agent did from one time until before another. */
export async function sumUsage(
  db: Connection,
  workspaceId: string,
  agentId: string,
  from: number,
  until: number,
): Promise<{ readonly hundredths: number; readonly completed: number }> {
  const row = await db.get(
    { hundredths: 'integer', completed: 'integer' },
    `select cast(coalesce(sum(hundredths), 0) as bigint) as hundredths, cast(coalesce(sum(completed), 0) as bigint) as completed
     from agent_usage where workspace_id = ? and agent_id = ? and created_time >= ? and created_time < ?`,
    workspaceId,
    agentId,
    from,
    until,
  )
  return row ?? { hundredths: 0, completed: 0 }
}

export async function hasLimitRequest(db: Connection, workspaceId: string, agentId: string, userId: string): Promise<boolean> {
  const row = await db.get(
    { user_id: 'text' },
    'select user_id from agent_limit_requests where workspace_id = ? and agent_id = ? and user_id = ?',
    workspaceId,
    agentId,
    userId,
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
    `insert into agent_limit_requests (workspace_id, agent_id, user_id, created_time) values (?, ?, ?, ?)
     on conflict (workspace_id, agent_id, user_id) do nothing`,
    workspaceId,
    agentId,
    userId,
    now,
  )
}

/** Whoever asked for a higher limit has been answered. */
export async function deleteLimitRequests(db: Transaction, workspaceId: string, agentId: string): Promise<void> {
  await db.run('delete from agent_limit_requests where workspace_id = ? and agent_id = ?', workspaceId, agentId)
}
