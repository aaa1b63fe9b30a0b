import type { RollupFunction } from '../../../../generated/types.ts'

/** The kind of property that a function aggregates; `any` accepts every property. */
export type RollupSource = 'any' | 'boolean' | 'number' | 'date' | 'status'

/** A function: its result type, the properties it can aggregate, and whether its result appears in a page's property items. */
interface RollupDefinition {
  readonly result: 'number' | 'date' | 'array'
  readonly source: RollupSource
  readonly itemized: boolean
}

export const rollupFunctions: Readonly<Record<RollupFunction, RollupDefinition>> = {
  show_original: { result: 'array', source: 'any', itemized: true },
  show_unique: { result: 'array', source: 'any', itemized: false },
  count: { result: 'number', source: 'any', itemized: true },
  count_values: { result: 'number', source: 'any', itemized: true },
  unique: { result: 'number', source: 'any', itemized: false },
  empty: { result: 'number', source: 'any', itemized: true },
  not_empty: { result: 'number', source: 'any', itemized: true },
  percent_empty: { result: 'number', source: 'any', itemized: true },
  percent_not_empty: { result: 'number', source: 'any', itemized: true },
  checked: { result: 'number', source: 'boolean', itemized: true },
  unchecked: { result: 'number', source: 'boolean', itemized: true },
  percent_checked: { result: 'number', source: 'boolean', itemized: true },
  percent_unchecked: { result: 'number', source: 'boolean', itemized: true },
  sum: { result: 'number', source: 'number', itemized: true },
  average: { result: 'number', source: 'number', itemized: true },
  median: { result: 'number', source: 'number', itemized: false },
  min: { result: 'number', source: 'number', itemized: true },
  max: { result: 'number', source: 'number', itemized: true },
  range: { result: 'number', source: 'number', itemized: true },
  earliest_date: { result: 'date', source: 'date', itemized: true },
  latest_date: { result: 'date', source: 'date', itemized: true },
  date_range: { result: 'date', source: 'date', itemized: true },
  count_per_group: { result: 'number', source: 'status', itemized: false },
  percent_per_group: { result: 'number', source: 'status', itemized: false },
}
