/** Limits of one search, in titles. */
export interface SearchLimits {
  /** Titles scanned in the order of their last edit. At the limit the search ends and reports that it is incomplete. */
  readonly scanned: number
  /** Titles whose visibility has been checked. At this limit, too, the search ends as incomplete. */
  readonly checked: number
  /** Titles in one batch of a scan. */
  readonly batch: number
  /** Matching titles whose visibility is checked together. */
  readonly hits: number
  /** Titles that are visible to the caller, or that have a common prefix or the words of the query, sorted in memory. */
  readonly sorted: number
  /** Titles scanned before more titles that have the words are sorted in memory. */
  readonly beforeWords: number
  /** The number of additional titles. */
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
