import { ServiceError } from '../../kernel/errors.ts'
import { setLastRun } from '../../store/agent_states.ts'
import { lockAgentRecord } from '../../store/agents.ts'
import { addToPeriod, findCreditTerms, findUsage, setUsage, spentInPeriod } from '../../store/credits.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import type { Scope } from '../shared/index.ts'
import { isPersonal, PERSONAL_AGENT_ID, agentStatusOf, type Agent } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { agentLimitReached, workspaceCreditsExhausted } from './credit_errors.ts'
import { effectiveLimit, pauseByTurn } from './pauses.ts'
import { watchRun, watchSpending } from './watch.ts'

/** One credit is 1,000 tokens. Credits are counted in hundredths. */
const TOKENS_PER_HUNDREDTH = 10

/** The hundredths of a credit that a turn costs: rounded up, at least one. */
function hundredthsOf(tokens: number): number {
  return Math.max(1, Math.ceil(tokens / TOKENS_PER_HUNDREDTH))
}

/** @returns whether the workspace has any credits left in this billing period */
export async function hasWorkspaceCredits(db: Connection, workspaceId: string, now: number): Promise<boolean> {
  const { credits } = await findCreditTerms(db, workspaceId)
  if (credits === null) return true
  return (await spentInPeriod(db, workspaceId, workspaceId, billingPeriodOf(now).start)) < credits * 100
}

/**
 * Checks that an agent can run now. Called before a turn is queued, and before each of its steps with the current agent.
 * @throws ServiceError `agent_deleted`, `workspace_credits_exhausted`, `agent_credit_limit_reached`; `restricted_resource` with
 * any other reason for which it is paused
 */
export async function requireRunnable(scope: Scope, agent: Agent): Promise<void> {
  requireNotDeleted(agent)
  const { db, actor, now } = scope
  if (!(await hasWorkspaceCredits(db, actor.workspaceId, now))) throw await workspaceCreditsExhausted(scope)
  if (isPersonal(agent)) return
  const limit = effectiveLimit(agent.creditLimit, await findCreditTerms(db, actor.workspaceId))
  const spent = limit === null ? 0 : await spentInPeriod(db, actor.workspaceId, agent.id, billingPeriodOf(now).start)
  if (limit !== null && spent >= limit * 100) throw await agentLimitReached(scope, agent)
  if (agent.pauseReason === null) return
  throw new ServiceError('restricted_resource', {
    message: `The agent with id ${agent.id} is disabled; its pause_reason is ${agent.pauseReason}.`,
  })
}

/** @throws ServiceError `agent_deleted` */
export function requireNotDeleted(agent: Agent): void {
  if (agentStatusOf(agent) === 'deleted') throw agentDeleted(agent.id)
}

/** @returns the error for changing or running a deleted agent */
export function agentDeleted(id: string): ServiceError {
  return new ServiceError('agent_deleted', { message: `The agent with id ${id} is deleted; it can neither be changed nor run.` })
}

/** The usage of a part of a turn. */
interface TurnUsage {
  readonly workspaceId: string
  /** The reserved id for the personal agent; null for work without an agent, such as summaries. */
  readonly agentId: string | null
  /** The session, or the record for which work without an agent is done. */
  readonly sessionId: string
  /** Starting with 1. */
  readonly turn: number
  /** The tokens since the usage was last recorded; may be 0. */
  readonly tokens: number
  /** Whether the turn has ended as `completed`, so that insights count it as a run. */
  readonly completed: boolean
  readonly now: number
}

/**
 * Adds to the usage of a turn. If that exhausts the limit of the agent or the credits of the workspace, the agent is paused.
 * @returns the total credits of the turn so far
 */
export async function recordUsage(db: Transaction, usage: TurnUsage): Promise<number> {
  const { workspaceId, agentId, sessionId: sourceId, turn, now } = usage
  const isLimited = agentId !== null && agentId !== PERSONAL_AGENT_ID
  // Agents are always locked first, so that neither a new limit nor a turn's usage overlooks the other.
  const agent = isLimited ? await lockAgentRecord(db, workspaceId, agentId) : undefined
  const before = await findUsage(db, workspaceId, { sourceId, turn })
  const tokens = before.tokens + usage.tokens
  const hundredths = hundredthsOf(tokens)
  await setUsage(db, workspaceId, { sourceId, turn, agentId, tokens, hundredths, completed: usage.completed }, now)
  const { start } = billingPeriodOf(now)
  const added = hundredths - before.hundredths
  const byAgent = agentId === null ? 0 : await addToPeriod(db, workspaceId, agentId, start, added)
  const byWorkspace = await addToPeriod(db, workspaceId, workspaceId, start, added)
  if (agent) {
    const terms = await findCreditTerms(db, workspaceId)
    const limit = effectiveLimit(agent.creditLimit, terms)
    const change = { workspaceId, agentId: agent.id, now }
    if (limit !== null && byAgent >= limit * 100) await pauseByTurn(db, { ...change, reason: 'credit_limit' })
    else if (terms.credits !== null && byWorkspace >= terms.credits * 100)
      await pauseByTurn(db, { ...change, reason: 'workspace_credit_limit' })
    await watchSpending(db, change, added)
  }
  return hundredths / 100
}

export async function recordRunStart(
  db: Transaction,
  { workspaceId, agentId, now }: { readonly workspaceId: string; readonly agentId: string; readonly now: number },
): Promise<void> {
  if (agentId === PERSONAL_AGENT_ID) return
  await setLastRun(db, workspaceId, agentId, now)
  await watchRun(db, { workspaceId, agentId, now })
}
