const KEPT_MAX = 200

/**
 * Caches formatters, because creating one takes far longer than using it. There may be any number of languages, so the oldest formatters
 * are dropped.
 */
export class KeptFormatters<Formatter> {
  readonly #kept = new Map<string, Formatter>()

  get(key: string, make: () => Formatter): Formatter {
    const found = this.#kept.get(key) ?? make()
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= KEPT_MAX && !this.#kept.has(key)) this.#kept.delete(oldest)
    this.#kept.set(key, found)
    return found
  }
}
