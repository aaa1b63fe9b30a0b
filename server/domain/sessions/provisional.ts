import type { ProvisionalEvent } from '../../../generated/types.ts'

const INTERVAL_MS = 200

/** Lets through at most five events a second: of several that come too fast, the last. */
export class Throttle {
  readonly #show: (event: ProvisionalEvent) => void
  #timer: NodeJS.Timeout | undefined
  #held: ProvisionalEvent | undefined
  #isOpen = true

  constructor(show: (event: ProvisionalEvent) => void) {
    this.#show = show
  }

  add(event: ProvisionalEvent): void {
    if (!this.#isOpen) {
      this.#held = event
      return
    }
    this.#show(event)
    this.#isOpen = false
    this.#timer = setTimeout(() => this.#open(), INTERVAL_MS).unref()
  }

  /** What is held has been committed, or never will be. */
  drop(): void {
    this.#held = undefined
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#held = undefined
  }

  #open(): void {
    this.#isOpen = true
    const held = this.#held
    this.#held = undefined
    if (held) this.add(held)
  }
}
