import { setTimeout as pause } from 'node:timers/promises'
import { nextDueTime } from '../../store/outbox.ts'
import type { Attempt, Job, JobKind, JobDeps } from '../shared/index.ts'
import { WINDOW } from './coalesce.ts'
import { formEvents } from './form_events.ts'
import { FORM_EVENTS, type FormingJob } from './start_forming.ts'

/** Entities that become due within this time of each other are handled together. */
const TOGETHER_MS = 250
/** While immediate changes keep arriving, changes within this time of each other are handled together. */
const GATHER_MS = 100
/** After slow work, the pause is this many times as long, so that writers of the workspace get most of the time. */
const PAUSE_PER_WORK = 3
const PAUSE_MS_MAX = 1_000
/** A job stops after this time, so that other workspaces are served. */
const RUN_MS = 10_000

export function formingKind(deps: Pick<JobDeps, 'now'>): JobKind {
  return {
    name: FORM_EVENTS,
    pauses: [1_000, 4_000, 15_000, 60_000, 240_000],
    leaseMilliseconds: 30_000,
    atOnce: 2,
    run: (job, attempt) => run(deps, job, attempt),
  }
}

/**
 * Creates the events of one stream of a workspace, in one process at a time, until none are due. The job ends in a transaction that has
 * found no entries, so writers need not notify a running job.
 */
async function run({ now }: Pick<JobDeps, 'now'>, { workspaceId, payload }: Job, attempt: Attempt): Promise<void> {
  const { stream } = payload as FormingJob
  if (workspaceId === null) throw new Error('events of no workspace')
  const end = performance.now() + RUN_MS
  for (let goesOn = true; goesOn && !attempt.signal.aborted;) {
    let hasAll = false
    const start = performance.now()
    const isOurs = await attempt.settle(async (db) => {
      const { count, hasMore } = await formEvents(db, workspaceId, stream, now())
      const isBusy = hasMore || (stream === 'at_once' && count > 1)
      hasAll = !hasMore
      goesOn = isBusy && performance.now() < end
      if (goesOn) return 'held'
      if (isBusy) return now()
      const dueTime = stream === 'at_once' ? undefined : await nextDueTime(db, workspaceId, stream, WINDOW)
      return dueTime === undefined ? undefined : Math.max(dueTime, now() + TOGETHER_MS)
    })
    if (!isOurs) return
    if (!goesOn || !hasAll) continue
    const wait = Math.min(Math.max(GATHER_MS, PAUSE_PER_WORK * (performance.now() - start)), PAUSE_MS_MAX)
    await pause(wait, undefined, { signal: attempt.signal, ref: false }).catch(() => undefined)
  }
}
