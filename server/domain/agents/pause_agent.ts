import type { Transaction } from '../../store/database.ts'
import { terminateTurns } from '../sessions/terminate.ts'
import { pauseByTurn, UNTIL_NEXT_PERIOD, type Pause } from './pauses.ts'

/**
 * Disables an active agent, for what happens to it; any other one stays as it is. Its turns end, save where credits ran out.
 * @returns whether it was active
 */
export async function pauseAgent(db: Transaction, pause: Pause): Promise<boolean> {
  if (!(await pauseByTurn(db, pause))) return false
  const { workspaceId, agentId, reason, now } = pause
  if (!UNTIL_NEXT_PERIOD.has(reason)) await terminateTurns(db, { workspaceId, agentId, code: 'agent_disabled', now })
  return true
}
