import type { PauseReason } from '../../../generated/types.ts'
import { setAgentState, type AgentState } from '../../store/agent_states.ts'
import { lockAgentRecord } from '../../store/agents.ts'
import { findCreditTerms, type CreditTerms } from '../../store/credits.ts'
import type { Transaction } from '../../store/database.ts'
import { id, object } from '../../store/stored/form.ts'
import { enqueue } from '../shared/index.ts'
import { asOf } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'

/** Pauses that last until the end of the billing period. */
const UNTIL_NEXT_PERIOD: ReadonlySet<PauseReason> = new Set(['run_limit', 'credit_limit', 'workspace_credit_limit'])

/**
 * The credit limit of an agent in a billing period: the smaller one of its own limit and the workspace's default limit for
 * agents; null for no limit.
 */
export function effectiveLimit(own: number | null, { defaultAgentLimit }: CreditTerms): number | null {
  if (own === null || defaultAgentLimit === null) return own ?? defaultAgentLimit
  return Math.min(own, defaultAgentLimit)
}

/**
 * The state at the start of a pause. If the limit is 0, the pause does not end with the billing period, because the next one
 * would start it again.
 */
export function pausedState(
  state: AgentState,
  reason: PauseReason,
  terms: CreditTerms,
  now: number,
): AgentState & { readonly pauseReason: PauseReason } {
  const limit = reason === 'credit_limit' ? effectiveLimit(state.creditLimit, terms) : null
  const allowed = reason === 'workspace_credit_limit' ? terms.credits : limit
  const ends = UNTIL_NEXT_PERIOD.has(reason) && allowed !== 0
  return { ...state, pauseReason: reason, pauseEndTime: ends ? billingPeriodOf(now).end : null, lastEditedTime: now }
}

export function resumedState(state: AgentState, now: number): AgentState {
  return { ...state, pauseReason: null, pauseEndTime: null, lastEditedTime: now }
}

export interface Pause {
  readonly workspaceId: string
  readonly agentId: string
  readonly reason: PauseReason
  readonly now: number
}

export const END_TURNS_KIND = 'agent_end_turns'
export const endTurnsPayloadForm = object({ agentId: id })

/**
 * Pauses an active agent because of one of its turns. Agents that are not active stay unchanged. A job ends its turns, since two
 * turns that end each other would deadlock. See `pauseAgent` for external reasons.
 */
export async function pauseByTurn(db: Transaction, pause: Pause): Promise<void> {
  if (await disable(db, pause)) await enqueueEndTurns(db, pause)
}

/** Enqueues a job that ends the turns of a deleted or disabled agent. */
export function enqueueEndTurns(
  db: Transaction,
  { workspaceId, agentId, now }: Pick<Pause, 'workspaceId' | 'agentId' | 'now'>,
): Promise<void> {
  return enqueue(db, { kind: END_TURNS_KIND, workspaceId, payload: { agentId }, dueTime: now })
}

/** Pauses an active agent. Agents that are not active stay unchanged, and turns continue. @returns whether it was active */
export async function disable(db: Transaction, { workspaceId, agentId, reason, now }: Pause): Promise<boolean> {
  const record = await lockAgentRecord(db, workspaceId, agentId)
  if (!record || record.deletedTime !== null) return false
  const agent = asOf(record, now)
  if (agent.pauseReason !== null) return false
  const terms = await findCreditTerms(db, workspaceId)
  await setAgentState(db, workspaceId, agentId, pausedState(agent, reason, terms, now))
  return true
}
