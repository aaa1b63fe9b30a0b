/** The minimum rate at which clients must send and read. */
export interface MinimumRate {
  /** How long the service waits for a client before it applies the rate. */
  readonly graceSeconds: number
  readonly bytesPerSecondMin: number
}

const CHECK_INTERVAL_MS = 1_000

/** A request body that a client is sending, or a response that a client is reading. */
export interface Transfer {
  /** How long the service has waited for the client so far. */
  waitedMs: number
  /** Whether the service waits for the client rather than the client for the service. */
  isWaiting(): boolean
  /** Bytes transferred so far. */
  bytesMoved(): number
  /** Called when the client has been too slow. */
  onTooSlow(): void
}

/** Checks every second that each transfer keeps to a minimum rate. */
export class TransferRateMonitor {
  readonly #minimum: MinimumRate
  readonly #transfers = new Set<Transfer>()
  #timer: NodeJS.Timeout | undefined

  constructor(minimum: MinimumRate) {
    this.#minimum = minimum
  }

  add(transfer: Transfer): void {
    this.#transfers.add(transfer)
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
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
      transfer.waitedMs += CHECK_INTERVAL_MS
      if (transfer.waitedMs / 1000 > graceSeconds + transfer.bytesMoved() / bytesPerSecondMin) transfer.onTooSlow()
    }
  }
}
