import type { DateCondition, DateValue, DateValueRequest } from '../../../../generated/types.ts'
import { parseDateForm } from '../../shared/index.ts'
import { dateOfValue } from '../formulas/dates.ts'
import { DATE } from '../formulas/types.ts'
import { parseDateCondition } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'
import { textOfDate } from './text_of_date.ts'

export const date: PropertyFacets<'date'> = {
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write: (written: DateValueRequest | null, path) => (written === null ? undefined : parseDateForm(written, path)),
    present: (stored: DateValue | undefined) => stored ?? null,
    keys({ start, end }: DateValue) {
      const time = Date.parse(start)
      return [{ numberKey: time, endKey: end === null ? time : Date.parse(end) }]
    },
  },
  conversion: { toText: textOfDate, fromText: { of: 'texts', parse: (text) => dateIn(text.trim()) }, lookups: 'none' },
  filter: {
    ...OWN_KEY,
    parse(property, condition: DateCondition, place, { viewer }) {
      const check = parseDateCondition(condition, place, viewer)
      return indexedCriterion(property.id, check, 'dates', ({ values }) => (values[property.id] ?? null) as DateValue | null)
    },
  },
  sort: ({ id }) => ({ kind: 'dates', propertyId: id }),
  formula: { type: DATE, value: (payload) => payload && dateOfValue(payload), describe: 'none' },
  rollup: { ...BY_PLAIN_VALUE, source: 'date', toPlain: (payload) => payload, condition: 'date' },
  view: { ...COLUMN_ONLY, setting: 'date', group: 'date', defaults: { ...COLUMN_ONLY.defaults, calendar: 1 } },
  items: 'whole',
}

function dateIn(text: string): DateValue | undefined {
  const [start = '', end] = text.split(' → ', 2)
  try {
    return start === '' ? undefined : parseDateForm({ start, end: end ?? null }, '')
  } catch {
    return undefined
  }
}
