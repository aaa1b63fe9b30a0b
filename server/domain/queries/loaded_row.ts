import type { StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import type { Row } from '../rows/row.ts'

/** A row with everything that decides about it. */
export interface LoadedRow extends Row {
  readonly facts: ValueFacts
  /** Values of formulas and rollups, by column. */
  readonly computed: ReadonlyMap<string, unknown>
  /** Whether a relation with more links than its document holds leads to a page. */
  leadsTo(propertyId: string, pageId: string): boolean
}

/** What has to be at hand to decide about rows. */
export interface Needs {
  /** Columns whose values are asked for. */
  readonly columns: readonly StoredProperty[]
  /** Links that are asked for: a relation and the page it leads to. */
  readonly links: readonly { readonly propertyId: string; readonly pageId: string }[]
}
