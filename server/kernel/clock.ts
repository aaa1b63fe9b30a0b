/** The only source of "now", so that tests and the store agree on it. Milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

let latest = { milliseconds: 0, text: '1970-01-01T00:00:00.000Z' }

/** Times of records are from 1970 to the end of the year 9999, the last one that the form of a timestamp can express. */
export const TIME_MAX = Date.UTC(10_000, 0) - 1

/**
 * `2026-05-04T09:31:07.214Z`: the form of every record time in a response. A time out of range, which only a damaged record has, becomes
 * the nearest valid one.
 */
export function toTimestamp(milliseconds: number): string {
  // Records written together have the same time, so most times equal the previous one.
  if (milliseconds !== latest.milliseconds) {
    const time = Math.min(Math.max(milliseconds, 0), TIME_MAX)
    latest = { milliseconds, text: new Date(time).toISOString() }
  }
  return latest.text
}
