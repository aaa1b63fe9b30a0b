import type { Clock } from '@workspace-service/server/kernel/clock.ts'

/** A length of time: the sum of its parts. */
export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000, milliseconds: 1 } as const

/** The state of a clock in a snapshot. */
export interface ClockState {
  readonly stoppedAt: number | undefined
  readonly offset: number
}

/** The clock of a test server: it runs with the machine's clock until it is set, and is then stopped. */
export class TestClock implements Clock {
  #state: ClockState = { stoppedAt: undefined, offset: 0 }

  get state(): ClockState {
    return this.#state
  }

  now(): number {
    return this.#state.stoppedAt ?? Date.now() + this.#state.offset
  }

  /** @throws RangeError unless it is a time that the service can represent */
  set(time: string | number | Date): void {
    const stoppedAt = new Date(time).getTime()
    if (Number.isNaN(stoppedAt)) throw new RangeError(`${String(time)} is not a time.`)
    requireWritable(stoppedAt)
    this.#state = { stoppedAt, offset: 0 }
  }

  /** @throws RangeError for a negative duration, one that is not a number, or one that leads to a time too late */
  advance(duration: Duration): void {
    const milliseconds = lengthOf(duration)
    requireWritable(this.now() + milliseconds)
    const { stoppedAt, offset } = this.#state
    this.#state =
      stoppedAt === undefined ? { stoppedAt, offset: offset + milliseconds } : { stoppedAt: stoppedAt + milliseconds, offset }
  }

  restore(state: ClockState): void {
    this.#state = state
  }
}

const [FIRST, LAST] = [Date.UTC(0, 0, 1), Date.UTC(10_000, 0, 1) - 1]

/** Refuses times that the service cannot represent: years have four digits. */
function requireWritable(milliseconds: number): void {
  if (milliseconds < FIRST || milliseconds > LAST) throw new RangeError('The clock should be between the years 1900 and 9999.')
}

function lengthOf(duration: Duration): number {
  const sum = Object.entries(UNITS).reduce((total, [unit, length]) => total + (duration[unit as keyof Duration] ?? 0) * length, 0)
  if (!(sum >= 0)) throw new RangeError('The clock should advance by a duration such as { hours: 1 }.')
  return sum
}
