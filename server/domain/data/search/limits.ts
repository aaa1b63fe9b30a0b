/** Limits of one search. All are numbers of titles. */
export interface SearchLimits {
  /** Scanned in the order of their last edit. At this limit, the search ends and reports that it is incomplete. */
  readonly scanned: number
  /** Checked for visibility. At this limit, too, the search ends as incomplete. */
  readonly checked: number
  /** In one batch of a scan. */
  readonly batch: number
  /** Matching titles whose visibility is checked in one query. */
  readonly hits: number
  /** Sorted in memory: those visible to the caller, or those with a common prefix or the words of the query. */
  readonly sorted: number
  /** Scanned before titles with the words of the query are sorted in memory instead. */
  readonly beforeWords: number
  /** How many more titles may then be sorted in memory. */
  readonly withWords: number
}

export const searchLimits: SearchLimits = {
  scanned: 300_000,
  checked: 100_000,
  batch: 8_000,
  hits: 1_600,
  sorted: 3_000,
  beforeWords: 32_000,
  withWords: 12_000,
}
