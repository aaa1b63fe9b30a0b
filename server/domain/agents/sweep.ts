import { dropDeletedAgents } from '../../store/agent_states.ts'
import type { Transaction } from '../../store/database.ts'
import { DELETED_KEPT_MS } from './agent.ts'

/** Takes agents away for good that can no longer be brought back. @returns about how many rows */
export function sweepAgents(db: Transaction, now: number, limit: number): Promise<number> {
  return dropDeletedAgents(db, now - DELETED_KEPT_MS, limit)
}
