import type { RollupFunction } from '../../../generated/types.ts'
import type { ResultType } from '../formulas/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { rollupFunctions } from './functions.ts'

/**
 * Whether a function can gather a property. Rollups, and what has no value, cannot be gathered at all.
 * @param resultType of a formula: undefined when it cannot be determined
 */
export function fitsRollup(rollupFunction: RollupFunction, propertyType: PropertyType, resultType?: ResultType): boolean {
  const { entry } = facetsOf(propertyType)
  if (entry === 'none') return false
  const { source } = rollupFunctions[rollupFunction]
  return source === 'any' || source === (entry.source === 'result' ? resultType : entry.source)
}
