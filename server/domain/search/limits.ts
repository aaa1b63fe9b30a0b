/** How far one search goes. Counts of titles. */
export interface SearchLimits {
  /** Scanned in the order of their last edit, in all. Beyond, the search ends and says that it is incomplete. */
  readonly scanned: number
  /** Whose visibility to the caller has been determined, in all. Beyond likewise. */
  readonly checked: number
  /** In one batch of a scan, where the engine sets no lower limit. */
  readonly batch: number
  /** Everything that the caller was given, or what begins alike, to be sorted in memory. */
  readonly sorted: number
  /** Taken from the index of words, to be sorted in memory. */
  readonly prefiltered: number
}

export const searchLimits: SearchLimits = {
  scanned: 1_000_000,
  checked: 100_000,
  batch: 32_000,
  sorted: 3_000,
  prefiltered: 12_000,
}
