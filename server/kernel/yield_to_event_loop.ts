import { setImmediate } from 'node:timers/promises'

/** Lets other requests run: SQLite blocks the process while it works. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate()
}

/** A list in portions, between which other requests can run. */
export function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
