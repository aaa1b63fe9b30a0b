import type { QuerySorts, TimestampSort } from '../../../../generated/types.ts'
import { findById, findProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { parseSorts as checkSorts } from '../queries/sorts.ts'
import type { CheckedSchema, ViewSchema } from './settings.ts'

/** The names of row timestamps in sorts, unless a property has that name. */
const TIMESTAMPS: Readonly<Record<TimestampSort['timestamp'], true>> = { created_time: true, last_edited_time: true }

/**
 * Checks sorts against the schema and returns their stored form, with properties by id.
 * @throws ServiceError `validation_error` at `body.sorts[…]`
 */
export function storeSorts(sorts: QuerySorts, schema: CheckedSchema): QuerySorts | null {
  checkSorts(schema.query, sorts, 'body.sorts')
  const stored = sorts.map((sort) => {
    const property = 'timestamp' in sort ? undefined : findProperty(schema.properties, sort.property)
    return property ? { ...sort, property: property.id } : sort
  })
  return stored.length === 0 ? null : stored
}

/** Stored sorts without sorts by properties that were deleted or changed their type. */
export function presentSorts(stored: QuerySorts | null, schema: ViewSchema): QuerySorts | null {
  const kept = (stored ?? []).filter((sort) => {
    if ('timestamp' in sort || Object.hasOwn(TIMESTAMPS, sort.property)) return true
    const property = findById(schema.properties, sort.property)
    return property !== undefined && facetsOf(property.type).sort !== 'none'
  })
  return kept.length === 0 ? null : kept
}

/** Stored sorts in the form for queries. */
export function runnableSorts(stored: QuerySorts | null, schema: CheckedSchema): QuerySorts {
  return (presentSorts(stored, schema) ?? []).map((sort) => {
    if ('timestamp' in sort) return sort
    const property = findById(schema.properties, sort.property)
    const { direction } = sort
    // A sort by a timestamp stays one even if a property is given its name later.
    return property
      ? { property: property.name, direction }
      : { timestamp: sort.property as 'created_time' | 'last_edited_time', direction }
  })
}
