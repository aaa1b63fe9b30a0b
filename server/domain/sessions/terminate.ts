import type { PauseReason } from '../../../generated/types.ts'
import type { Transaction } from '../../store/database.ts'
import { listUnfinishedSessions } from '../../store/sessions.ts'
import { SessionWriter } from './writer.ts'

/** The agent whose turns end. */
interface Termination {
  readonly workspaceId: string
  readonly agentId: string
  readonly now: number
}

/** Ends all unfinished turns of a deleted agent permanently. */
export async function endTurnsOfDeleted(db: Transaction, what: Termination): Promise<void> {
  await terminate(db, what, { code: 'agent_deleted', message: 'The agent was deleted.', waiting: false })
}

/** When credits run out, a running turn fails at its next step with the corresponding error. */
const ENDS_WAITING_ONLY: ReadonlySet<PauseReason> = new Set(['credit_limit', 'workspace_credit_limit'])

/**
 * Ends the turns of a disabled agent; if its credits have run out, only those that wait for a decision, which take no further
 * step.
 * @returns the ids of their sessions
 */
export function endTurnsOfDisabled(db: Transaction, what: Termination & { readonly reason: PauseReason }): Promise<string[]> {
  const waiting = ENDS_WAITING_ONLY.has(what.reason)
  return terminate(db, what, { code: 'agent_disabled', message: 'The agent was disabled.', waiting })
}

async function terminate(
  db: Transaction,
  { workspaceId, agentId, now }: Termination,
  {
    waiting,
    ...error
  }: { readonly code: 'agent_deleted' | 'agent_disabled'; readonly message: string; readonly waiting: boolean },
): Promise<string[]> {
  const ended: string[] = []
  for (const id of await listUnfinishedSessions(db, workspaceId, agentId, waiting)) {
    const writer = await SessionWriter.hold(db, workspaceId, id, now)
    if (!writer || (waiting && writer.session.status !== 'requires_action')) continue
    if (writer.move('terminate', { error: { ...error, retryable: false } }) === undefined) continue
    await writer.save()
    ended.push(id)
  }
  return ended
}
