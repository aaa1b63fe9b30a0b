import { listLimited, listPaused, setAgentState } from '../../store/agent_states.ts'
import { lockAgentRecord } from '../../store/agents.ts'
import { findCreditTerms, setCreditTerms, spentInPeriod, type CreditTerms } from '../../store/credits.ts'
import type { Transaction } from '../../store/database.ts'
import { lockWorkspace } from '../../store/workspaces.ts'
import { asOf } from '../agents/agent.ts'
import { billingPeriodOf } from '../agents/billing_period.ts'
import { resumedState } from '../agents/pauses.ts'
import { changeUnderLimit, stateUnderLimit } from '../agents/write.ts'

/**
 * Sets what a workspace and each of its agents may spend in a billing period; what is left out stays. Agents that have spent more than
 * they may now are disabled, those that only spending had disabled are enabled again.
 * @returns the terms as they are now
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
  // Only who has spent something, or may spend nothing, or sleeps for it, can be concerned.
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
