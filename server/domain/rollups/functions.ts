import type { RollupFunction } from '../../../generated/types.ts'

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
