/** The slot of one of several concurrent tasks, in which it may write. */
export interface WriteSlot {
  /** Resolves when every earlier task has written, or will not write. */
  readonly before: Promise<void>
  /** Lets the next tasks write. */
  pass(): void
}

/** Keeps the order of records that concurrent requests create. */
export class WriteOrder {
  #last = Promise.resolve()

  /** Runs a task whose first write comes after those of all tasks that began earlier. */
  async take<T>(work: (slot: WriteSlot) => Promise<T>): Promise<T> {
    const before = this.#last
    const { promise, resolve: pass } = Promise.withResolvers<void>()
    this.#last = before.then(() => promise)
    try {
      return await work({ before, pass })
    } finally {
      pass()
    }
  }
}
