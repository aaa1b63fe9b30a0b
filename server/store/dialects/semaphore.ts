/** How long a task may wait to start. */
export interface WaitLimit {
  /** The maximum time in total. */
  readonly milliseconds: number
  /** The maximum time during which no other task makes progress. */
  readonly stuckMs: number
  /** The error of a task that has waited too long. */
  exhausted(): Error
}

/** The slot of a running task. */
export interface Turn {
  /** Since when the task has waited without progress: its arrival or, if it had to wait for others, the last progress of one of them. */
  readonly since: number
  /** Reports that this task is not stuck. */
  progress(): void
}

/** Runs a limited number of tasks at a time, in the order in which they arrive. */
export class Semaphore {
  readonly #width: number
  readonly #queue: (() => void)[] = []
  #running = 0
  #progressTime = -Infinity

  /** @param width the number of tasks that run at the same time */
  constructor(width = 1) {
    this.#width = width
  }

  /** The number of tasks that have not begun. */
  get waiting(): number {
    return this.#queue.length
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** @param since when the task began to wait */
  async run<T>(task: (turn: Turn) => Promise<T>, limit?: WaitLimit, since = performance.now()): Promise<T> {
    const mustWait = this.#running >= this.#width
    if (mustWait) await this.#wait(since, limit)
    else this.#running += 1
    try {
      return await task({
        since: mustWait ? Math.max(since, this.#progressTime) : since,
        progress: () => (this.#progressTime = performance.now()),
      })
    } finally {
      this.#pass()
    }
  }

  #pass(): void {
    // The next task takes over this slot, so that a task that arrives now cannot overtake it.
    const begin = this.#queue.shift()
    if (begin) begin()
    else this.#running -= 1
  }

  #wait(since: number, limit: WaitLimit | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const begin = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const arrival = performance.now()
    const look = ({ milliseconds, stuckMs, exhausted }: WaitLimit): void => {
      const end = Math.min(arrival + milliseconds, Math.max(since, this.#progressTime) + stuckMs)
      const left = end - performance.now()
      if (left > 0) {
        timer = setTimeout(() => look({ milliseconds, stuckMs, exhausted }), left)
        return
      }
      this.#queue.splice(this.#queue.indexOf(begin), 1)
      reject(exhausted())
    }
    this.#queue.push(begin)
    if (limit) look(limit)
    return promise
  }
}
