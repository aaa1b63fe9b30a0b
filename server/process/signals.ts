import { constants } from 'node:os'

const SIGNAL_EXIT_BASE = 128

interface Stoppable {
  renewTls(): void
  stop(): Promise<void>
}

/**
 * The first interrupt or termination stops the service gracefully and ends the process; a second one ends it at once. A hang-up has
 * the certificate read again.
 */
export function obeySignals(service: Stoppable, fail: (error: unknown) => void): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(SIGNAL_EXIT_BASE + constants.signals[signal])
      isStopping = true
      service.stop().then(() => process.exit(0), fail)
    })
  }
  process.on('SIGHUP', () => service.renewTls())
}
