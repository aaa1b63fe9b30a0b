import type { QuerySorts } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { findById, findProperty, type PropertyType } from '../properties/stored.ts'
import type { ViewSchema } from './settings.ts'

/** Types that rows have no order by. */
const UNSORTED: ReadonlySet<PropertyType> = new Set(['button', 'location', 'last_visited_time'])
/** Words that stand for the timestamps of rows, where no property has that name. */
const TIMESTAMPS: ReadonlySet<string> = new Set(['created_time', 'last_edited_time'])

/**
 * Sorts as views keep them: checked against the schema, with properties by id.
 * @throws ServiceError `validation_error` at `body.sorts[…]`
 */
export function storeSorts(sorts: QuerySorts, schema: ViewSchema): QuerySorts | null {
  const stored = sorts.map((sort, index) => {
    if ('timestamp' in sort) return sort
    const path = `body.sorts[${index}].property`
    const property = findProperty(schema.properties, sort.property)
    if (!property) {
      if (TIMESTAMPS.has(sort.property)) return sort
      throw invalid(
        path,
        `should be the name or id of a property: could not find sort property with name or id: ${sort.property}`,
      )
    }
    if (UNSORTED.has(property.type)) {
      throw invalid(
        path,
        `should be a property that can be sorted by: ${JSON.stringify(property.name)} is of type ${property.type}`,
      )
    }
    return { ...sort, property: property.id }
  })
  return stored.length === 0 ? null : stored
}

/** Stored sorts without those by what is gone, or of another type by now. */
export function readSorts(stored: QuerySorts | null, schema: ViewSchema): QuerySorts | null {
  const kept = (stored ?? []).filter((sort) => {
    if ('timestamp' in sort || TIMESTAMPS.has(sort.property)) return true
    const property = findById(schema.properties, sort.property)
    return property !== undefined && !UNSORTED.has(property.type)
  })
  return kept.length === 0 ? null : kept
}
