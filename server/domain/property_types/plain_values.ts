import type { RollupArrayEntry } from '../../../generated/types.ts'
import { collationKey } from '../../kernel/collation.ts'
import type { PropertyType } from '../properties/stored.ts'
import type { PlainValue } from '../queries/checks.ts'
import { sortValueOfDate, type SortValue } from '../queries/sort_source.ts'
import type { PayloadOf } from './property_facets.ts'

/** What stands under the key named by the type. */
export function payloadOf(value: { readonly type: PropertyType }): PayloadOf<PropertyType> {
  return Reflect.get(value, value.type) as PayloadOf<RollupArrayEntry['type']>
}

/** What equal values share: dates by their instants, a day apart from its midnight. */
export function identityOf(value: PlainValue): unknown {
  if (typeof value !== 'object' || value === null || !('start' in value)) return value
  return [Date.parse(value.start), value.start.length, value.end && Date.parse(value.end)]
}

/** A list sorts as nothing: those of its elements know how. */
export function sortValueOf(value: PlainValue): SortValue {
  if (typeof value === 'string') return value === '' ? null : collationKey(value)
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'object') return value
  return value !== null && 'start' in value ? sortValueOfDate(value) : null
}
