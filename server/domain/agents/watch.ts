import type { SessionError } from '../../../generated/types.ts'
import { addFailure, addRun, addToHour, clearFailures, sumHours } from '../../store/agent_watch.ts'
import type { Transaction } from '../../store/database.ts'
import { PERSONAL_AGENT_ID } from './agent.ts'
import { billingPeriodOf } from './billing_period.ts'
import { pauseByTurn } from './pauses.ts'

/** Runs of an agent in a billing period. The next one pauses it, and is not carried out. */
const RUNS_MAX = 10_000
/** Failed runs in a row. */
const FAILURES_MAX = 10
const HOUR_MS = 3_600_000
/** Spending is usual for an agent if it spent like that in the hours of the last 30 days in which it spent anything. */
export const USUAL_MS = 720 * HOUR_MS
/** An agent has to have worked in so many hours before anything counts as usual. */
const USUAL_HOURS_MIN = 24
/** So many times the usual is far above it. */
const FAR_ABOVE = 10
/** Hundredths of a credit that an agent may spend in an hour, however little is usual. */
const HOUR_MIN = 10_000

interface Watched {
  readonly workspaceId: string
  readonly agentId: string
  readonly now: number
}

/** A run has begun. */
export async function watchRun(db: Transaction, { workspaceId, agentId, now }: Watched): Promise<void> {
  const runs = await addRun(db, workspaceId, agentId, billingPeriodOf(now).start)
  if (runs > RUNS_MAX) await pauseByTurn(db, { workspaceId, agentId, reason: 'run_limit', now })
}

/** Failures that say nothing about the agent: it was paused for its credits, or no process had the time. */
const NOT_ITS_OWN: ReadonlySet<SessionError['code']> = new Set([
  'agent_credit_limit_reached',
  'workspace_credits_exhausted',
  'service_unavailable',
  'action_expired',
])

/** A run has ended. @param error what it failed with; undefined when it was completed */
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

/** An agent has spent hundredths of credits. */
export async function watchSpending(db: Transaction, { workspaceId, agentId, now }: Watched, hundredths: number): Promise<void> {
  if (hundredths === 0) return
  const hour = now - (now % HOUR_MS)
  const spent = await addToHour(db, workspaceId, agentId, hour, hundredths)
  if (spent < HOUR_MIN) return
  const usual = await sumHours(db, workspaceId, agentId, hour - USUAL_MS, hour)
  if (usual.hours < USUAL_HOURS_MIN || spent * usual.hours <= FAR_ABOVE * usual.hundredths) return
  await pauseByTurn(db, { workspaceId, agentId, reason: 'runaway_credit_usage', now })
}
