import { newId } from '../../../kernel/ids.ts'
import type { Database, Transaction } from '../../../store/database.ts'
import { insertJobs } from '../../../store/jobs.ts'
import type { NewJob } from './job.ts'

/** Transactions in which a job was added. */
const adding = new WeakSet<Transaction>()

/** Adds a job when the transaction commits. See `NewJob.key` for existing jobs. */
export function enqueue(db: Transaction, job: NewJob): Promise<void> {
  return enqueueAll(db, [job])
}

/** Like `enqueue`, for several jobs, no two of which have the same kind and key. */
export async function enqueueAll(db: Transaction, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  adding.add(db)
  const rows = jobs.map(({ kind, workspaceId, key, payload, dueTime }) => ({
    workspaceId: workspaceId ?? null,
    id: newId(),
    kind,
    key: key ?? null,
    payload: JSON.stringify(payload),
    dueTime,
  }))
  await insertJobs(db, rows)
}

/** Adds the only job of a recurring kind, unless it exists. */
export function enqueueRecurring(db: Transaction, kind: string, dueTime: number): Promise<void> {
  return enqueue(db, { kind, key: 'only', payload: {}, dueTime })
}

/** Connects the code that adds jobs with the runner in the same process. */
export class JobQueue {
  #woken = Promise.withResolvers<undefined>()

  /** Makes the runner of this process look for jobs immediately. Without it, no job is lost: the runner finds it later. */
  wake(): void {
    this.#woken.resolve(undefined)
  }

  /** Resolves when `wake` is called, or at once if that has happened since the last `rest`. */
  get woken(): Promise<unknown> {
    return this.#woken.promise
  }

  rest(): void {
    this.#woken = Promise.withResolvers()
  }

  /** The same database, which wakes the runner after each commit that added jobs. */
  watching(database: Database): Database {
    return {
      ...database,
      write: async (work, workspaceId) => {
        let hasAdded = false
        const result = await database.write(async (db) => {
          // An engine may reuse the object of an earlier transaction.
          adding.delete(db)
          const done = await work(db)
          hasAdded = adding.delete(db)
          return done
        }, workspaceId)
        if (hasAdded) this.wake()
        return result
      },
    }
  }
}
