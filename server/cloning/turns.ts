/** When work may write that goes on beside other work. */
export interface WriteTurn {
  /** Ends when everything that comes before has written, or will not write. */
  readonly before: Promise<void>
  /** Lets those who come after write. */
  pass(): void
}

/** Keeps the order of what is made by requests that are under way at the same time. */
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
