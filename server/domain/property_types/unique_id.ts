import type { UniqueIdConfigRequest } from '../../../generated/types.ts'
import { TEXT } from '../formulas/types.ts'
import { AS_READ, BARE, MADE, NO_PART } from './common.ts'
import { numbersFilter } from './number.ts'
import type { PropertyFacets } from './property_facets.ts'

/** The service numbers the rows. The number is stored in the row and the prefix in the schema. */
export const unique_id: PropertyFacets<'unique_id'> = {
  config: {
    ...BARE,
    count: 'at most one',
    settled: {
      create: ({ prefix }: UniqueIdConfigRequest) => ({ prefix: prefix?.toUpperCase() ?? null }),
      change: ({ prefix: before }, { prefix = before }: UniqueIdConfigRequest) => ({ prefix: prefix?.toUpperCase() ?? null }),
    },
    present: ({ prefix }) => ({ prefix }),
  },
  value: {
    ...MADE,
    initial: 'number',
    present: (stored: number | undefined, { prefix }) => ({ prefix, number: stored ?? null }),
    keys: (stored: number) => [{ numberKey: stored }],
  },
  conversion: { toText: (stored: number, { prefix }) => textOf(prefix, stored), fromText: 'none', asks: 'nothing' },
  filter: numbersFilter,
  sort: ({ id }) => ({ kind: 'numbers', propertyId: id }),
  formula: {
    type: TEXT,
    value: ({ prefix, number }) => (number === null ? '' : textOf(prefix, number)),
    describe: 'nothing',
  },
  entry: { ...AS_READ, source: 'nothing', read: ({ number }) => number, condition: 'number' },
  view: NO_PART,
  items: 'whole',
}

function textOf(prefix: string | null, number: number): string {
  return prefix === null ? String(number) : `${prefix}-${number}`
}
