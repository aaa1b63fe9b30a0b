import type { Transaction } from '../../store/database.ts'
import { dropDeadJobs } from '../../store/jobs.ts'

const DAY_MS = 86_400_000
/** How long a dead job can be looked at and tried again. */
const KEPT_MS = 30 * DAY_MS

/** Drops jobs that died long ago. @returns how many; fewer than `limit` when none are left */
export function sweepDeadJobs(db: Transaction, now: number, limit: number): Promise<number> {
  return dropDeadJobs(db, now - KEPT_MS, limit)
}
