import type { PropertyFacets } from './property_facets.ts'
import { WITHOUT_SETTINGS, SET_BY_SERVICE, COLUMN_ONLY, NOT_CONVERTIBLE, NOT_IN_FORMULAS } from './common.ts'

/** A column that exists in schemas but has no values in rows. */
const valueless = {
  config: { ...WITHOUT_SETTINGS, isAddable: false },
  value: { ...SET_BY_SERVICE, present: 'none' },
  conversion: NOT_CONVERTIBLE,
  filter: 'none',
  sort: 'none',
  formula: NOT_IN_FORMULAS,
  rollup: 'none',
  view: COLUMN_ONLY,
  items: 'none',
} satisfies PropertyFacets<'location' | 'last_visited_time'>

export const last_visited_time: PropertyFacets<'last_visited_time'> = valueless
export const location: PropertyFacets<'location'> = { ...valueless, view: { ...COLUMN_ONLY, setting: 'place' } }
/** Rows present an empty object. */
export const button: PropertyFacets<'button'> = {
  ...valueless,
  value: { ...SET_BY_SERVICE, present: () => ({}) },
  items: 'whole',
}
