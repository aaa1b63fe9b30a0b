import type { Database } from '../../../store/database.ts'
import { countDeadJobs, countDueJobs, type JobCount } from '../../../store/jobs.ts'
import type { JobKind } from './job.ts'

/** The maximum count that is returned, which limits the cost of counting. */
const COUNT_MAX = 10_000

/** The number of jobs of these kinds that are due and not claimed, and of dead jobs of any kind. */
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
