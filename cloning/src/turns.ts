/** When one of several concurrent pieces of work may write. */
export interface WriteTurn {
  /** Resolves when everything before it has written, or will not write. */
  readonly before: Promise<void>
  /** Lets the next ones write. */
  pass(): void
}

/** Keeps the order of what concurrent requests create. */
export class Turns {
  #last = Promise.resolve()

  /** Runs work whose first write comes after those of all work that began earlier. */
  async take<T>(work: (turn: WriteTurn) => Promise<T>): Promise<T> {
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
