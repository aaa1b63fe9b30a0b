/** One flush for many writers: it serves everyone whose transaction was committed before it began. */
export class SharedFlush {
  readonly #flush: () => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** @param flush brings the log to the disk */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush
  }

  /**
   * @returns when everything that was committed before the call is on the disk
   * @throws what the flush throws that was to serve this call
   */
  run(): Promise<void> {
    if (this.#next === undefined) {
      const next = this.#running
        .catch(() => undefined)
        .then(() => {
          this.#next = undefined
          this.#running = this.#flush()
          return this.#running
        })
      this.#next = next
    }
    return this.#next
  }

  /** @returns when no flush is running any more, whatever came of it */
  async idle(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => undefined)
  }
}
