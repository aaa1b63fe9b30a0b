import type { Facts } from '../../content/index.ts'

/** The context for presenting a value. */
export interface ValueFacts {
  readonly facts: Facts
  readonly groups: ReadonlyMap<string, string | null>
  readonly now: number
  /** The maximum number of references that are filled in for one value. */
  readonly referencesMax: number
}
