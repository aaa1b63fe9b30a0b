import { randomFraction } from '../../../kernel/random.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The pauses in milliseconds before the second, third … attempt. */
const WAITS: readonly number[] = [
  MINUTE_MS,
  4 * MINUTE_MS,
  15 * MINUTE_MS,
  45 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  15 * HOUR_MS,
]
/** Pauses vary by this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1

/** @returns milliseconds until the next attempt; undefined after the last one */
export function retryDelay(attempt: number): number | undefined {
  const wait = WAITS[attempt - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * randomFraction()))
}
