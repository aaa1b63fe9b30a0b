import type { DateCondition } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { parseIsoDate } from '../formulas/dates.ts'
import { DATE } from '../formulas/types.ts'
import { parseDateCondition } from '../queries/conditions.ts'
import { timeCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, SET_BY_SERVICE, COLUMN_ONLY, NOT_CONVERTIBLE } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'

type TimeType = 'created_time' | 'last_edited_time'

function times(type: TimeType, kind: 'creation' | 'edits', calendar: 2 | 'never') {
  return {
    config: WITHOUT_SETTINGS,
    value: {
      ...SET_BY_SERVICE,
      stored: ({ block }) => (type === 'created_time' ? block.createdTime : block.lastEditedTime),
      present: (stored: number) => toTimestamp(stored),
    },
    conversion: NOT_CONVERTIBLE,
    filter: {
      keys: 'own or date',
      operands: 'others',
      parse: (_property, condition: DateCondition, place, { viewer }) =>
        timeCriterion(type, parseDateCondition(condition, place, viewer)),
    },
    sort: () => ({ kind }),
    formula: { type: DATE, value: parseIsoDate, describe: 'none' },
    // The times have the format of date values, which end with an offset.
    rollup: {
      ...BY_PLAIN_VALUE,
      source: 'date',
      toPlain: (timestamp) => ({ start: timestamp.replace('Z', '+00:00'), end: null, time_zone: null }),
      condition: 'date',
      sort: (timestamp) => Date.parse(timestamp),
    },
    view: { ...COLUMN_ONLY, setting: 'date', group: type, defaults: { ...COLUMN_ONLY.defaults, calendar } },
    items: 'whole',
  } satisfies PropertyFacets<TimeType>
}

export const created_time: PropertyFacets<'created_time'> = times('created_time', 'creation', 2)
export const last_edited_time: PropertyFacets<'last_edited_time'> = times('last_edited_time', 'edits', 'never')
