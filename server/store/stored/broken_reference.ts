/** A cell that refers to a missing row, or that contradicts the row to which its own row belongs. */
export interface BrokenReference {
  readonly table: string
  readonly column: string
  readonly expected: string
  /** The values of the row's key, in the order of its columns. */
  readonly key: readonly unknown[]
  readonly found: unknown
}
