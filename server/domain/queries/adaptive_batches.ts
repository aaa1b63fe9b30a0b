import { setImmediate as pause } from 'node:timers/promises'
import type { Scope } from '../scope.ts'
import type { QueryLimits } from './limits.ts'

/** Target duration of one batch. SQLite blocks the whole process while a statement runs. */
const STEP_MS = 8

/** Splits long work into batches and yields to other requests between them. */
export class AdaptiveBatches {
  readonly #scope: Scope
  readonly #least: number
  readonly #most: number
  #rows: number

  /** @param rows the size of the first batch */
  constructor(scope: Scope, { step: [least, most] }: QueryLimits, rows: number) {
    this.#scope = scope
    this.#least = least
    this.#most = most
    this.#rows = Math.min(Math.max(Math.ceil(rows), least), most)
  }

  /**
   * Runs one batch and adapts the size of the next one to the time that it took.
   * @param work receives the number of rows that it may examine
   * @throws ServiceError `service_unavailable` when the time limit of the request is exceeded
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
