import type { QueryFilter, QuickFilterCondition, QuickFilters, QuickFiltersUpdateRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { findById, requireProperty, type StoredProperty } from '../properties/stored.ts'
import { canRun, presentCondition, storeCondition } from './condition_forms.ts'
import type { CheckedSchema, Members, ViewSchema } from './settings.ts'

/** A filter, or an entry of one: a single condition, or a list of filters under `and` or `or`. */
type Filter = Members

/**
 * Maps the single conditions of a filter. Conditions mapped to nothing are dropped, and so are lists that become empty.
 * @param path of the filter in the request
 */
function mapConditions(
  filter: Filter,
  path: string,
  change: (condition: Members, path: string) => Members | undefined,
): Filter | undefined {
  for (const word of ['and', 'or']) {
    const entries = filter[word]
    if (!Array.isArray(entries)) continue
    const kept = (entries as Filter[]).flatMap((entry, index) => mapConditions(entry, `${path}.${word}[${index}]`, change) ?? [])
    return kept.length === 0 && entries.length > 0 ? undefined : { [word]: kept }
  }
  return change(filter, path)
}

/**
 * Checks a filter against the schema and returns its stored form, with properties and options by id.
 * @throws ServiceError `validation_error` at `body.filter.…`
 */
export function storeFilter(filter: QueryFilter, schema: CheckedSchema): QueryFilter | null {
  const stored = mapConditions(filter as Filter, 'body.filter', (condition, path) => {
    const { type: _repeated, timestamp, property: key, ...rest } = condition
    if (typeof timestamp === 'string') return { timestamp, ...rest }
    const property = requireProperty(schema.properties, String(key), `${path}.property`)
    return { property: property.id, ...storeCondition(property, rest, path, schema) }
  })
  return (stored ?? null) as QueryFilter | null
}

/** Maps the conditions of a stored filter on existing properties; null if none is left. */
function mapStored(
  stored: QueryFilter | null,
  schema: ViewSchema,
  change: (property: StoredProperty, condition: Members) => Members | undefined,
): QueryFilter | null {
  if (stored === null) return null
  const mapped = mapConditions(stored as Filter, '', (condition) => {
    const { timestamp, property: id, ...rest } = condition
    if (timestamp !== undefined) return condition
    const property = findById(schema.properties, String(id))
    const read = property && presentCondition(property, rest)
    return property && read && change(property, read)
  })
  return (mapped ?? null) as QueryFilter | null
}

/** A stored filter in responses, without conditions on properties that were deleted or changed their type. */
export function presentFilter(stored: QueryFilter | null, schema: ViewSchema): QueryFilter | null {
  return mapStored(stored, schema, ({ id }, condition) => ({ property: id, ...condition }))
}

/** A stored filter in the form for queries. */
export function runnableFilter(stored: QueryFilter | null, schema: CheckedSchema): QueryFilter | null {
  return mapStored(stored, schema, (property, condition) =>
    canRun(property, condition, schema) ? { property: property.name, ...condition } : undefined,
  )
}

/**
 * Merges the changes of a request into quick filters. Null removes the condition of a property.
 * @param before the stored filters
 * @throws ServiceError `validation_error` at `body.quick_filters.…`
 */
export function storeQuickFilters(
  request: QuickFiltersUpdateRequest,
  before: QuickFilters | null,
  schema: CheckedSchema,
): QuickFilters | null {
  const after = new Map<string, QuickFilterCondition>(Object.entries(before ?? {}))
  const named = new Set<string>()
  for (const [key, condition] of Object.entries(request)) {
    const path = `body.quick_filters.${key}`
    const property = requireProperty(schema.properties, key, path)
    if (named.has(property.id)) throw invalid(path, 'should name a property that no other key names')
    named.add(property.id)
    if (condition === null) {
      after.delete(property.id)
      continue
    }
    const { type: _repeated, ...rest } = condition
    after.set(property.id, storeCondition(property, rest, path, schema) as QuickFilterCondition)
  }
  return after.size === 0 ? null : Object.fromEntries(after)
}

interface PropertyCondition {
  readonly property: StoredProperty
  readonly condition: Members
}

/** The stored quick filters, without those on properties that were deleted or changed their type. */
function presentConditions(stored: QuickFilters | null, schema: ViewSchema): PropertyCondition[] {
  return Object.entries(stored ?? {}).flatMap(([id, pinned]) => {
    const property = findById(schema.properties, id)
    const condition = property && presentCondition(property, pinned as Members)
    return property && condition ? [{ property, condition }] : []
  })
}

export function presentQuickFilters(stored: QuickFilters | null, schema: ViewSchema): QuickFilters | null {
  const present = presentConditions(stored, schema)
  return present.length === 0 ? null : Object.fromEntries(present.map(({ property, condition }) => [property.id, condition]))
}

/** Stored quick filters in the form for queries. */
export function runnableConditions(stored: QuickFilters | null, schema: CheckedSchema): PropertyCondition[] {
  return presentConditions(stored, schema).filter(({ property, condition }) => canRun(property, condition, schema))
}
