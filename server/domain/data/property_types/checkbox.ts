import type { CheckboxCondition } from '../../../../generated/types.ts'
import { BOOLEAN } from '../formulas/types.ts'
import { parseCheckbox } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'

const TRUE_WORDS = new Set(['yes', 'true', '1', 'checked'])

/** Only checked checkboxes have a stored value. */
export const checkbox: PropertyFacets<'checkbox'> = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write: (written) => (written === true ? true : undefined),
    present: (stored) => stored === true,
    keys: () => [{ numberKey: 1 }],
  },
  conversion: {
    toText: () => 'Yes',
    fromText: { of: 'texts', parse: (text) => (TRUE_WORDS.has(text.trim().toLowerCase()) ? true : undefined) },
    lookups: 'none',
  },
  filter: {
    ...OWN_KEY,
    parse: ({ id }, condition: CheckboxCondition) =>
      indexedCriterion(id, parseCheckbox(condition), 'numbers', ({ values }) => values[id] === true),
  },
  sort: ({ id }) => ({ kind: 'checkbox', propertyId: id }),
  formula: { type: BOOLEAN, value: (payload) => payload, describe: 'none' },
  rollup: { ...BY_PLAIN_VALUE, source: 'boolean', toPlain: (payload) => payload, condition: 'checkbox' },
  view: { ...COLUMN_ONLY, group: 'checkbox' },
  items: 'whole',
}
