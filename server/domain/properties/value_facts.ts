import type { Facts } from '../rich_text/facts.ts'

/** What reading a value may need besides the value. */
export interface ValueFacts {
  readonly facts: Facts
  readonly groups: ReadonlyMap<string, string | null>
  readonly now: number
  /** References of one value that are filled in. */
  readonly referencesMax: number
}
