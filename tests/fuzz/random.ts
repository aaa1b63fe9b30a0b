/** Numbers that look random and are the same for the same seed (xorshift). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0 || 1
  }

  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % Math.max(limit, 1)
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  /** @throws RangeError where there is nothing to pick from */
  pick<T>(list: readonly T[]): T {
    const index = this.below(list.length)
    if (index >= list.length) throw new RangeError('nothing to pick from')
    return list[index] as T
  }
}
