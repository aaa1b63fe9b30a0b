import type { SessionError } from '../../../generated/types.ts'
import { addFailure, addRun, addToHour, clearFailures, sumHours } from '../../store/agent_watch.ts'
import type { Transaction } from '../../store/database.ts'
import { PERSONAL_AGENT_ID } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { pauseByTurn } from './pauses.ts'

/** The maximum number of runs of an agent in a billing period. The next run is refused and pauses the agent. */
const RUNS_MAX = 10_000
/** The number of consecutive failed runs after which an agent is paused. */
const FAILURES_MAX = 10
const HOUR_MS = 3_600_000
/** An agent's usual spending is determined from those hours of the last 30 days in which it spent credits. */
export const USUAL_MS = 720 * HOUR_MS
/** The minimum number of such hours for usual spending to be known. */
const USUAL_HOURS_MIN = 24
/** Spending above this multiple of the usual pauses the agent. */
const FAR_ABOVE = 10
/** Hundredths of a credit that an agent may always spend in an hour. */
const HOUR_MIN = 10_000

interface Watched {
  readonly workspaceId: string
  readonly agentId: string
  readonly now: number
}

/** Called when a run starts. */
export async function watchRun(db: Transaction, { workspaceId, agentId, now }: Watched): Promise<void> {
  const runs = await addRun(db, workspaceId, agentId, billingPeriodOf(now).start)
  if (runs > RUNS_MAX) await pauseByTurn(db, { workspaceId, agentId, reason: 'run_limit', now })
}

/** Failures that do not count against the agent: it was paused for its credits, or no process was available. */
const NOT_ITS_OWN: ReadonlySet<SessionError['code']> = new Set([
  'agent_credit_limit_reached',
  'workspace_credits_exhausted',
  'service_unavailable',
  'action_expired',
])

/** Called when a run ends. @param error the error of a failed run; undefined if it was completed */
export async function watchEnd(
  db: Transaction,
  { workspaceId, agentId, now }: Watched,
  error: SessionError | undefined,
): Promise<void> {
  if (agentId === PERSONAL_AGENT_ID) return
  if (error === undefined) return clearFailures(db, workspaceId, agentId)
  if (NOT_ITS_OWN.has(error.code)) return
  const failures = await addFailure(db, workspaceId, agentId)
  if (failures >= FAILURES_MAX) await pauseByTurn(db, { workspaceId, agentId, reason: 'failure_limit', now })
}

/** Called when an agent has spent credits, in hundredths. */
export async function watchSpending(db: Transaction, { workspaceId, agentId, now }: Watched, hundredths: number): Promise<void> {
  if (hundredths === 0) return
  const hour = now - (now % HOUR_MS)
  const spent = await addToHour(db, workspaceId, agentId, hour, hundredths)
  if (spent < HOUR_MIN) return
  const usual = await sumHours(db, workspaceId, agentId, hour - USUAL_MS, hour)
  if (usual.hours < USUAL_HOURS_MIN || spent * usual.hours <= FAR_ABOVE * usual.hundredths) return
  await pauseByTurn(db, { workspaceId, agentId, reason: 'runaway_credit_usage', now })
}
