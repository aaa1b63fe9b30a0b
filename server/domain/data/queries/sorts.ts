import type { QuerySorts } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { findProperty, type StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { FilterContext } from '../property_types/property_facets.ts'
import type { QuerySchema } from './schema.ts'
import type { SortSource } from './sort_source.ts'

type Direction = 'ascending' | 'descending'

export interface ParsedSort {
  readonly source: SortSource
  readonly direction: Direction
}

/**
 * Parses sorts on the columns of a data source.
 * @param path of the list in the request
 * @throws ServiceError `validation_error` for an unknown property, or one that cannot be sorted by
 */
export function parseSorts(schema: QuerySchema, sorts: QuerySorts, path: string): ParsedSort[] {
  return sorts.map((sort, index) => {
    const { direction } = sort
    if ('timestamp' in sort) return { direction, source: timeSource(sort.timestamp) }
    const property = findProperty(schema.columns, sort.property)
    const place = `${path}[${index}].property`
    if (property) return { direction, source: sourceOf(property, schema, place) }
    if (sort.property === 'created_time' || sort.property === 'last_edited_time')
      return { direction, source: timeSource(sort.property) }
    throw invalid(
      place,
      `should be the name or id of a property: could not find sort property with name or id ${JSON.stringify(sort.property)}`,
    )
  })
}

function timeSource(column: 'created_time' | 'last_edited_time'): SortSource {
  return { kind: column === 'created_time' ? 'creation' : 'edits' }
}

function sourceOf(property: StoredProperty, context: FilterContext, place: string): SortSource {
  const { sort } = facetsOf(property.type)
  if (sort !== 'none') return sort(property, context)
  throw invalid(place, `should be a property that can be sorted by: ${JSON.stringify(property.name)} is of type ${property.type}`)
}
