import { setImmediate as pause } from 'node:timers/promises'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'

/** SQLite holds up everything else in the process while it works: steps are made to take about this long. */
const STEP_MS = 8

/** Cuts long work into steps between which other requests go on. */
export class AdaptiveBatches {
  readonly #scope: Scope
  readonly #least: number
  readonly #most: number
  #rows: number

  /** @param rows so many rows are looked at in the first step */
  constructor(scope: Scope, { step: [least, most] }: QueryLimits, rows: number) {
    this.#scope = scope
    this.#least = least
    this.#most = most
    this.#rows = Math.min(Math.max(Math.ceil(rows), least), most)
  }

  /**
   * Takes one step.
   * @param work looks at no more than so many rows
   * @throws ServiceError `service_unavailable` when the time of the request has run out
   */
  async step<T>(work: (rows: number) => Promise<T>): Promise<T> {
    this.#scope.requireTime?.()
    const start = performance.now()
    const result = await work(this.#rows)
    const elapsed = performance.now() - start
    if (elapsed > STEP_MS * 2) this.#rows = Math.max(this.#least, Math.floor(this.#rows / 2))
    else if (elapsed < STEP_MS) this.#rows = Math.min(this.#most, this.#rows * 2)
    await pause()
    return result
  }
}
