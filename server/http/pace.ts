/** How fast callers have to send and to take. */
export interface Pace {
  /** How long something may wait before its pace counts. */
  readonly graceSeconds: number
  /** Bytes that give it one more second. */
  readonly bytesPerSecondMin: number
}

const LOOK_MS = 1_000

/** Something that waits for a caller. */
export interface Paced {
  waitedMs: number
  /** Whether it waits for its caller at the moment, rather than for us. */
  isWaiting(): boolean
  /** Bytes that have gone through so far. */
  bytesMoved(): number
  tooSlow(): void
}

/** Looks each second at everything that waits for callers. */
export class PaceWatch {
  readonly #pace: Pace
  readonly #watched = new Set<Paced>()
  #timer: NodeJS.Timeout | undefined

  constructor(pace: Pace) {
    this.#pace = pace
  }

  add(paced: Paced): void {
    this.#watched.add(paced)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  remove(paced: Paced): void {
    this.#watched.delete(paced)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const { graceSeconds, bytesPerSecondMin } = this.#pace
    for (const paced of this.#watched) {
      if (!paced.isWaiting()) continue
      paced.waitedMs += LOOK_MS
      if (paced.waitedMs / 1000 > graceSeconds + paced.bytesMoved() / bytesPerSecondMin) paced.tooSlow()
    }
  }
}
