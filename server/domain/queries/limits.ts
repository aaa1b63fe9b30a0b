/** How far a query goes. Tests take smaller ones. */
export interface QueryLimits {
  /** One query gives no more rows than this, however many match. */
  readonly rows: number
  /** Rows that are fewer are all looked at, and sorted in memory: better than a walk that meets one of them now and then. */
  readonly candidates: number
  /** Rows looked at in one step, at least and at most. */
  readonly step: readonly [least: number, most: number]
  /** Rows looked at to find out whether more match than a query gives. */
  readonly counted: number
}

export const QUERY_LIMITS: QueryLimits = { rows: 10_000, candidates: 1_000, step: [50, 4_000], counted: 250_000 }
