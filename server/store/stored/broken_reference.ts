/** A cell that names what is not there, or does not fit the row that its own row belongs to. */
export interface BrokenReference {
  readonly table: string
  readonly column: string
  readonly expected: string
  /** The values of the row's key, in its order. */
  readonly key: readonly unknown[]
  readonly found: unknown
}
