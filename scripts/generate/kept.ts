/** What has been made once, by what it was made of, so that the same is not made again: for many parts of one run, or for several runs. */
export class Kept<T> {
  #before = new Map<string, T>()
  #now = new Map<string, T>()

  /** @param source all that the result depends on */
  of(source: string, make: () => T): T {
    const known = this.#now.has(source) ? this.#now : this.#before
    const result = known.has(source) ? (known.get(source) as T) : make()
    this.#now.set(source, result)
    return result
  }

  /** Forgets what has not been asked for since the last call. */
  forgetUnused(): void {
    this.#before = this.#now
    this.#now = new Map()
  }
}
