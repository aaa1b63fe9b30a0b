/** The limits of a query. Tests use smaller ones. */
export interface QueryLimits {
  /** The maximum number of rows that one query returns on all its pages together. */
  readonly rows: number
  /** Up to this many candidates are read and sorted in memory, which is faster than an ordered scan that rarely meets one of them. */
  readonly candidates: number
  /**
   * A group of more than `least` rows with an equal first value is scanned in the order of the next sort. If that scan has examined `most`
   * rows and has not found enough, the group itself is read.
   */
  readonly group: readonly [least: number, most: number]
  /** The maximum number of rows in one batch, divided by the number of tests and sorts: SQLite blocks other requests meanwhile. */
  readonly batch: number
  /** The number of documents loaded at a time, for rows that are filtered or sorted by them. */
  readonly documents: number
  /** The number of names read at a time, for rows that are sorted by them. */
  readonly names: number
}

export const QUERY_LIMITS: QueryLimits = {
  rows: 10_000,
  candidates: 1_000,
  group: [2_000, 20_000],
  batch: 8_000,
  documents: 100,
  names: 200,
}
