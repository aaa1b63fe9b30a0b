import type { DateValue, FormulaValue, RollupArrayEntry, RollupValue } from '../../../generated/types.ts'
import { collationKey, compareCodePoints } from '../../kernel/collation.ts'
import type { SortColumn } from '../../store/row_scans.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { idsOfElement, isCheckedElement, numberOfElement, textOfElement, timeOfElement } from './computed_criteria.ts'
import type { LoadedRow } from './loaded_rows.ts'
import { optionOrder, type SortKey, type SortSource } from './sorts.ts'

/** What a row is sorted by: null where it is empty. Texts are keys of the collation. */
export type SortValue = null | number | string | readonly (number | string)[]

/** A row with its place in the order. */
export interface PlacedRow {
  readonly id: string
  readonly created: number
  readonly values: readonly SortValue[]
}

/** The promised order: the sorts, with empty values last in either direction; then the newest first; then the id. */
export function comparePlaces(sorts: readonly SortKey[], one: PlacedRow, other: PlacedRow): number {
  for (const [index, { direction }] of sorts.entries()) {
    const order = compareSorted(one.values[index] ?? null, other.values[index] ?? null, direction)
    if (order !== 0) return order
  }
  return other.created - one.created || (one.id < other.id ? -1 : Number(one.id > other.id))
}

export function compareSorted(a: SortValue, b: SortValue, direction: SortKey['direction']): number {
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

/** The columns of the store that a value is made of. */
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

/** Names behind ids that rows are sorted by, as keys of the collation. */
export type NameKeys = ReadonlyMap<string, string>

/** @param columns what the store gave for `columnsOf` */
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

/** The value of a property that the row itself has to be asked for. */
export function valueOfRow(row: LoadedRow, property: StoredProperty, gathered: StoredProperty | undefined): SortValue {
  if (property.type === 'formula') return valueOfFormula(row.computed.get(property.id) as FormulaValue)
  if (property.type === 'rollup') return valueOfRollup(row.computed.get(property.id) as RollupValue, gathered)
  const order = optionOrder(property)
  const places = ((row.values[property.id] ?? []) as readonly string[])
    .map((id) => order.indexOf(id))
    .filter((place) => place >= 0)
  return places.length === 0 ? null : places
}

function valueOfFormula(value: FormulaValue): SortValue {
  switch (value.type) {
    case 'string':
      return value.string ? collationKey(value.string) : null
    case 'number':
      return value.number
    case 'boolean':
      return value.boolean === null ? null : Number(value.boolean)
    case 'date':
      return valueOfDate(value.date)
    case 'unsupported':
      return null
  }
}

function valueOfDate(date: DateValue | null): SortValue {
  return date && [Date.parse(date.start), Date.parse(date.end ?? date.start)]
}

function valueOfRollup(value: RollupValue, gathered: StoredProperty | undefined): SortValue {
  switch (value.type) {
    case 'number':
      return value.number
    case 'date':
      return valueOfDate(value.date)
    case 'array':
      return value.array[0] === undefined ? null : valueOfElement(value.array[0], gathered)
    case 'unsupported':
      return null
  }
}

function valueOfElement(element: RollupArrayEntry, gathered: StoredProperty | undefined): SortValue {
  switch (element.type) {
    case 'formula':
      return valueOfFormula(element.formula)
    case 'number':
    case 'unique_id':
      return numberOfElement(element)
    case 'checkbox':
      return Number(isCheckedElement(element))
    case 'date':
      return valueOfDate(element.date)
    case 'created_time':
    case 'last_edited_time':
      return timeOfElement(element)
    case 'select':
    case 'status':
    case 'multi_select': {
      const order = gathered ? optionOrder(gathered) : []
      const places = idsOfElement(element).map((id) => order.indexOf(id))
      return places.length === 0 ? null : places
    }
    case 'people':
      return nameKey(element.people[0])
    case 'created_by':
      return nameKey(element.created_by)
    case 'last_edited_by':
      return nameKey(element.last_edited_by)
    case 'files':
      return element.files[0] ? collationKey(element.files[0].name) : null
    case 'verification':
      return ['unverified', 'expired', 'verified'].indexOf(element.verification?.state ?? 'unverified')
    default: {
      const text = textOfElement(element)
      return text === '' ? null : collationKey(text)
    }
  }
}

function nameKey(person: object | undefined): SortValue {
  if (person === undefined) return null
  const name: unknown = 'name' in person ? person.name : undefined
  return collationKey(typeof name === 'string' ? name : '')
}
