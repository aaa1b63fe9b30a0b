import type { Transaction } from '../../store/database.ts'
import { terminateTurns, type Termination } from '../sessions/terminate.ts'

/** Ends the turns of an agent that wait or run, when it has been disabled or deleted. */
export function stopTurns(db: Transaction, turns: Termination): Promise<void> {
  return terminateTurns(db, turns)
}
