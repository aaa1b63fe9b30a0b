/** How fast callers have to send and to take. */
export interface MinimumRate {
  /** How long something may wait before its rate counts. */
  readonly graceSeconds: number
  /** Bytes that give it one more second. */
  readonly bytesPerSecondMin: number
}

const CHECK_MS = 1_000

/** Something that waits for a caller. */
export interface Transfer {
  waitedMs: number
  /** Whether it waits for its caller at the moment, rather than for us. */
  isWaiting(): boolean
  /** Bytes that have gone through so far. */
  bytesMoved(): number
  tooSlow(): void
}

/** Looks each second at everything that waits for callers. */
export class TransferRateMonitor {
  readonly #minimum: MinimumRate
  readonly #transfers = new Set<Transfer>()
  #timer: NodeJS.Timeout | undefined

  constructor(minimum: MinimumRate) {
    this.#minimum = minimum
  }

  add(transfer: Transfer): void {
    this.#transfers.add(transfer)
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref()
  }

  remove(transfer: Transfer): void {
    this.#transfers.delete(transfer)
    if (this.#transfers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(): void {
    const { graceSeconds, bytesPerSecondMin } = this.#minimum
    for (const transfer of this.#transfers) {
      if (!transfer.isWaiting()) continue
      transfer.waitedMs += CHECK_MS
      if (transfer.waitedMs / 1000 > graceSeconds + transfer.bytesMoved() / bytesPerSecondMin) transfer.tooSlow()
    }
  }
}
