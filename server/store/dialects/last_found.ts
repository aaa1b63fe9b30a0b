import { isDeepStrictEqual } from 'node:util'

const ENTRIES_MAX = 1_000

/** What was found last for some keys. What is found again as it was is the same object, by which callers tell that nothing has changed. */
export class LastFound {
  readonly #found = new Map<string, unknown>()

  // A key always comes with the same type.
  of<T>(key: string): T | undefined {
    return this.#found.get(key) as T | undefined
  }

  /** @returns the object that was found before, if this one is equal to it */
  keep<T>(key: string, found: T): T {
    const before = this.of<T>(key)
    if (before !== undefined && isDeepStrictEqual(before, found)) return before
    if (found === undefined) this.#found.delete(key)
    else {
      if (this.#found.size >= ENTRIES_MAX) this.#found.clear()
      this.#found.set(key, found)
    }
    return found
  }
}
