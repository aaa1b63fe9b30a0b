import type { StoredProperty } from '../properties/stored.ts'
import { rollupFunctions } from '../rollups/functions.ts'
import type { CheckedSchema } from './settings.ts'

/** The result type of a formula or rollup. */
export type Result = 'string' | 'number' | 'boolean' | 'date' | 'array'

/** Undefined for properties that are not computed, and for formulas whose result type depends on the value. */
export function resultOf({ query }: CheckedSchema, property: StoredProperty): Result | undefined {
  if (property.type === 'formula') return query.resultTypes.get(property.id)
  return property.type === 'rollup' ? rollupFunctions[property.function].result : undefined
}
