import type { DateValue, RollupArrayEntry } from '../../../generated/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { identityOf, payloadOf } from '../property_types/plain_values.ts'
import type { EntryFacet } from '../property_types/property_facets.ts'
import type { PlainValue } from '../queries/checks.ts'

function facetOf({ type }: RollupArrayEntry): EntryFacet<PropertyType> {
  const { entry } = facetsOf(type)
  if (entry === 'none') throw new Error(`values of type ${type} are not gathered`)
  return entry
}

/** What an entry is to conditions and sums. */
export function plainOf(entry: RollupArrayEntry): PlainValue {
  return facetOf(entry).read(payloadOf(entry))
}

/** One element of a value that is a list: an option, a person, a file, a related page. Other values are their only element. */
export function elementsOf(entry: RollupArrayEntry): RollupArrayEntry[] {
  if (isEmptyEntry(entry)) return []
  if (facetOf(entry).elements === 'whole') return [entry]
  // An element is a list of one, which the compiler cannot follow.
  return (payloadOf(entry) as unknown[]).map((element) => ({ type: entry.type, [entry.type]: [element] }) as RollupArrayEntry)
}

/** No value, empty text, an empty list. A checkbox is never empty; what is unsupported counts as empty. */
export function isEmptyEntry(entry: RollupArrayEntry): boolean {
  const { isEmpty } = facetOf(entry)
  if (isEmpty !== 'as read') return isEmpty(payloadOf(entry))
  const value = plainOf(entry)
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A text that equal values share. Of an element of a list, as `elementsOf` gives them. */
export function keyOfEntry(entry: RollupArrayEntry): string {
  const { identity } = facetOf(entry)
  return JSON.stringify(identity === 'as read' ? identityOf(plainOf(entry)) : identity(payloadOf(entry)))
}

/** The number of a number, or of a formula that gives one. */
export function numberIn(entry: RollupArrayEntry): number | null {
  const value = plainOf(entry)
  return typeof value === 'number' ? value : null
}

/** True or false of a checkbox, or of a formula that gives one. */
export function booleanIn(entry: RollupArrayEntry): boolean | null {
  const value = plainOf(entry)
  return typeof value === 'boolean' ? value : null
}

/** The date of a date, of a time of the row, or of a formula that gives one. */
export function dateIn(entry: RollupArrayEntry): DateValue | null {
  const value = plainOf(entry)
  return typeof value === 'object' && value !== null && 'start' in value ? value : null
}
