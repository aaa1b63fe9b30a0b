import { constants } from 'node:os'

const SIGNAL_EXIT_BASE = 128

interface Stoppable {
  renewTls(): void
  stop(): Promise<void>
}

/**
 * Signals are heard from the first moment on: before there is a service they end the process, which has nobody to say goodbye to. Then
 * the first interrupt or termination stops the service gracefully and ends the process; a second one ends it at once. A hang-up has the
 * certificate read again.
 */
export class Signals {
  #service: Stoppable | undefined
  #isStopping = false

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.#stop(signal))
    process.on('SIGHUP', () => this.#service?.renewTls())
  }

  /** Whether a signal has come that ends everything. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Signals are for this service from here on. It may still be starting. */
  obey(service: Stoppable): void {
    this.#service = service
  }

  #stop(signal: 'SIGINT' | 'SIGTERM'): void {
    if (this.#isStopping) process.exit(SIGNAL_EXIT_BASE + constants.signals[signal])
    this.#isStopping = true
    if (!this.#service) process.exit(0)
    this.#service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The service did not stop cleanly.\n${String(error)}\n`)
        process.exit(1)
      },
    )
  }
}
