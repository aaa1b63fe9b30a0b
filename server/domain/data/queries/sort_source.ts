import type { DateValue } from '../../../../generated/types.ts'
import type { LoadedRow } from './loaded_row.ts'
import type { StoredProperty } from '../properties/stored.ts'

/** The value by which a row is sorted; null if it is empty. Texts are collation keys. */
export type SortValue = null | number | string | readonly (number | string)[]

/** The source of the values by which rows are sorted. */
export type SortSource =
  /** Index keys, in their own order. */
  | { readonly kind: 'numbers' | 'dates' | 'texts'; readonly propertyId: string }
  /** A single option; `order` lists the option ids. */
  | { readonly kind: 'options'; readonly propertyId: string; readonly order: readonly string[] }
  | { readonly kind: 'checkbox'; readonly propertyId: string }
  | { readonly kind: 'verification'; readonly propertyId: string }
  | { readonly kind: 'creation' | 'edits' }
  /** The name of the first person, or the title of the first page, that the row refers to. */
  | { readonly kind: 'people' | 'pages'; readonly propertyId: string }
  | { readonly kind: 'author'; readonly column: 'created_by' | 'last_edited_by' }
  /** Values that are not in the index: lists of options, formulas, rollups. */
  | { readonly kind: 'value'; readonly property: StoredProperty; readonly valueOf: (row: LoadedRow) => SortValue }

export function sortValueOfDate(date: DateValue | null): SortValue {
  return date && [Date.parse(date.start), Date.parse(date.end ?? date.start)]
}

/** The positions of options in the order of sorts. Options that no longer exist are ignored. */
export function locationsOf(ids: readonly string[], order: readonly string[]): SortValue {
  const places = ids.map((id) => order.indexOf(id)).filter((place) => place >= 0)
  return places.length === 0 ? null : places
}
