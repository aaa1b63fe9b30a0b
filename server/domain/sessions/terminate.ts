import type { Transaction } from '../../store/database.ts'
import { listUnfinishedSessions } from '../../store/sessions.ts'
import { SessionWriter } from './writer.ts'

/** An agent that turns are taken from, and why. */
interface Termination {
  readonly workspaceId: string
  readonly agentId: string
  readonly code: 'agent_disabled' | 'agent_deleted'
  readonly now: number
}

/** Ends every turn of an agent that has not stopped for good. */
export async function terminateTurns(db: Transaction, { workspaceId, agentId, code, now }: Termination): Promise<void> {
  for (const id of await listUnfinishedSessions(db, workspaceId, agentId)) {
    const writer = await SessionWriter.hold(db, workspaceId, id, now)
    if (writer?.move('terminate', { error: terminated(code) }) !== undefined) await writer.save()
  }
}

function terminated(code: Termination['code']): { code: Termination['code']; message: string; retryable: boolean } {
  return { code, message: `The agent was ${code === 'agent_deleted' ? 'deleted' : 'disabled'}.`, retryable: false }
}
