import type { PropertyFacets } from './property_facets.ts'
import { BARE, MADE, NO_PART, UNCONVERTED, UNREAD } from './common.ts'

/** A column that exists in schemas but has no values in rows. */
const bare = {
  config: { ...BARE, comes: 'with the data source' },
  value: { ...MADE, present: 'none' },
  conversion: UNCONVERTED,
  filter: 'none',
  sort: 'none',
  formula: UNREAD,
  entry: 'none',
  view: NO_PART,
  items: 'none',
} satisfies PropertyFacets<'location' | 'last_visited_time'>

export const last_visited_time: PropertyFacets<'last_visited_time'> = bare
export const location: PropertyFacets<'location'> = { ...bare, view: { ...NO_PART, part: 'place' } }
/** Rows present an empty object. */
export const button: PropertyFacets<'button'> = { ...bare, value: { ...MADE, present: () => ({}) }, items: 'whole' }
