import type { RollupArrayEntry } from '../../../../generated/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { identityOf, payloadOf } from '../property_types/plain_values.ts'
import type { RollupFacet, PayloadOf } from '../property_types/property_facets.ts'
import type { PlainValue } from '../queries/checks.ts'

function facetOf({ type }: RollupArrayEntry): RollupFacet<PropertyType> {
  const { rollup } = facetsOf(type)
  if (rollup === 'none') throw new Error(`values of type ${type} cannot be aggregated`)
  return rollup
}

/** The value of an entry for conditions and sums. */
export function plainOf(entry: RollupArrayEntry): PlainValue {
  return facetOf(entry).toPlain(payloadOf(entry))
}

/** Splits a list value into its elements: options, people, files, related pages. Any other value is a single element. */
export function elementsOf(entry: RollupArrayEntry): RollupArrayEntry[] {
  const facet = facetOf(entry)
  const payload = payloadOf(entry)
  if (isEmpty(facet, payload)) return []
  if (facet.elements === 'whole') return [entry]
  // An element is a list with one item. The compiler cannot infer this.
  return (payload as unknown[]).map((element) => ({ type: entry.type, [entry.type]: [element] }) as RollupArrayEntry)
}

/** Whether an entry is empty: no value, empty text, an empty list, or unsupported. A checkbox is never empty. */
export function isEmptyEntry(entry: RollupArrayEntry): boolean {
  return isEmpty(facetOf(entry), payloadOf(entry))
}

function isEmpty(facet: RollupFacet<PropertyType>, payload: PayloadOf<PropertyType>): boolean {
  if (facet.isEmpty !== 'by plain value') return facet.isEmpty(payload)
  const value = facet.toPlain(payload)
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A key that two values share if they are equal. Takes list elements as `elementsOf` returns them. */
export function keyOfEntry(entry: RollupArrayEntry): string {
  const facet = facetOf(entry)
  const payload = payloadOf(entry)
  const identity = facet.identity === 'by plain value' ? identityOf(facet.toPlain(payload)) : facet.identity(payload)
  // Long texts are not escaped: no other key begins with a quotation mark.
  return typeof identity === 'string' ? `"${identity}` : JSON.stringify(identity)
}
