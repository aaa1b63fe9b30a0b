import type { QueryFilter, QuickFilterCondition, QuickFilters, QuickFiltersUpdateRequest } from '../../../generated/types.ts'
import { oneSpelling } from '../../kernel/ids.ts'
import { invalid } from '../failures.ts'
import { findById, findProperty, type StoredProperty } from '../properties/stored.ts'
import { fitsCondition, requireCondition } from './condition_rules.ts'
import type { Members, ViewSchema } from './settings.ts'

/** A filter or an entry of one: a single condition, or a list of them under `and` or `or`. */
type Filter = Members

/**
 * Changes the single conditions of a filter. One for which nothing comes back is left out, and a list with its last entry.
 * @param path where the filter stands
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
 * A filter as views keep it: checked against the schema, with properties by id.
 * @throws ServiceError `validation_error` at `body.filter.…`
 */
export function storeFilter(filter: QueryFilter, schema: ViewSchema): QueryFilter | null {
  const stored = mapConditions(filter as Filter, 'body.filter', (condition, path) => {
    const { type: _repeated, timestamp, property: key, ...rest } = condition
    if (typeof timestamp === 'string') return { timestamp, ...rest }
    const property = findProperty(schema.properties, String(key))
    if (!property) throw notFound(`${path}.property`, String(key))
    return { property: property.id, ...storeCondition(property, rest, path) }
  })
  return (stored ?? null) as QueryFilter | null
}

/** A stored filter without conditions on what is gone, or of another type by now. */
export function readFilter(stored: QueryFilter | null, schema: ViewSchema): QueryFilter | null {
  if (stored === null) return null
  const read = mapConditions(stored as Filter, '', (condition) => {
    const { timestamp, property: id, ...rest } = condition
    if (timestamp !== undefined) return condition
    return fits(findById(schema.properties, String(id)), rest) ? condition : undefined
  })
  return (read ?? null) as QueryFilter | null
}

/**
 * Quick filters with what a request changes: a property under null loses its condition.
 * @param before what is stored
 * @throws ServiceError `validation_error` at `body.quick_filters.…`
 */
export function storeQuickFilters(
  request: QuickFiltersUpdateRequest,
  before: QuickFilters | null,
  schema: ViewSchema,
): QuickFilters | null {
  const after = new Map<string, QuickFilterCondition>(Object.entries(before ?? {}))
  const named = new Set<string>()
  for (const [key, condition] of Object.entries(request)) {
    const path = `body.quick_filters.${key}`
    const property = findProperty(schema.properties, key)
    if (!property) throw notFound(path, key)
    if (named.has(property.id)) throw invalid(path, 'should name a property that no other key names')
    named.add(property.id)
    if (condition === null) {
      after.delete(property.id)
      continue
    }
    const { type: _repeated, ...rest } = condition
    after.set(property.id, storeCondition(property, rest, path) as QuickFilterCondition)
  }
  return after.size === 0 ? null : Object.fromEntries(after)
}

/** Stored quick filters without those on what is gone, or of another type by now. */
export function readQuickFilters(stored: QuickFilters | null, schema: ViewSchema): QuickFilters | null {
  const kept = Object.entries(stored ?? {}).filter(([id, condition]) =>
    fits(findById(schema.properties, id), condition as Members),
  )
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

function notFound(path: string, key: string): Error {
  return invalid(path, `should be the name or id of a property: could not find property with name or id: ${key}`)
}

/** @param condition one condition key with its condition */
function storeCondition(property: StoredProperty, condition: Members, path: string): Members {
  requireCondition(property, condition, path)
  return Object.fromEntries(Object.entries(condition).map(([key, value]) => [key, withCanonicalIds(key, value)]))
}

function fits(property: StoredProperty | undefined, condition: Members): boolean {
  return property !== undefined && fitsCondition(property, condition)
}

/** Condition keys whose operands are ids. */
const ID_KEYS: ReadonlySet<string> = new Set(['people', 'created_by', 'last_edited_by', 'relation'])

/** Ids in their one spelling. Nested as deep as conditions of rollups are. */
function withCanonicalIds(key: string, condition: unknown, ofIds = ID_KEYS.has(key)): unknown {
  if (typeof condition === 'string') return ofIds ? oneSpelling(condition) : condition
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return condition
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]: [string, unknown]) => [
      name,
      withCanonicalIds(name, value, ofIds || ID_KEYS.has(name)),
    ]),
  )
}
