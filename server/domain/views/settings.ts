import type { QueryFilter, QuerySorts, QuickFilters } from '../../../generated/types.ts'
import type { StoredProperty } from '../properties/stored.ts'

/** What is set on a view, as the store keeps it: properties are named by id, also those that are gone by now. */
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

/** What a formula or a rollup gives; undefined where that cannot be told. */
export type Result = 'string' | 'number' | 'boolean' | 'date' | 'array' | undefined

/** The properties that a view may name. */
export interface ViewSchema {
  readonly properties: readonly StoredProperty[]
  /** Of a formula or a rollup. Left out where settings are read: what was fitting when it was written is not computed again. */
  readonly resultOf?: (property: StoredProperty) => Result
}
