import type { Transaction } from '../../store/database.ts'
import { endTurnsOfDisabled } from './sessions/terminate.ts'
import { disable, type Pause } from './pauses.ts'

/** Pauses an active agent for an external reason and ends its turns. Agents that are not active stay unchanged. */
export async function pauseAgent(db: Transaction, pause: Pause): Promise<void> {
  if (await disable(db, pause)) await endTurnsOfDisabled(db, pause)
}
