import { setTimeout as pause } from 'node:timers/promises'

/** Reads until a value is there, for the last time when a second has passed, however long each reading takes. @returns what was read last */
export async function withinASecond<T>(read: () => Promise<T>, expected: T): Promise<T> {
  const end = performance.now() + 1_000
  for (;;) {
    const isLast = performance.now() > end
    const found = await read()
    if (isLast || found === expected) return found
    await pause(5)
  }
}
