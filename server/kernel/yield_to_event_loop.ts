import { setImmediate } from 'node:timers/promises'

/** Lets other requests run: while SQLite works, it blocks the process. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate()
}

/** A list in portions. Other requests can run between two portions. */
export function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/** Long enough that yielding costs little, and short enough that other requests do not notice the wait. */
const SLICE_MS = 8

/** Measures the time since other requests could last run, for loops with steps of uneven duration. */
export class TimeSlice {
  #since = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS
  }

  /** Lets other requests run. */
  async next(): Promise<void> {
    await yieldToEventLoop()
    this.#since = performance.now()
  }
}

/** Work in short steps. It can run at once or in slices, with the same result. */
export type SlicedWork<Result> = Generator<void, Result>

/** Runs work, letting other requests run in between. */
export async function inSlices<Result>(steps: SlicedWork<Result>): Promise<Result> {
  const slice = new TimeSlice()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (slice.isOver) await slice.next()
  }
}

/** Runs work without a pause. */
export function atOnce<Result>(steps: SlicedWork<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}
