import type { PauseReason } from '../../../generated/types.ts'
import { setAgentState, type AgentState } from '../../store/agent_states.ts'
import { lockAgentRecord } from '../../store/agents.ts'
import { findCreditTerms, type CreditTerms } from '../../store/credits.ts'
import type { Transaction } from '../../store/database.ts'
import { asOf } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { stopTurns } from './stop_turns.ts'

/** Pauses that end with the billing period. A turn that meets them ends by its own check of credits. */
const UNTIL_NEXT_PERIOD: ReadonlySet<PauseReason> = new Set(['run_limit', 'credit_limit', 'workspace_credit_limit'])

/** What an agent may spend in a billing period: the smaller one of its own limit and the default of the workspace; null for no limit. */
export function effectiveLimit(own: number | null, { defaultAgentLimit }: CreditTerms): number | null {
  if (own === null || defaultAgentLimit === null) return own ?? defaultAgentLimit
  return Math.min(own, defaultAgentLimit)
}

/** How a pause begins. One that a new period would only renew, because nothing may be spent at all, does not end with this one. */
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

/**
 * Disables an active agent, for what happens to it or in it; any other one stays as it is. Its turns end, save where credits ran out.
 * @returns whether it was active
 */
export async function pauseAgent(
  db: Transaction,
  { workspaceId, agentId, reason, now }: { workspaceId: string; agentId: string; reason: PauseReason; now: number },
): Promise<boolean> {
  const record = await lockAgentRecord(db, workspaceId, agentId)
  if (!record || record.deletedTime !== null) return false
  const agent = asOf(record, now)
  if (agent.pauseReason !== null) return false
  const terms = await findCreditTerms(db, workspaceId)
  await setAgentState(db, workspaceId, agentId, pausedState(agent, reason, terms, now))
  if (!UNTIL_NEXT_PERIOD.has(reason)) await stopTurns(db, { workspaceId, agentId, code: 'agent_disabled', now })
  return true
}
