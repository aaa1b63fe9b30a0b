/** The limits of a query. Tests use smaller ones. */
export interface QueryLimits {
  /** The most rows that one query returns, over all its pages. */
  readonly rows: number
  /** Up to this many candidates are read and sorted in memory, which beats an ordered scan that rarely finds one of them. */
  readonly candidates: number
  /**
   * A group of more than `least` rows with an equal first value is scanned in the order of the next sort. The group itself is read if that
   * has examined `most` rows and has not found enough.
   */
  readonly group: readonly [least: number, most: number]
  /** The largest number of rows in one batch, divided by the number of tests and sorts: SQLite blocks other requests meanwhile. */
  readonly batch: number
  /** Documents loaded at a time, for rows that are filtered or sorted by them. */
  readonly documents: number
  /** Names read at a time, for rows that are sorted by them. */
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
