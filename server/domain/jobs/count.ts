import type { Database } from '../../store/database.ts'
import { countDeadJobs, countDueJobs, type JobCount } from '../../store/jobs.ts'
import type { JobKind } from './job.ts'

/** Counting ends here, so that it costs little however many there are. */
const COUNT_MAX = 10_000

/** Jobs that are due and that nobody has taken, of these kinds, and dead ones of any. */
export async function countJobs(
  database: Database,
  kinds: readonly JobKind[],
  now: number,
): Promise<(JobCount & { readonly state: 'due' | 'dead' })[]> {
  const names = kinds.map(({ name }) => name)
  return database.read(async (db) => [
    ...(await countDueJobs(db, names, now, COUNT_MAX)).map((one) => ({ ...one, state: 'due' as const })),
    ...(await countDeadJobs(db, COUNT_MAX)).map((one) => ({ ...one, state: 'dead' as const })),
  ])
}
