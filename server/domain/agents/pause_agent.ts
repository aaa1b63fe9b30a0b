import type { Transaction } from '../../store/database.ts'
import { endTurnsOfDisabled } from '../sessions/terminate.ts'
import { disable, type Pause } from './pauses.ts'

/** Disables an active agent, for what happens to it, and ends its turns; any other one stays as it is. */
export async function pauseAgent(db: Transaction, pause: Pause): Promise<void> {
  if (await disable(db, pause)) await endTurnsOfDisabled(db, pause)
}
