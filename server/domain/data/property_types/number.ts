import type { NumberCondition, NumberConfigRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { NUMBER } from '../formulas/types.ts'
import { parseNumberCondition } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import type { FilterFacet, PropertyFacets } from './property_facets.ts'

export const numbersFilter = {
  ...OWN_KEY,
  parse: ({ id }, condition: NumberCondition) =>
    indexedCriterion(id, parseNumberCondition(condition), 'numbers', ({ values }) => (values[id] ?? null) as number | null),
} satisfies FilterFacet<'number' | 'unique_id'>

export const number: PropertyFacets<'number'> = {
  config: {
    ...WITHOUT_SETTINGS,
    settings: {
      create: ({ format }: NumberConfigRequest) => ({ format: format ?? 'number' }),
      change: ({ format: before }, { format }: NumberConfigRequest) => ({ format: format ?? before }),
    },
    present: ({ format }) => ({ format }),
  },
  value: {
    ...WRITABLE,
    write(written, path) {
      if (typeof written === 'number' && !Number.isFinite(written)) throw invalid(path, 'should be a finite number')
      return written ?? undefined
    },
    present: (stored: number | undefined) => stored ?? null,
    keys: (stored: number) => [{ numberKey: stored }],
  },
  conversion: { toText: String, fromText: { of: 'texts', parse: (text) => leadingNumber(text.trim()) }, lookups: 'none' },
  filter: numbersFilter,
  sort: ({ id }) => ({ kind: 'numbers', propertyId: id }),
  formula: { type: NUMBER, value: (payload) => payload, describe: 'none' },
  rollup: { ...BY_PLAIN_VALUE, source: 'number', toPlain: (payload) => payload, condition: 'number' },
  view: { ...COLUMN_ONLY, group: 'number' },
  items: 'whole',
}

function leadingNumber(text: string): number | undefined {
  const [digits] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(text.slice(0, 400)) ?? []
  const value = digits === undefined ? NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}
