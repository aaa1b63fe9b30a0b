import { comparePlaces, type PlacedRow } from './sort_values.ts'
import type { ParsedSort } from './sorts.ts'

/** Rows sorted at a time. Sorting everything at once would hold up other requests. */
const NEW_MAX = 1_000

/** Keeps the first k rows in order. New rows are collected, sorted and merged in batches. */
export class TopK {
  readonly #sorts: readonly ParsedSort[]
  readonly #limit: number
  #rows: PlacedRow[] = []
  #new: PlacedRow[] = []

  constructor(sorts: readonly ParsedSort[], limit: number) {
    this.#sorts = sorts
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#rows.length + this.#new.length >= this.#limit
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
    for (let [left, right] = [0, 0]; merged.length < this.#limit;) {
      const [one, other] = [kept[left], added[right]]
      if (!one && !other) break
      if (one && (!other || comparePlaces(this.#sorts, one, other) <= 0)) {
        merged.push(one)
        left += 1
      } else if (other) {
        merged.push(other)
        right += 1
      }
    }
    this.#rows = merged
    this.#new = []
  }
}
