/** How long a task waits for its turn before it gives up. */
export interface WaitLimit {
  readonly milliseconds: number
  /** What the task fails with then. */
  exhausted(): Error
}

/** Lets one task run at a time, in the order they came. */
export class Mutex {
  readonly #queue: (() => void)[] = []
  #isBusy = false

  /** Tasks that have not begun. */
  get waiting(): number {
    return this.#queue.length
  }

  get isIdle(): boolean {
    return !this.#isBusy
  }

  async run<T>(task: () => Promise<T>, patience?: WaitLimit): Promise<T> {
    if (this.#isBusy) await this.#turn(patience)
    this.#isBusy = true
    try {
      return await task()
    } finally {
      // The next one is busy from here on, so that no one who comes now gets in between.
      const begin = this.#queue.shift()
      if (begin) begin()
      else this.#isBusy = false
    }
  }

  #turn(patience: WaitLimit | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer =
      patience &&
      setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(begin), 1)
        reject(patience.exhausted())
      }, patience.milliseconds)
    this.#queue.push(begin)
    return promise
  }
}

/** A mutex for each key, as long as someone uses it. */
export class Mutexes {
  readonly #patience: WaitLimit
  readonly #mutexes = new Map<string, Mutex>()

  constructor(patience: WaitLimit) {
    this.#patience = patience
  }

  get waiting(): number {
    return this.#mutexes.values().reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Whether somebody waits for this turn to end. */
  isAwaited(key: string): boolean {
    return (this.#mutexes.get(key)?.waiting ?? 0) > 0
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mutex = this.#mutexes.get(key) ?? new Mutex()
    this.#mutexes.set(key, mutex)
    try {
      return await mutex.run(task, this.#patience)
    } finally {
      if (mutex.isIdle) this.#mutexes.delete(key)
    }
  }
}
