import type { Facts } from '../../content/index.ts'

/** Additional data that presenting a value may need. */
export interface ValueFacts {
  readonly facts: Facts
  readonly groups: ReadonlyMap<string, string | null>
  readonly now: number
  /** Most references of one value that are filled in. */
  readonly referencesMax: number
}
