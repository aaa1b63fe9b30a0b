import type { RollupFunction } from '../../../generated/types.ts'
import type { ResultType } from '../formulas/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { rollupFunctions } from './functions.ts'

/**
 * Whether a function can aggregate a property. Rollups and types without values cannot be aggregated at all.
 * @param resultType the result type of a formula; undefined if it cannot be determined
 */
export function fitsRollup(rollupFunction: RollupFunction, propertyType: PropertyType, resultType?: ResultType): boolean {
  const { rollup } = facetsOf(propertyType)
  if (rollup === 'none') return false
  const { source } = rollupFunctions[rollupFunction]
  return source === 'any' || source === (rollup.source === 'by result type' ? resultType : rollup.source)
}
