import { listLimited, listPaused, setAgentState } from '../../../store/agent_states.ts'
import { lockAgentRecord } from '../../../store/agents.ts'
import { findCreditTerms, setCreditTerms, spentInPeriod, type CreditTerms } from '../../../store/credits.ts'
import type { Transaction } from '../../../store/database.ts'
import { lockWorkspace } from '../../../store/workspaces.ts'
import { asOf } from '../agent.ts'
import { billingPeriodOf } from '../billing_period.ts'
import { resumedState } from '../pauses.ts'
import { changeUnderLimit, stateUnderLimit } from '../write.ts'

/**
 * Sets the credits that a workspace and each of its agents may spend in a billing period. Omitted members stay. Agents that have
 * exceeded their limit are disabled; those that were disabled only for their spending are enabled again.
 * @returns the new terms
 */
export async function updateCreditTerms(
  db: Transaction,
  workspaceId: string,
  changes: Partial<CreditTerms>,
  now: number,
): Promise<CreditTerms> {
  await lockWorkspace(db, workspaceId)
  const terms = { ...(await findCreditTerms(db, workspaceId)), ...changes }
  await setCreditTerms(db, workspaceId, terms)
  const { start } = billingPeriodOf(now)
  if (terms.credits === null || (await spentInPeriod(db, workspaceId, workspaceId, start)) < terms.credits * 100)
    await wake(db, workspaceId, now)
  // Only agents that have spent credits, may spend none, or are disabled for their spending are affected.
  for (const id of await listLimited(db, workspaceId, start, terms.defaultAgentLimit === 0)) {
    const record = await lockAgentRecord(db, workspaceId, id)
    if (!record || record.deletedTime !== null) continue
    const agent = asOf(record, now)
    const state = stateUnderLimit(agent, terms, await spentInPeriod(db, workspaceId, id, start), now)
    if (state !== agent) await changeUnderLimit(db, workspaceId, agent, state, now)
  }
  return terms
}

async function wake(db: Transaction, workspaceId: string, now: number): Promise<void> {
  for (const id of await listPaused(db, workspaceId, 'workspace_credit_limit')) {
    const agent = await lockAgentRecord(db, workspaceId, id)
    if (agent) await setAgentState(db, workspaceId, id, resumedState(agent, now))
  }
}
