import { nextRipeTime } from '../../store/outbox.ts'
import type { Attempt, Job, JobKind, JobParts } from '../jobs/job.ts'
import { WINDOW } from './collapse.ts'
import { formEvents } from './form_events.ts'
import { FORM_EVENTS, type FormingJob } from './start_forming.ts'

/** Several entities become ripe one soon after the other: they are told together. */
const TOGETHER_MS = 250

/** Forms the events of a stream of a workspace; one process at a time, while there is anything to tell. */
export function formingKind(parts: JobParts): JobKind {
  return {
    name: FORM_EVENTS,
    pauses: [1_000, 4_000, 15_000, 60_000, 240_000],
    leaseMilliseconds: 30_000,
    atOnce: 2,
    run: (job, attempt) => run(parts, job, attempt),
  }
}

/** The job ends in a transaction that has seen that nothing is left, so that writers need not tell one that runs. */
async function run({ now }: JobParts, { workspaceId, payload }: Job, attempt: Attempt): Promise<void> {
  const { stream } = payload as FormingJob
  if (workspaceId === null) throw new Error('events of no workspace')
  for (let isMore = true; isMore && !attempt.signal.aborted;) {
    const isOurs = await attempt.settle(async (db) => {
      isMore = await formEvents(db, workspaceId, stream, now())
      if (isMore) return 'held'
      const ripe = stream === 'at_once' ? undefined : await nextRipeTime(db, workspaceId, stream, WINDOW)
      return ripe === undefined ? undefined : Math.max(ripe, now() + TOGETHER_MS)
    })
    if (!isOurs) return
  }
}
