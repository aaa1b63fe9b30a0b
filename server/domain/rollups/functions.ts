import type { RollupFunction } from '../../../generated/types.ts'
import type { ResultType } from '../formulas/types.ts'

/** What a rollup gives. */
export type RollupResult = 'number' | 'date' | 'array'

/** What the gathered property must be; `any` takes every property. */
export type RollupSource = 'any' | 'boolean' | 'number' | 'date' | 'status'

/** Every function: what it gives, and what it can gather. */
export const rollupFunctions: Readonly<Record<RollupFunction, { readonly result: RollupResult; readonly source: RollupSource }>> =
  {
    show_original: { result: 'array', source: 'any' },
    show_unique: { result: 'array', source: 'any' },
    count: { result: 'number', source: 'any' },
    count_values: { result: 'number', source: 'any' },
    unique: { result: 'number', source: 'any' },
    empty: { result: 'number', source: 'any' },
    not_empty: { result: 'number', source: 'any' },
    percent_empty: { result: 'number', source: 'any' },
    percent_not_empty: { result: 'number', source: 'any' },
    checked: { result: 'number', source: 'boolean' },
    unchecked: { result: 'number', source: 'boolean' },
    percent_checked: { result: 'number', source: 'boolean' },
    percent_unchecked: { result: 'number', source: 'boolean' },
    sum: { result: 'number', source: 'number' },
    average: { result: 'number', source: 'number' },
    median: { result: 'number', source: 'number' },
    min: { result: 'number', source: 'number' },
    max: { result: 'number', source: 'number' },
    range: { result: 'number', source: 'number' },
    earliest_date: { result: 'date', source: 'date' },
    latest_date: { result: 'date', source: 'date' },
    date_range: { result: 'date', source: 'date' },
    count_per_group: { result: 'number', source: 'status' },
    percent_per_group: { result: 'number', source: 'status' },
  }

/** Whether there is a rollup function of this name. */
export function isRollupFunction(name: string): name is RollupFunction {
  return Object.hasOwn(rollupFunctions, name)
}

/** What a gathered property counts as; undefined: as nothing that a function asks for. */
function sourceOf(propertyType: string, resultType: ResultType | undefined): RollupSource | undefined {
  if (propertyType === 'checkbox') return 'boolean'
  if (propertyType === 'number' || propertyType === 'status') return propertyType
  if (propertyType === 'date' || propertyType === 'created_time' || propertyType === 'last_edited_time') return 'date'
  return propertyType === 'formula' && resultType !== 'string' ? resultType : undefined
}

/**
 * Whether a function can gather a property. Rollups and buttons cannot be gathered at all.
 * @param resultType of a formula: undefined when it cannot be determined
 */
export function fitsRollup(rollupFunction: RollupFunction, propertyType: string, resultType?: ResultType): boolean {
  if (propertyType === 'rollup' || propertyType === 'button') return false
  const { source } = rollupFunctions[rollupFunction]
  return source === 'any' || source === sourceOf(propertyType, resultType)
}
