import type { PauseReason, SessionError } from '../../../../generated/types.ts'
import type { Transaction } from '../../../store/database.ts'
import { listUnfinishedSessions, type SessionPlace } from '../../../store/sessions.ts'
import { enqueueEndTurns } from '../pauses.ts'
import { SessionWriter } from './writer.ts'

/** Small enough that no request waits long for the transaction that ends their turns. */
const SESSIONS_AT_ONCE = 100

interface Termination {
  readonly workspaceId: string
  readonly agentId: string
  readonly now: number
}

/** Which turns end, and the error that their callers get. */
interface Ending {
  readonly error: SessionError
  /** Whether only turns that wait for a decision end. */
  readonly waiting: boolean
}

const DELETED: Ending = {
  error: { code: 'agent_deleted', message: 'The agent was deleted.', retryable: false },
  waiting: false,
}

/** When credits run out, a running turn fails at its next step with the corresponding error. */
const ENDS_WAITING_ONLY: ReadonlySet<PauseReason> = new Set(['credit_limit', 'workspace_credit_limit'])

/**
 * How the turns of a disabled agent end. If its credits have run out, only those that wait for a decision end: they take no further step.
 */
function disabled(reason: PauseReason): Ending {
  const error: SessionError = { code: 'agent_disabled', message: 'The agent was disabled.', retryable: false }
  return { error, waiting: ENDS_WAITING_ONLY.has(reason) }
}

/** How the turns of a deleted or disabled agent end; undefined if they continue. */
export function endingOf(agent: {
  readonly deletedTime: number | null
  readonly pauseReason: string | null
}): Ending | undefined {
  if (agent.deletedTime !== null) return DELETED
  return agent.pauseReason === null ? undefined : disabled(agent.pauseReason as PauseReason)
}

/** Ends all unfinished turns of a deleted agent permanently: some in this transaction, the others by a job. */
export function endTurnsOfDeleted(db: Transaction, what: Termination): Promise<void> {
  return endTurns(db, what, DELETED)
}

/** Like `endTurnsOfDeleted`, for an agent that was disabled. */
export function endTurnsOfDisabled(db: Transaction, what: Termination & { readonly reason: PauseReason }): Promise<void> {
  return endTurns(db, what, disabled(what.reason))
}

async function endTurns(db: Transaction, what: Termination, ending: Ending): Promise<void> {
  const { next } = await endSomeTurns(db, what, ending)
  if (next) await enqueueEndTurns(db, what)
}

interface EndedTurns {
  /** The ids of the sessions whose turns have ended. */
  readonly ended: readonly string[]
  /** The position from which the next transaction continues; undefined if no session remains. */
  readonly next: SessionPlace | undefined
}

/** Ends unfinished turns of an agent, the longest inactive sessions first. */
export async function endSomeTurns(
  db: Transaction,
  { workspaceId, agentId, now }: Termination,
  { error, waiting }: Ending,
  after?: SessionPlace,
): Promise<EndedTurns> {
  const sessions = await listUnfinishedSessions(db, workspaceId, agentId, { waiting, after, limit: SESSIONS_AT_ONCE })
  const ended: string[] = []
  for (const { id } of sessions) {
    const writer = await SessionWriter.hold(db, workspaceId, id, now)
    if (!writer || (waiting && writer.session.status !== 'requires_action')) continue
    if (writer.move('terminate', { error }) === undefined) continue
    await writer.save()
    ended.push(id)
  }
  return { ended, next: sessions.length === SESSIONS_AT_ONCE ? sessions.at(-1) : undefined }
}
