/** The only source of the current time, so that tests and the store agree on it. In milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

let latest = { milliseconds: 0, text: '1970-01-01T00:00:00.000Z' }

/**
 * The end of the range of record times, which starts in 1970: the last millisecond of the year 9999, the latest time that timestamps can
 * express.
 */
export const TIME_MAX = Date.UTC(10_000, 0) - 1

/**
 * `2026-05-04T09:31:07.214Z`: the form of every record time in a response. A time out of range, which only damage can cause, becomes the
 * nearest valid one.
 */
export function toTimestamp(milliseconds: number): string {
  // Records written together have the same time, so most times equal the previous one.
  if (milliseconds !== latest.milliseconds) {
    const time = Math.min(Math.max(milliseconds, 0), TIME_MAX)
    latest = { milliseconds, text: new Date(time).toISOString() }
  }
  return latest.text
}
