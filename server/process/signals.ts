import { constants } from 'node:os'
import { whenNpmEnds } from '../kernel/npm_parent.ts'

const SIGNAL_EXIT_BASE = 128

interface Stoppable {
  renewTls(): void
  stop(): Promise<void>
}

/**
 * Handles signals from the very start. Before there is a service, they end the process at once. After that, the first SIGINT or SIGTERM
 * stops the service gracefully and ends the process; a second one ends it at once. SIGHUP reloads the certificate.
 */
export class Signals {
  #service: Stoppable | undefined
  #isStopping = false

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.#stop(signal))
    process.on('SIGHUP', () => this.#service?.renewTls())
    whenNpmEnds(() => {
      if (!this.#isStopping) this.#stop('SIGTERM')
    })
  }

  /** Whether a signal to stop has been received. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** From now on, signals apply to this service, which may still be starting. */
  attach(service: Stoppable): void {
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
