import type { DateValue } from '../../../generated/types.ts'
import type { LoadedRow } from './loaded_row.ts'
import type { StoredProperty } from '../properties/stored.ts'

/** What a row is sorted by: null where it is empty. Texts are keys of the collation. */
export type SortValue = null | number | string | readonly (number | string)[]

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
  | { readonly kind: 'value'; readonly property: StoredProperty; readonly valueOf: (row: LoadedRow) => SortValue }

export function sortValueOfDate(date: DateValue | null): SortValue {
  return date && [Date.parse(date.start), Date.parse(date.end ?? date.start)]
}

/** Where options stand in their order; those that are gone count for nothing. */
export function placesOf(ids: readonly string[], order: readonly string[]): SortValue {
  const places = ids.map((id) => order.indexOf(id)).filter((place) => place >= 0)
  return places.length === 0 ? null : places
}
