import { Semaphore, type Turn, type WaitLimit } from './semaphore.ts'

/** Limits how many tasks of each workspace run at the same time. Further tasks wait without a connection. */
export class WorkspaceQueues {
  readonly #width: number
  readonly #limit: WaitLimit
  readonly #queues = new Map<string, Semaphore>()

  /** @param width the number of tasks of a workspace that run at the same time */
  constructor(width: number, limit: WaitLimit) {
    this.#width = width
    this.#limit = limit
  }

  /** The number of tasks that have not begun. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { waiting }) => sum + waiting, 0)
  }

  async run<T>(workspaceId: string, task: (turn: Turn) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(workspaceId) ?? new Semaphore(this.#width)
    this.#queues.set(workspaceId, queue)
    try {
      return await queue.run(task, this.#limit)
    } finally {
      if (queue.isIdle) this.#queues.delete(workspaceId)
    }
  }
}
