import { dropDeletedAgents } from '../../store/agent_states.ts'
import { dropHours } from '../../store/agent_watch.ts'
import type { Transaction } from '../../store/database.ts'
import { DELETED_KEPT_MS } from './agent.ts'
import { USUAL_MS } from './watch.ts'

/** Takes agents away for good that can no longer be brought back. @returns about how many rows */
export function sweepAgents(db: Transaction, now: number, limit: number): Promise<number> {
  return dropDeletedAgents(db, now - DELETED_KEPT_MS, limit)
}

const HOUR_MS = 3_600_000

/** Forgets what agents spent in hours that no longer say what is usual for them. @returns how many */
export function sweepHours(db: Transaction, now: number, limit: number): Promise<number> {
  return dropHours(db, now - USUAL_MS - HOUR_MS, limit)
}
