import { newId } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { insertJobs, isJobUnfinished } from '../../store/jobs.ts'
import { listOverdueStreams, streams, type Stream } from '../../store/outbox.ts'
import { object, oneOfTexts } from '../../store/stored/form.ts'
import { WINDOW } from './coalesce.ts'

/** The kind of job that forms events: one job for each stream of a workspace that has entries. */
export const FORM_EVENTS = 'form_events'

export interface FormingJob {
  readonly stream: Stream
}

export const formingJobForm = object({ stream: oneOfTexts(streams) })

/**
 * Makes sure that jobs turn the new entries in these streams of an outbox into events as soon as they are due. No process is woken: the
 * next one that looks for jobs, a moment later, handles the entries of many requests together. Writers lock the workspace, and so does the
 * job when it looks for entries and when it ends. Therefore an unfinished job finds all their entries. `sweepOutbox` handles entries of
 * writers without the lock.
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
    await insertJobs(db, [{ workspaceId, id: newId(), kind: FORM_EVENTS, key: stream, payload, dueTime }])
  }
}

const OVERDUE_MS = 60_000

/**
 * Starts jobs for overdue entries: their job died, or did not see a writer that does not lock the workspace.
 * @returns 0, so that no other batch follows at once
 */
export async function sweepOutbox(db: Transaction, now: number, limit: number): Promise<number> {
  const overdue = await listOverdueStreams(db, now - OVERDUE_MS, limit)
  for (const { workspaceId, stream } of overdue) await startForming(db, workspaceId, new Set([stream]), now)
  // Entries stay until their job has run, so another batch would find the same ones.
  return 0
}
