import { collationKey } from '../../../kernel/collation.ts'
import type { PropertyType } from '../properties/stored.ts'
import { isDate, type PlainValue } from '../queries/checks.ts'
import { sortValueOfDate, type SortValue } from '../queries/sort_source.ts'
import type { PayloadOf } from './property_facets.ts'

/** The payload of a value: the member that is named after its type. */
export function payloadOf(value: Payload): PayloadOf<PropertyType> {
  return value[value.type] as PayloadOf<PropertyType>
}

type Payload = { readonly type: PropertyType } & { readonly [T in PropertyType]?: unknown }

/** A key that two values share if they are equal. Dates compare by instant, but a day differs from its midnight. */
export function identityOf(value: PlainValue): unknown {
  if (!isDate(value)) return value
  return [Date.parse(value.start), value.start.length, value.end && Date.parse(value.end)]
}

/** Lists have no sort value here; the types of list values define their own. */
export function sortValueOf(value: PlainValue): SortValue {
  if (typeof value === 'string') return value === '' ? null : collationKey(value)
  if (typeof value === 'boolean') return Number(value)
  if (isDate(value)) return sortValueOfDate(value)
  return typeof value === 'number' ? value : null
}
