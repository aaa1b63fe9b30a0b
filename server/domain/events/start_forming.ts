import type { Transaction } from '../../store/database.ts'
import type { Stream } from '../../store/outbox.ts'
import { enqueue } from '../jobs/queue.ts'
import { WINDOW } from './collapse.ts'

/** The kind of job that forms events, one for each stream of a workspace that has something to tell. */
export const FORM_EVENTS = 'form_events'

export interface FormingJob {
  readonly stream: Stream
}

/** Has events formed from what was added to these streams of an outbox, as soon as they may be. */
export async function startForming(
  db: Transaction,
  workspaceId: string,
  streams: ReadonlySet<Stream>,
  now: number,
): Promise<void> {
  for (const stream of streams) {
    const dueTime = stream === 'at_once' ? now : now + WINDOW.quiet
    await enqueue(db, { kind: FORM_EVENTS, workspaceId, key: stream, payload: { stream } satisfies FormingJob, dueTime })
  }
}
