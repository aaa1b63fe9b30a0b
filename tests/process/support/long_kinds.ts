import { expiredRows } from './expired_rows.ts'

/** The kinds of jobs that run in `job_memory.all.sqlite.test.ts`. */
export const longKinds: readonly string[] = [...Object.keys(expiredRows), 'webhook_slow_delivery']
