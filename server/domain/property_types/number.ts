import type { NumberCondition, NumberConfigRequest } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { NUMBER } from '../formulas/types.ts'
import { parseNumberCondition } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { AS_READ, BARE, NO_PART, WRITTEN, OWN_KEY } from './common.ts'
import type { FilterFacet, PropertyFacets } from './property_facets.ts'

export const numbersFilter = {
  ...OWN_KEY,
  parse: ({ id }, condition: NumberCondition) =>
    indexedCriterion(id, parseNumberCondition(condition), 'numbers', ({ values }) => (values[id] ?? null) as number | null),
} satisfies FilterFacet<'number' | 'unique_id'>

export const number: PropertyFacets<'number'> = {
  config: {
    ...BARE,
    settled: {
      create: ({ format = 'number' }: NumberConfigRequest) => ({ format }),
      change: ({ format: before }, { format = before }: NumberConfigRequest) => ({ format }),
    },
    present: ({ format }) => ({ format }),
  },
  value: {
    ...WRITTEN,
    write(written, path) {
      if (typeof written === 'number' && !Number.isFinite(written)) throw invalid(path, 'should be a finite number')
      return written ?? undefined
    },
    present: (stored: number | undefined) => stored ?? null,
    keys: (stored: number) => [{ numberKey: stored }],
  },
  conversion: { toText: String, fromText: { of: 'texts', parse: (text) => leadingNumber(text.trim()) }, asks: 'nothing' },
  filter: numbersFilter,
  sort: ({ id }) => ({ kind: 'numbers', propertyId: id }),
  formula: { type: NUMBER, value: (payload) => payload, describe: 'nothing' },
  entry: { ...AS_READ, source: 'number', read: (payload) => payload, condition: 'number' },
  view: { ...NO_PART, group: 'number' },
  items: 'whole',
}

function leadingNumber(text: string): number | undefined {
  const [digits] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(text.slice(0, 400)) ?? []
  const value = digits === undefined ? NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}
