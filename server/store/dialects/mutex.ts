/** The longest that a task waits to start. */
export interface WaitLimit {
  readonly milliseconds: number
  /** The error of a task that has waited too long. */
  exhausted(): Error
}

/** Runs one task at a time, in the order in which they arrived. */
export class Mutex {
  readonly #queue: (() => void)[] = []
  #isBusy = false

  /** The number of tasks that have not begun. */
  get waiting(): number {
    return this.#queue.length
  }

  get isIdle(): boolean {
    return !this.#isBusy
  }

  async run<T>(task: () => Promise<T>, limit?: WaitLimit): Promise<T> {
    if (this.#isBusy) await this.#wait(limit)
    this.#isBusy = true
    try {
      return await task()
    } finally {
      this.#pass()
    }
  }

  #pass(): void {
    // `#isBusy` stays true for the next task, so that a task that arrives now cannot overtake it.
    const begin = this.#queue.shift()
    if (begin) begin()
    else this.#isBusy = false
  }

  #wait(limit: WaitLimit | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer =
      limit &&
      setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(begin), 1)
        reject(limit.exhausted())
      }, limit.milliseconds)
    this.#queue.push(begin)
    return promise
  }
}
