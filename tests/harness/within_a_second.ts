import { setTimeout as pause } from 'node:timers/promises'

/**
 * Reads until the expected value appears. The last read begins after a second, however long reads take.
 * @returns the last result
 */
export async function withinASecond<T>(read: () => Promise<T>, expected: T): Promise<T> {
  const end = performance.now() + 1_000
  for (;;) {
    const isLast = performance.now() > end
    const found = await read()
    if (isLast || found === expected) return found
    await pause(5)
  }
}
