import type { CheckboxCondition } from '../../../generated/types.ts'
import { BOOLEAN } from '../formulas/types.ts'
import { parseCheckbox } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { AS_READ, BARE, NO_PART, WRITTEN, OWN_KEY } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'

const TRUE_WORDS = new Set(['yes', 'true', '1', 'checked'])

/** Only checked checkboxes have a stored value. */
export const checkbox: PropertyFacets<'checkbox'> = {
  config: BARE,
  value: {
    ...WRITTEN,
    write: (written) => (written === true ? true : undefined),
    present: (stored) => stored === true,
    keys: () => [{ numberKey: 1 }],
  },
  conversion: {
    toText: () => 'Yes',
    fromText: { of: 'texts', parse: (text) => (TRUE_WORDS.has(text.trim().toLowerCase()) ? true : undefined) },
    asks: 'nothing',
  },
  filter: {
    ...OWN_KEY,
    parse: ({ id }, condition: CheckboxCondition) =>
      indexedCriterion(id, parseCheckbox(condition), 'numbers', ({ values }) => values[id] === true),
  },
  sort: ({ id }) => ({ kind: 'checkbox', propertyId: id }),
  formula: { type: BOOLEAN, value: (payload) => payload, describe: 'nothing' },
  entry: { ...AS_READ, source: 'boolean', read: (payload) => payload, condition: 'checkbox' },
  view: { ...NO_PART, group: 'checkbox' },
  items: 'whole',
}
