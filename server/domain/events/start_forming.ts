import { newId } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { insertJob, isJobUnfinished } from '../../store/jobs.ts'
import { listOverdueStreams, type Stream } from '../../store/outbox.ts'
import { WINDOW } from './collapse.ts'

/** The kind of job that forms events, one for each stream of a workspace that has something to tell. */
export const FORM_EVENTS = 'form_events'

export interface FormingJob {
  readonly stream: Stream
}

/**
 * Has events formed from what was added to these streams of an outbox, as soon as they may be. Nobody is woken for it: whoever looks
 * next, a moment later, finds what many requests have left together. Writers hold the workspace, as the job does when it looks and when
 * it ends, so where it is unfinished it will find what they leave; `sweepOutbox` sees to the others.
 */
export async function startForming(
  db: Transaction,
  workspaceId: string,
  streams: ReadonlySet<Stream>,
  now: number,
): Promise<void> {
  for (const stream of streams) {
    if (await isJobUnfinished(db, workspaceId, FORM_EVENTS, stream)) continue
    const dueTime = stream === 'at_once' ? now : now + WINDOW.quiet
    const payload = JSON.stringify({ stream } satisfies FormingJob)
    await insertJob(db, { workspaceId, id: newId(), kind: FORM_EVENTS, key: stream, payload, dueTime })
  }
}

const OVERDUE_MS = 60_000

/**
 * Starts over with what no job has told in its time: because it died, or did not meet a writer that does not hold the workspace.
 * @returns how many streams were left
 */
export async function sweepOutbox(db: Transaction, now: number, limit: number): Promise<number> {
  const overdue = await listOverdueStreams(db, now - OVERDUE_MS, limit)
  for (const { workspaceId, stream } of overdue) await startForming(db, workspaceId, new Set([stream]), now)
  // They are there until they have been told, so none of them is looked for again in the same round.
  return 0
}
