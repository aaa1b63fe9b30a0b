import type { QuerySorts } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { findProperty, hasOptions, type StoredProperty } from '../properties/stored.ts'
import type { QuerySchema } from './schema.ts'

type Direction = 'ascending' | 'descending'

/** Where the values that rows are sorted by come from. */
export type SortSource =
  /** Keys of the index, in their order. */
  | { readonly kind: 'numbers' | 'dates' | 'texts'; readonly propertyId: string }
  /** One option: ids in their order. */
  | { readonly kind: 'options'; readonly propertyId: string; readonly order: readonly string[] }
  | { readonly kind: 'checkbox'; readonly propertyId: string }
  | { readonly kind: 'verification'; readonly propertyId: string }
  | { readonly kind: 'creation' | 'edits' }
  /** Names of people, or titles of pages, that the row names first. */
  | { readonly kind: 'people' | 'pages'; readonly propertyId: string }
  | { readonly kind: 'author'; readonly column: 'created_by' | 'last_edited_by' }
  /** What only the row itself has: several options, formulas, rollups. */
  | { readonly kind: 'value'; readonly property: StoredProperty }

export interface SortKey {
  readonly source: SortSource
  readonly direction: Direction
}

/**
 * Reads sorts against the columns of a data source.
 * @param path where the list stands in the request
 * @throws ServiceError `validation_error` for an unknown property, or one that cannot be sorted by
 */
export function parseSorts({ columns }: QuerySchema, sorts: QuerySorts, path: string): SortKey[] {
  return sorts.map((sort, index) => {
    const { direction } = sort
    if ('timestamp' in sort) return { direction, source: timeSource(sort.timestamp) }
    const property = findProperty(columns, sort.property)
    const place = `${path}[${index}].property`
    if (property) return { direction, source: sourceOf(property, place) }
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

function sourceOf(property: StoredProperty, place: string): SortSource {
  const propertyId = property.id
  switch (property.type) {
    case 'title':
    case 'rich_text':
    case 'url':
    case 'email':
    case 'phone_number':
    case 'place':
    case 'files':
      return { kind: 'texts', propertyId }
    case 'number':
    case 'unique_id':
      return { kind: 'numbers', propertyId }
    case 'date':
      return { kind: 'dates', propertyId }
    case 'checkbox':
    case 'verification':
      return { kind: property.type, propertyId }
    case 'select':
    case 'status':
      return { kind: 'options', propertyId, order: optionOrder(property) }
    case 'people':
      return { kind: 'people', propertyId }
    case 'relation':
      return { kind: 'pages', propertyId }
    case 'created_time':
    case 'last_edited_time':
      return timeSource(property.type)
    case 'created_by':
    case 'last_edited_by':
      return { kind: 'author', column: property.type }
    case 'multi_select':
    case 'formula':
    case 'rollup':
      return { kind: 'value', property }
    default:
      throw invalid(
        place,
        `should be a property that can be sorted by: ${JSON.stringify(property.name)} is of type ${property.type}`,
      )
  }
}

/** Ids of options in the order of the schema; of a status group by group. */
export function optionOrder(property: StoredProperty): string[] {
  if (!hasOptions(property)) return []
  const ids = property.options.map(({ id }) => id)
  if (property.type !== 'status') return ids
  return [...new Set([...property.groups.flatMap((group) => group.option_ids.filter((id) => ids.includes(id))), ...ids])]
}
