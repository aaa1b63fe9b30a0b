/** How far one search goes. Counts of titles. */
export interface SearchLimits {
  /** Gone through in the order of their last edit, in all. Beyond, the search ends and says that it is incomplete. */
  readonly scanned: number
  /** Whose place has been looked at for whether the caller can see them, in all. Beyond likewise. */
  readonly looks: number
  /** In one run, where the engine sets no lower limit. */
  readonly run: number
  /** Everything that the caller was given, or what begins alike, to be sorted in memory. */
  readonly sorted: number
  /** Taken from the index of words, to be sorted in memory. */
  readonly sifted: number
}

export const searchLimits: SearchLimits = { scanned: 1_000_000, looks: 100_000, run: 32_000, sorted: 3_000, sifted: 12_000 }
