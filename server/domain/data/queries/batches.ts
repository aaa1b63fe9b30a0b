import { setImmediate as pause } from 'node:timers/promises'
import type { Scope } from '../../shared/index.ts'

/** The result of a batch: the last row that it examined (undefined if no rows remain), and the rows that it found. */
interface BatchResult {
  readonly last: unknown
  readonly found: readonly unknown[]
}

/** Splits long work into batches, each twice as large as the one before, and yields to other requests between them. */
export class Batches {
  readonly #scope: Scope
  readonly #most: number
  #rows: number
  /** The number of rows examined so far. Of the last batch of a scan, only the rows found are counted. */
  examined = 0

  /** @param rows the size of the first batch @param most the largest size */
  constructor(scope: Scope, rows: number, most: number) {
    this.#scope = scope
    this.#most = most
    this.#rows = Math.min(rows, most)
  }

  /**
   * Runs one batch.
   * @param work receives the number of rows that it may examine
   * @throws ServiceError `service_unavailable` if the time limit of the request is exceeded
   */
  async step<T extends BatchResult>(work: (rows: number) => Promise<T>): Promise<T> {
    this.#scope.requireTime?.()
    const rows = this.#rows
    const result = await work(rows)
    this.examined += result.last === undefined ? result.found.length : rows
    this.#rows = Math.min(this.#most, rows * 2)
    await pause()
    return result
  }
}
