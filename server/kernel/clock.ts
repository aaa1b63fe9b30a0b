/** The one source of "now", so that tests and the store agree on it. Milliseconds since 1970. */
export interface Clock {
  now(): number
  /** How other threads know its time: it is that of the machine, or stands in memory that they share. Left out, they cannot. */
  readonly shared?: 'machine' | Float64Array | undefined
}

export const systemClock: Clock = { now: () => Date.now(), shared: 'machine' }

let latest = { milliseconds: 0, text: '1970-01-01T00:00:00.000Z' }

/** `2026-05-04T09:31:07.214Z`: the form of every record time in an answer. */
export function toTimestamp(milliseconds: number): string {
  // Records written together have the same time, so most times equal the one before.
  if (milliseconds !== latest.milliseconds) latest = { milliseconds, text: new Date(milliseconds).toISOString() }
  return latest.text
}
