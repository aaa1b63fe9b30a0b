import type { StoredProperty } from '../properties/stored.ts'
import { rollupFunctions } from '../rollups/index.ts'
import type { CheckedSchema } from './settings.ts'

/** What a formula or a rollup gives. */
export type Result = 'string' | 'number' | 'boolean' | 'date' | 'array'

/** Undefined for a property that holds its values itself, and for a formula of which no one can tell before there is a value. */
export function resultOf({ query }: CheckedSchema, property: StoredProperty): Result | undefined {
  if (property.type === 'formula') return query.resultTypes.get(property.id)
  return property.type === 'rollup' ? rollupFunctions[property.function].result : undefined
}
