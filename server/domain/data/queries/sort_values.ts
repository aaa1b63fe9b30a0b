import { collationKey, compareCodePoints } from '../../../kernel/collation.ts'
import type { SortColumn } from '../../../store/row_scans.ts'
import type { SortSource, SortValue } from './sort_source.ts'
import type { ParsedSort } from './sorts.ts'

/** A row with the values that determine its place in the order. */
export interface PlacedRow {
  readonly id: string
  readonly created: number
  readonly values: readonly SortValue[]
}

/** The order of query results: by the sorts, with empty values last in either direction; then newest first; then by id. */
export function comparePlaces(sorts: readonly ParsedSort[], one: PlacedRow, other: PlacedRow): number {
  for (const [index, { direction }] of sorts.entries()) {
    const order = compareSorted(one.values[index] ?? null, other.values[index] ?? null, direction)
    if (order !== 0) return order
  }
  return other.created - one.created || (one.id < other.id ? -1 : Number(one.id > other.id))
}

export function compareSorted(a: SortValue, b: SortValue, direction: ParsedSort['direction']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = compareValues(a, b)
  return direction === 'ascending' ? order : -order
}

function compareValues(a: Exclude<SortValue, null>, b: Exclude<SortValue, null>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  if (typeof a === 'object' && typeof b === 'object') {
    for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
      const order = compareValues(a[index] ?? 0, b[index] ?? 0)
      if (order !== 0) return order
    }
    return a.length - b.length
  }
  return typeof a < typeof b ? -1 : 1
}

/** The stored columns from which a sort value is computed. */
export function columnsOf(source: SortSource): SortColumn[] {
  switch (source.kind) {
    case 'numbers':
    case 'checkbox':
    case 'verification':
      return [{ propertyId: source.propertyId, column: 'number_key' }]
    case 'dates':
      return (['number_key', 'end_key'] as const).map((column) => ({ propertyId: source.propertyId, column }))
    case 'texts':
    case 'options':
    case 'people':
    case 'pages':
      return [{ propertyId: source.propertyId, column: 'text_key' }]
    case 'edits':
      return [{ column: 'last_edited_time' }]
    case 'author':
      return [{ column: source.column }]
    case 'creation':
    case 'value':
      return []
  }
}

/** Collation keys of names by id, for rows that are sorted by names. */
type NameKeys = ReadonlyMap<string, string>

/** @param columns the stored values of `columnsOf` */
export function valueOfColumns(
  source: SortSource,
  columns: readonly (number | string | null)[],
  created: number,
  names: NameKeys,
  now: number,
): SortValue {
  const [first = null, second = null] = columns
  switch (source.kind) {
    case 'numbers':
    case 'texts':
    case 'edits':
      return first
    case 'dates':
      return first === null ? null : [first, second ?? first]
    case 'checkbox':
      return first === null ? 0 : 1
    case 'verification':
      return first === null ? 0 : Number(first) <= now ? 1 : 2
    case 'options': {
      const place = source.order.indexOf(String(first))
      return place === -1 ? null : place
    }
    case 'people':
    case 'pages':
    case 'author':
      return first === null ? null : (names.get(String(first)) ?? collationKey(''))
    case 'creation':
      return created
    case 'value':
      return null
  }
}
