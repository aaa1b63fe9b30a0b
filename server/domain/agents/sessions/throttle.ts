import type { ProvisionalEvent } from '../../../../generated/types.ts'

const INTERVAL_MS = 200

/** Passes on at most five events per second; of several within that interval, only the last one. */
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

  /** Drops the held event: its content has been committed, or never will be. */
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
