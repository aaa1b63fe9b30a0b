import type { Transaction } from '../../store/database.ts'

/** Which turns end, and what their sessions are told. */
export interface StoppedTurns {
  readonly workspaceId: string
  readonly agentId: string
  readonly code: 'agent_disabled' | 'agent_deleted'
  readonly now: number
}

/** Ends the turns of an agent that wait or run, when it has been disabled or deleted. */
export async function stopTurns(_db: Transaction, _turns: StoppedTurns): Promise<void> {
  // Sessions are not served yet, so there is no turn.
}
