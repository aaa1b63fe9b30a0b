/** Limits of one search, in titles. */
export interface SearchLimits {
  /** Titles scanned in the order of their last edit. At the limit the search ends and reports that it is incomplete. */
  readonly scanned: number
  /** Titles whose visibility has been checked. At the limit the search ends likewise. */
  readonly checked: number
  /** Titles in one batch of a scan, unless the engine has a lower limit. */
  readonly batch: number
  /** Matching titles whose visibility is checked together. */
  readonly hits: number
  /** Titles that are visible to the caller, or that have a common prefix, sorted in memory. */
  readonly sorted: number
  /** Titles from the word index, whose times are sorted in memory. */
  readonly prefiltered: number
}

export const searchLimits: SearchLimits = {
  scanned: 1_000_000,
  checked: 100_000,
  batch: 32_000,
  hits: 1_600,
  sorted: 3_000,
  prefiltered: 100_000,
}
