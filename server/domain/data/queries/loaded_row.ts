import type { StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import type { Row } from '../rows/row.ts'

/** A row with everything that filters and sorts may need to know. */
export interface LoadedRow extends Row {
  readonly facts: ValueFacts
  /** Values of formulas and rollups, by column id. */
  readonly computed: ReadonlyMap<string, unknown>
  /** Whether a relation links to a page. For relations with more links than the document contains. */
  leadsTo(propertyId: string, pageId: string): boolean
}

/** The data to load for evaluating a criterion in memory. */
export interface Needs {
  /** Columns whose values are needed. */
  readonly columns: readonly StoredProperty[]
  /** Links to find: a relation and the linked page. */
  readonly links: readonly { readonly propertyId: string; readonly pageId: string }[]
}
