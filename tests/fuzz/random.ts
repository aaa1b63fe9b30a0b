/** Pseudo-random numbers, the same for the same seed (xorshift). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0 || 1
  }

  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % Math.max(limit, 1)
  }

  /** True with a probability of one in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const index = this.below(list.length)
    if (index >= list.length) throw new RangeError('nothing to pick from')
    return list[index] as T
  }
}
