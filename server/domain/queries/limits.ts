/** How far a query goes. Tests take smaller ones. */
export interface QueryLimits {
  /** One query gives no more rows than this, however many match. */
  readonly rows: number
  /** Rows that are fewer are all looked at, and sorted in memory: better than a scan that meets one of them now and then. */
  readonly candidates: number
  /** Rows looked at in one step, at least and at most. */
  readonly step: readonly [least: number, most: number]
  /** Rows that are decided or sorted by their documents are read so many at a time. */
  readonly documents: number
  /** Names that rows are sorted by are looked up so many at a time. */
  readonly names: number
  /** Rows looked at to find out whether more match than a query gives; fewer where there is much to look at in each. */
  readonly counted: number
  /** Before they are all looked at: so many of the first so many. */
  readonly sample: { readonly size: number; readonly of: number }
}

export const QUERY_LIMITS: QueryLimits = {
  rows: 10_000,
  candidates: 1_000,
  step: [50, 4_000],
  documents: 100,
  names: 200,
  counted: 250_000,
  sample: { size: 1_000, of: 30_000 },
}
