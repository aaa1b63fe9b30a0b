import type { Transaction } from '../../../store/database.ts'
import { dropDeadJobs } from '../../../store/jobs.ts'

const DAY_MS = 86_400_000
/** How long a dead job is kept and can be retried. */
const KEPT_MS = 30 * DAY_MS

/** Deletes old dead jobs. @returns the number of jobs; fewer than `limit` if none are left */
export function sweepDeadJobs(db: Transaction, now: number, limit: number): Promise<number> {
  return dropDeadJobs(db, now - KEPT_MS, limit)
}
