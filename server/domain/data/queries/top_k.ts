import { comparePlaces, type PlacedRow } from './sort_values.ts'
import type { ParsedSort } from './sorts.ts'

/** The number of rows sorted at a time. Sorting everything at once would block other requests. */
const NEW_MAX = 1_000

/** Keeps the first k rows in order, each once. New rows are collected, sorted and merged in batches. */
export class TopK {
  readonly #sorts: readonly ParsedSort[]
  readonly #limit: number
  #rows: PlacedRow[] = []
  #new: PlacedRow[] = []

  constructor(sorts: readonly ParsedSort[], limit: number) {
    this.#sorts = sorts
    this.#limit = limit
  }

  /** The number of rows kept. A row that was added several times since the last merge counts several times. */
  get size(): number {
    return this.#rows.length + this.#new.length
  }

  get isFull(): boolean {
    if (this.size >= this.#limit) this.#merge()
    return this.#rows.length >= this.#limit
  }

  add(row: PlacedRow): void {
    this.#new.push(row)
    if (this.#new.length >= Math.min(this.#limit + 100, NEW_MAX)) this.#merge()
  }

  rows(): PlacedRow[] {
    this.#merge()
    return this.#rows
  }

  #merge(): void {
    const added = this.#new.sort((one, other) => comparePlaces(this.#sorts, one, other))
    const kept = this.#rows
    const merged: PlacedRow[] = []
    for (let [remaining, right] = [0, 0]; merged.length < this.#limit;) {
      const [one, other] = [kept[remaining], added[right]]
      const next = one && (!other || comparePlaces(this.#sorts, one, other) <= 0) ? one : other
      if (!next) break
      if (next === one) remaining += 1
      else right += 1
      if (merged.at(-1)?.id !== next.id) merged.push(next)
    }
    this.#rows = merged
    this.#new = []
  }
}
