import type { QueryFilter, QuerySorts, QuickFilters } from '../../../generated/types.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { QuerySchema } from '../queries/schema.ts'

/** What is set on a view, as the store keeps it: properties and options are named by id, also those that are gone by now. */
export interface ViewSettings {
  readonly filter: QueryFilter | null
  readonly sorts: QuerySorts | null
  readonly quickFilters: QuickFilters | null
  /** Without `type`, and without the names of properties. */
  readonly configuration: Members
}

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

export const NO_SETTINGS: ViewSettings = { filter: null, sorts: null, quickFilters: null, configuration: {} }

/** The properties that a view may name. */
export interface ViewSchema {
  readonly properties: readonly StoredProperty[]
}

/** A schema that settings are checked against when they are written, or run. */
export interface CheckedSchema extends ViewSchema {
  readonly query: QuerySchema
}
