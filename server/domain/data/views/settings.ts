import type { QueryFilter, QuerySorts, QuickFilters } from '../../../../generated/types.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { QuerySchema } from '../queries/schema.ts'

/** The stored settings of a view. They refer to properties and options by id, including deleted ones. */
export interface ViewSettings {
  readonly filter: QueryFilter | null
  readonly sorts: QuerySorts | null
  readonly quickFilters: QuickFilters | null
  /** Without `type`, and without the names of properties. */
  readonly configuration: Members
}

export type Members = Readonly<Record<string, unknown>>

export const NO_SETTINGS: ViewSettings = { filter: null, sorts: null, quickFilters: null, configuration: {} }

/** The properties to which a view may refer. */
export interface ViewSchema {
  readonly properties: readonly StoredProperty[]
}

/** The schema against which settings are checked when they are written, or used to run the view. */
export interface CheckedSchema extends ViewSchema {
  readonly query: QuerySchema
}
