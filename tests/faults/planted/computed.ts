import { faultsIn, type Fault } from '../fault.ts'

const rollups = ['rollups/roll_up.test.ts']
const rows = ['operations/data_sources/updateDataSource.relations.test.ts', 'operations/pages/updatePage.row_corners.test.ts']

/** Rollups, formulas, and the related rows that they read. */
export const computed: readonly Fault[] = [
  ...faultsIn('domain/data/rows/computed_row.ts', rows, [
    [
      'a rollup sees the first hundred related rows',
      'const ids = links.more ? this.#links.get(key) : links.ids',
      'const ids = links.more && !key ? this.#links.get(key) : links.ids',
    ],
    [
      'rows of a data source in the trash count',
      ' && !block.inTrash && !this.reach.sources.get(block.parentId)?.inTrash',
      ' && !block.inTrash',
    ],
    [
      'rows that the caller does not see count',
      'const visible = await visibleAmong(db, actor, ids)',
      'const visible = ids.length < 0 ? await visibleAmong(db, actor, ids) : new Set(ids)',
    ],
    [
      'the first group of a status counts as complete',
      "rolled.type === 'status' ? rolled.groups.at(-1)?.option_ids",
      "rolled.type === 'status' ? rolled.groups.at(0)?.option_ids",
    ],
    [
      'a rollup whose property has another type still gives a value',
      '    if (!fitsRollup(column.function, rolled.type, result)) return unsupportedRollup(column.function)\n',
      '',
    ],
  ]),
  ...faultsIn('domain/data/rollups/roll_up.ts', rollups, [
    [
      'the latest date ignores ends of ranges',
      'dates.map(({ start, end }) => end ?? start)',
      'dates.map(({ start, end: _end }) => start)',
    ],
    [
      'a range from a day to a time has no times',
      'isMoment(earliest) || isMoment(latest)',
      'isMoment(earliest) && isMoment(latest)',
    ],
    ['an average returns the median', 'AGGREGATES.mean(numbersIn(entries))', 'AGGREGATES.median(numbersIn(entries))'],
    [
      'a percentage of no rows is zero',
      'entries.length === 0 ? null : count(entries, test) / entries.length',
      'entries.length === 0 ? 0 : count(entries, test) / entries.length',
    ],
    ['a sum that overflows is infinite', 'value !== null && Number.isFinite(value) ? value : null', 'value'],
    ['an empty checkbox counts as not checked', 'plainOf(entry) === false', 'plainOf(entry) !== true'],
  ]),
  ...faultsIn(
    'domain/data/formulas/dates.ts',
    ['formulas/date.test.ts'],
    [
      [
        'months between dates with different offsets use both calendars',
        'const to = localFields({ ...a, offsetMinutes: b.offsetMinutes })',
        'const to = localFields(a)',
      ],
      [
        'a full month is not counted',
        'if (months > 0 && reached > a.milliseconds)',
        'if (months > 0 && reached >= a.milliseconds)',
      ],
      [
        'negative months are counted one too many',
        'return months < 0 && reached < a.milliseconds ? months + 1 : months',
        'return months',
      ],
      [
        'months are added in UTC',
        'const local = localFields(moment)\n  const day',
        'const local = new Date(moment.milliseconds + 0 * moment.offsetMinutes)\n  const day',
      ],
      ['adding to a range moves its start only', 'date.end === null ? null : moveMoment(date.end, count, unit.of)', 'date.end'],
      [
        'half units are rounded up',
        'const count = Math.trunc(amount) * unit.count',
        'const count = Math.round(amount) * unit.count',
      ],
      ['negative offsets lose their minutes', "(hours.startsWith('-') ? -Number(minutes) : Number(minutes))", 'Number(minutes)'],
      [
        'adding hours to a day gives no time',
        "hasTime: date.hasTime || unit.of === 'minutes', start, end",
        'hasTime: date.hasTime, start, end',
      ],
      [
        'the first week of a year belongs to the previous year',
        'const thursday = day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY',
        'const thursday = day.getTime() + (3 - (day.getUTCDay() || 7)) * DAY',
      ],
      ['a range may end before it starts', '  if (end.milliseconds < a.start.milliseconds) return null\n', ''],
      ['the year 9999 ends a day early', 'Date.UTC(10_000, 0, 1) - 1\n', 'Date.UTC(10_000, 0, 1) - DAY\n'],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/values.ts',
    ['formulas/syntax.test.ts', 'formulas/list.test.ts', 'formulas/laws.test.ts'],
    [
      [
        'ranges of one start are equal',
        'return `d${value.start.milliseconds}/${endOf(value).milliseconds};`',
        'return `d${value.start.milliseconds};`',
      ],
      [
        'a list equals its prefix',
        'return isList(b) && a.length === b.length && a.every(',
        'return isList(b) && a.length <= b.length && a.every(',
      ],
      [
        'empty values come first',
        'return Number(a === null) - Number(b === null)',
        'return Number(b === null) - Number(a === null)',
      ],
      ['texts sort by UTF-16 units', 'return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit', 'return unit'],
      ['an empty list counts as true', 'value === false || (isList(value) && value.length === 0)', 'value === false'],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/special_forms.ts',
    ['formulas/general.test.ts', 'formulas/list.test.ts', 'formulas/syntax.test.ts'],
    [
      [
        '`and` evaluates arguments after the result is known',
        'codes.every(test(frame)) :',
        'codes.map(test(frame)).every(Boolean) :',
      ],
      [
        'a later name of `lets` does not see the earlier',
        'const value = check(expression, inner)',
        'const value = check(expression, scope)',
      ],
      ['`find` counts positions from one', 'frame.slots[index] = position\n', 'frame.slots[index] = position + 1\n'],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/functions/number.ts',
    ['formulas/number.test.ts', 'formulas/laws.test.ts'],
    [
      [
        'negative halves are rounded down',
        'return shift(Math.round(shifted), -count)',
        'return shift(Math.sign(shifted) * Math.round(Math.abs(shifted)), -count)',
      ],
      [
        'the mean of an empty list is zero',
        '(values.length === 0 ? null : sum(values) / values.length)',
        'sum(values) / Math.max(1, values.length)',
      ],
      [
        'texts in a list of numbers are ignored',
        'return onlyNumbers.length === present.length ? aggregate(onlyNumbers) : null',
        'return aggregate(onlyNumbers)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/functions/text.ts',
    ['formulas/text.test.ts'],
    [
      ['`replace` replaces all', 'replacing(1)', 'replacing(Infinity)'],
      ['padding counts UTF-16 units', 'lengthOfText(textAt(values, 0), budget)\n  if', 'textAt(values, 0).length\n  if'],
    ],
  ),
  ...faultsIn(
    'domain/data/formulas/evaluate.ts',
    ['formulas/general.test.ts', 'formulas/text.test.ts'],
    [['an empty text counts as a value', 'formatValue(value, new Budget()) || null', 'formatValue(value, new Budget())']],
  ),
  ...faultsIn('domain/data/property_types/plain_values.ts', rollups, [
    [
      'a day is the same as its midnight',
      'return [Date.parse(value.start), value.start.length, value.end',
      'return [Date.parse(value.start), value.end',
    ],
  ]),
  ...faultsIn('domain/data/property_types/verification.ts', rollups, [
    ['a removed verification counts', "payload === null || payload.state === 'unverified' ? null", 'payload === null ? null'],
  ]),
  ...faultsIn('domain/data/property_types/formula.ts', rollups, [
    ['a formula with the result zero counts as empty', ' return result.number\n', ' return result.number || null\n'],
  ]),
  ...faultsIn('domain/data/property_types/times.ts', rollups, [
    [
      'last_edited_time is not a date in formulas',
      "      source: 'date',\n",
      "      source: type === 'last_edited_time' ? 'nothing' : 'date',\n",
    ],
  ]),
  ...faultsIn(
    'domain/data/property_types/unique_id.ts',
    ['operations/pages/updatePage.row_corners.test.ts'],
    [
      [
        'a unique id has no prefix in formulas',
        'prefix === null ? String(number) : `${prefix}-${number}`',
        'prefix === null ? String(number) : String(number)',
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/valueless.ts', rollups, [
    [
      'buttons can be aggregated',
      "  rollup: 'none',\n",
      "  rollup: { source: 'none', toPlain: () => null, isEmpty: 'by plain value', identity: 'by plain value', elements: 'whole', condition: 'none', sort: 'by plain value' },\n",
    ],
  ]),
  ...faultsIn('domain/data/rollups/entries.ts', rollups, [
    ['empty values are counted among the elements', '  if (isEmpty(facet, payload)) return []\n', ''],
  ]),
  ...faultsIn(
    'domain/data/rows/computed.ts',
    ['operations/data_sources/updateDataSource.relations.test.ts'],
    [
      [
        'a page shows one element too few of a rollup',
        'rollup.array.slice(0, ARRAY_MAX)',
        'rollup.array.slice(0, ARRAY_MAX - 1)',
      ],
    ],
  ),
]
