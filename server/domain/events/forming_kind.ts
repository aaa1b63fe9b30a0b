import { setTimeout as pause } from 'node:timers/promises'
import { nextRipeTime } from '../../store/outbox.ts'
import type { Attempt, Job, JobKind, JobParts } from '../jobs/job.ts'
import { WINDOW } from './collapse.ts'
import { formEvents } from './form_events.ts'
import { FORM_EVENTS, type FormingJob } from './start_forming.ts'

/** Several entities become ripe one soon after the other: they are told together. */
const TOGETHER_MS = 250
/** While several changes come at a time that are told at once, those of so many milliseconds are told together. */
const GATHER_MS = 100
/** Then others have their turn. */
const RUN_MS = 10_000

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
  const end = performance.now() + RUN_MS
  for (let goesOn = true; goesOn && !attempt.signal.aborted;) {
    let wait = 0
    const isOurs = await attempt.settle(async (db) => {
      const { count, hasMore } = await formEvents(db, workspaceId, stream, now())
      const isBusy = hasMore || (stream === 'at_once' && count > 1)
      wait = hasMore ? 0 : GATHER_MS
      goesOn = isBusy && performance.now() < end
      if (goesOn) return 'held'
      if (isBusy) return now()
      const ripe = stream === 'at_once' ? undefined : await nextRipeTime(db, workspaceId, stream, WINDOW)
      return ripe === undefined ? undefined : Math.max(ripe, now() + TOGETHER_MS)
    })
    if (!isOurs) return
    if (goesOn && wait > 0) await pause(wait, undefined, { signal: attempt.signal, ref: false }).catch(() => undefined)
  }
}
