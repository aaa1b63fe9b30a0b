/** Caches the results of searches of one text at increasing positions, so that each search scans the text once in total. */
export class NextPlaces {
  readonly #known = new Map<string, { readonly from: number; readonly at: number }>()

  /**
   * The first match at or after `from`; Infinity if there is none.
   * @param what names the search
   * @param find searches, and returns -1 for none
   */
  next(what: string, from: number, find: (from: number) => number): number {
    const known = this.#known.get(what)
    if (known && known.from <= from && from <= known.at) return known.at
    const found = find(from)
    const at = found === -1 ? Infinity : found
    this.#known.set(what, { from, at })
    return at
  }
}
