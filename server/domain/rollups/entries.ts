import type { RollupArrayEntry } from '../../../generated/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { identityOf, payloadOf } from '../property_types/plain_values.ts'
import type { EntryFacet, PayloadOf } from '../property_types/property_facets.ts'
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
  const facet = facetOf(entry)
  const payload = payloadOf(entry)
  if (isEmpty(facet, payload)) return []
  if (facet.elements === 'whole') return [entry]
  // An element is a list of one, which the compiler cannot follow.
  return (payload as unknown[]).map((element) => ({ type: entry.type, [entry.type]: [element] }) as RollupArrayEntry)
}

/** No value, empty text, an empty list. A checkbox is never empty; what is unsupported counts as empty. */
export function isEmptyEntry(entry: RollupArrayEntry): boolean {
  return isEmpty(facetOf(entry), payloadOf(entry))
}

function isEmpty(facet: EntryFacet<PropertyType>, payload: PayloadOf<PropertyType>): boolean {
  if (facet.isEmpty !== 'as read') return facet.isEmpty(payload)
  const value = facet.read(payload)
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A text that equal values share. Of an element of a list, as `elementsOf` gives them. */
export function keyOfEntry(entry: RollupArrayEntry): string {
  const facet = facetOf(entry)
  const payload = payloadOf(entry)
  return JSON.stringify(facet.identity === 'as read' ? identityOf(facet.read(payload)) : facet.identity(payload))
}
