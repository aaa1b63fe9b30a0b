import type { Facts } from '../../content/index.ts'

/** What presenting a value may need besides the stored value. */
export interface ValueFacts {
  readonly facts: Facts
  readonly groups: ReadonlyMap<string, string | null>
  readonly now: number
  /** Most references of one value that are filled in. */
  readonly referencesMax: number
}
