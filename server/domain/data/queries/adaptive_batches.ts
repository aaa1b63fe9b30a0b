import { setImmediate as pause } from 'node:timers/promises'
import type { Scope } from '../../shared/index.ts'
import type { QueryLimits } from './limits.ts'

/** The result of a batch: the last row that it examined, undefined if there are no more, and the rows that it found. */
interface BatchResult {
  readonly last: unknown
  readonly found?: readonly unknown[]
}

/** Splits long work into batches and yields to other requests between them. */
export class AdaptiveBatches {
  readonly #scope: Scope
  readonly #least: number
  readonly #most: number
  #rows: number
  /** Counts only full batches. */
  #full = { examined: 0, found: 0 }
  /** The number of rows that the batches so far examined, except rows that fail in batches that were not full. */
  examined = 0
  /** The number of rows that are still wanted. */
  wanted = Infinity

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
  async step<T extends BatchResult>(work: (rows: number) => Promise<T>): Promise<T> {
    this.#scope.requireTime?.()
    const rows = Math.min(this.#rows, Math.max(this.#least, this.#expected()))
    const start = performance.now()
    const result = await work(rows)
    const elapsed = performance.now() - start
    const isFull = result.last !== undefined
    const found = result.found?.length ?? 0
    this.examined += isFull ? rows : found
    if (isFull) this.#full = { examined: this.#full.examined + rows, found: this.#full.found + found }
    const factor = this.#scope.db.batchMs / elapsed
    if (factor < 0.5) this.#rows = Math.max(this.#least, Math.floor(this.#rows / 2))
    else if (factor > 1 && isFull) this.#rows = Math.min(this.#most, Math.ceil(this.#rows * Math.min(factor, GROWTH_MAX)))
    await pause()
    return result
  }

  /** How many rows probably have to be examined to find the wanted number. */
  #expected(): number {
    const { examined, found } = this.#full
    return found === 0 ? Infinity : Math.ceil((this.wanted / found) * examined * MARGIN)
  }
}

/** The first batches are too short to tell how long a large one will take. */
const GROWTH_MAX = 4

/** One more batch costs less than many rows that are not needed. */
const MARGIN = 1.1
