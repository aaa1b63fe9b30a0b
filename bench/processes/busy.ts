import { fork } from 'node:child_process'
import { join } from 'node:path'

/** A process that only takes processor time, at the lowest priority. */
export interface Busy {
  /** @param share of one processor, 0 to 1 */
  take(share: number): void
  stop(): void
}

export function startBusy(): Busy {
  const child = fork(join(import.meta.dirname, 'busy_loop.ts'), { stdio: 'inherit' })
  return { take: (share) => void child.send(share), stop: () => child.disconnect() }
}
