import { Mutex, type WaitLimit } from './mutex.ts'

/** Runs the writers of each workspace one after another, so that waiting writers need no connection. */
export class WriteQueues {
  readonly #limit: WaitLimit
  readonly #queues = new Map<string, Mutex>()

  constructor(limit: WaitLimit) {
    this.#limit = limit
  }

  /** The number of writers that have not begun. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { waiting }) => sum + waiting, 0)
  }

  async run<T>(workspaceId: string, write: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(workspaceId) ?? new Mutex()
    this.#queues.set(workspaceId, queue)
    try {
      return await queue.run(write, this.#limit)
    } finally {
      if (queue.isIdle) this.#queues.delete(workspaceId)
    }
  }
}
