import { fork } from 'node:child_process'
import { join } from 'node:path'
import { figuresOf } from './figures.ts'

/** A process that only uses processor time, at the lowest priority. */
export interface Busy {
  /** @param share of one processor, 0 to 1 */
  take(share: number): void
  /** Processor time so far; NaN if the system does not report it. */
  processorSeconds(): number
  stop(): void
}

export function startBusy(): Busy {
  const child = fork(join(import.meta.dirname, 'busy_loop.ts'), { stdio: 'inherit' })
  return {
    take: (share) => void child.send(share),
    processorSeconds: () => (child.pid === undefined ? NaN : (figuresOf(child.pid).processorSeconds ?? NaN)),
    stop: () => child.disconnect(),
  }
}
