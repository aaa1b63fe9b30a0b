import type { UniqueIdConfigRequest } from '../../../../generated/types.ts'
import { TEXT } from '../formulas/types.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, SET_BY_SERVICE, COLUMN_ONLY } from './common.ts'
import { numbersFilter } from './number.ts'
import type { PropertyFacets } from './property_facets.ts'

/** The service numbers the rows. The number is stored in the row and the prefix in the schema. */
export const unique_id: PropertyFacets<'unique_id'> = {
  config: {
    ...WITHOUT_SETTINGS,
    count: 'at most one',
    settings: {
      create: ({ prefix }: UniqueIdConfigRequest) => ({ prefix: prefix?.toUpperCase() || null }),
      change: ({ prefix: before }, { prefix = before }: UniqueIdConfigRequest) => ({ prefix: prefix?.toUpperCase() || null }),
    },
    present: ({ prefix }) => ({ prefix }),
  },
  value: {
    ...SET_BY_SERVICE,
    initial: 'number',
    present: (stored: number | undefined, { prefix }) => ({ prefix, number: stored ?? null }),
    keys: (stored: number) => [{ numberKey: stored }],
  },
  conversion: { toText: (stored: number, { prefix }) => textOf(prefix, stored), fromText: 'none', lookups: 'none' },
  filter: numbersFilter,
  sort: ({ id }) => ({ kind: 'numbers', propertyId: id }),
  formula: {
    type: TEXT,
    value: ({ prefix, number }) => (number === null ? '' : textOf(prefix, number)),
    describe: 'none',
  },
  rollup: { ...BY_PLAIN_VALUE, source: 'none', toPlain: ({ number }) => number, condition: 'number' },
  view: COLUMN_ONLY,
  items: 'whole',
}

function textOf(prefix: string | null, number: number): string {
  return prefix === null ? String(number) : `${prefix}-${number}`
}
