import { describe, expect, it } from 'vitest'
import type { RollupArrayEntry, RollupFunction } from '../../generated/types.ts'
import { isPropertyType } from '../../server/domain/data/property_types/index.ts'
import { rollupFunctions } from '../../server/domain/data/rollups/functions.ts'
import { fitsRollup, rollUp, unsupportedRollup } from '../../server/domain/data/rollups/roll_up.ts'

// Expected values were worked out by hand.

const numbers = (...values: (number | null)[]): RollupArrayEntry[] => values.map((number) => ({ type: 'number', number }))
const boxes = (...values: boolean[]): RollupArrayEntry[] => values.map((checkbox) => ({ type: 'checkbox', checkbox }))
const option = (id: string) => ({ id, name: id, color: 'default' }) as const
const stages = (...ids: (string | null)[]): RollupArrayEntry[] =>
  ids.map((id) => ({ type: 'status', status: id === null ? null : option(id) }))
const tags = (...lists: string[][]): RollupArrayEntry[] =>
  lists.map((ids) => ({ type: 'multi_select', multi_select: ids.map(option) }))
const dates = (...values: (readonly [string, string?] | null)[]): RollupArrayEntry[] =>
  values.map((value) => ({ type: 'date', date: value && { start: value[0], end: value[1] ?? null, time_zone: null } }))
const nameless: RollupArrayEntry = {
  type: 'place',
  place: { lat: 51.5, lon: -0.1, name: null, address: null, aws_place_id: null, google_place_id: null },
}
const texts = (...values: string[]): RollupArrayEntry[] =>
  values.map((content) => ({
    type: 'rich_text',
    rich_text: [
      {
        type: 'text',
        text: { content, link: null },
        plain_text: content,
        href: null,
        annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' },
      },
    ],
  }))
const numberFormulas = (...values: (number | null)[]): RollupArrayEntry[] =>
  values.map((number) => ({ type: 'formula', formula: { type: 'number', number } }))
const booleanFormulas = (...values: (boolean | null)[]): RollupArrayEntry[] =>
  values.map((boolean) => ({ type: 'formula', formula: { type: 'boolean', boolean } }))
const times = (...values: string[]): RollupArrayEntry[] => values.map((created_time) => ({ type: 'created_time', created_time }))
const unsupported: RollupArrayEntry = { type: 'formula', formula: { type: 'unsupported', unsupported: {} } }

/** Only the value; dates as `start` or `start/end`. */
function valueOf(rollupFunction: RollupFunction, entries: readonly RollupArrayEntry[]): unknown {
  const value = rollUp(rollupFunction, entries, (id) => id === 'Done' || id === 'Dropped')
  expect(value.function).toBe(rollupFunction)
  expect(value.type).toBe(rollupFunctions[rollupFunction].result)
  if (value.type === 'array') return value.array
  if (value.type === 'number') return value.number
  return value.type === 'date'
    ? value.date && [value.date.start, value.date.end].filter((part) => part !== null).join('/')
    : 'unsupported'
}

type Row = readonly [RollupFunction, RollupArrayEntry[], unknown]

const table: Readonly<Record<string, readonly Row[]>> = {
  counts: [
    ['count', numbers(1, null, 3), 3],
    ['count', [], 0],
    ['count_values', numbers(1, null, 0), 2],
    ['count_values', tags(['a', 'b'], [], ['a']), 3],
    ['count_values', texts('x', '', 'x'), 2],
    ['unique', numbers(1, 1, null, 2), 2],
    ['unique', tags(['a', 'b'], ['b', 'c']), 3],
    ['unique', boxes(true, false, true), 2],
    ['empty', [{ type: 'verification', verification: { state: 'unverified', date: null, verified_by: null } }], 1],
    ['unique', dates(['2026-05-16'], ['2026-05-16T00:00:00.000+00:00'], ['2026-05-16', '2026-05-17'], ['2026-05-16']), 3],
    ['unique', numberFormulas(1, 1, null), 1],
    ['unique', [], 0],
    ['empty', numbers(1, null, 0), 1],
    ['not_empty', numbers(1, null, 0), 2],
    ['empty', texts('', 'a'), 1],
    ['empty', tags([], ['a'], []), 2],
    ['empty', boxes(false, true), 0],
    ['empty', dates(null, ['2026-05-04']), 1],
    ['empty', numberFormulas(null, 0), 1],
    ['empty', [unsupported, { type: 'formula', formula: { type: 'string', string: '' } }], 2],
    [
      'empty',
      [
        { type: 'verification', verification: null },
        { type: 'url', url: null },
        { type: 'place', place: null },
      ],
      3,
    ],
    [
      'empty',
      [
        { type: 'unique_id', unique_id: { prefix: 'A', number: 1 } },
        { type: 'people', people: [] },
      ],
      1,
    ],
    ['empty', [nameless], 0],
    ['empty', [], 0],
  ],
  percentages: [
    ['percent_empty', numbers(1, null, null, 2), 0.5],
    ['percent_not_empty', numbers(1, null, null), 1 / 3],
    ['percent_empty', [], null],
    ['percent_not_empty', [], null],
  ],
  checkboxes: [
    ['checked', boxes(true, false, true), 2],
    ['unchecked', boxes(true, false, true), 1],
    ['checked', booleanFormulas(true, null, false), 1],
    ['unchecked', booleanFormulas(true, null, false), 1],
    ['percent_checked', boxes(true, false, false, false), 0.25],
    ['percent_unchecked', booleanFormulas(true, null, false, false), 0.5],
    ['checked', [], 0],
    ['percent_checked', [], null],
    ['percent_unchecked', [], null],
  ],
  numbers: [
    ['sum', numbers(1, null, 2.5), 3.5],
    ['sum', numberFormulas(1, null, 2), 3],
    ['sum', [], 0],
    ['sum', numbers(null), 0],
    ['sum', numbers(1.7e308, 1.7e308), null],
    ['average', numbers(1, null, 2, 6), 3],
    ['average', numbers(null), null],
    ['median', numbers(9, 1, null, 5), 5],
    ['median', numbers(4, 1, 3, 2), 2.5],
    ['median', [], null],
    ['min', numbers(3, null, -1), -1],
    ['max', numbers(3, null, -1), 3],
    ['min', [], null],
    ['max', [], null],
    ['range', numbers(3, null, -1), 4],
    ['range', numbers(3), 0],
    ['range', [], null],
  ],
  dates: [
    ['earliest_date', dates(['2026-05-04'], null, ['2026-04-01', '2026-06-01']), '2026-04-01'],
    ['latest_date', dates(['2026-05-04'], null, ['2026-04-01', '2026-06-01']), '2026-06-01'],
    ['date_range', dates(['2026-05-04'], ['2026-04-01', '2026-06-01']), '2026-04-01/2026-06-01'],
    ['date_range', dates(['2026-05-04']), '2026-05-04/2026-05-04'],
    ['earliest_date', dates(['2026-05-04T01:00:00.000+02:00'], ['2026-05-04']), '2026-05-04T01:00:00.000+02:00'],
    ['latest_date', dates(['2026-05-04T01:00:00.000+02:00'], ['2026-05-04']), '2026-05-04'],
    [
      'date_range',
      dates(['2026-05-04'], ['2026-05-04T10:00:00.000+02:00']),
      '2026-05-04T00:00:00.000+00:00/2026-05-04T10:00:00.000+02:00',
    ],
    ['earliest_date', times('2026-04-02T08:15:00.000Z', '2026-04-01T00:00:00.000Z'), '2026-04-01T00:00:00.000+00:00'],
    [
      'latest_date',
      [{ type: 'formula', formula: { type: 'date', date: { start: '2026-05-04', end: null, time_zone: null } } }],
      '2026-05-04',
    ],
    ['earliest_date', [], null],
    ['latest_date', dates(null), null],
    ['date_range', [], null],
  ],
  'the last group': [
    ['count_per_group', stages('Done', 'To do', null, 'Dropped'), 2],
    ['percent_per_group', stages('Done', 'To do', null, 'Dropped'), 0.5],
    ['count_per_group', [], 0],
    ['percent_per_group', [], null],
  ],
  arrays: [
    ['show_original', numbers(2, null, 2), numbers(2, null, 2)],
    ['show_original', [], []],
    ['show_unique', numbers(2, null, 2, 1), numbers(2, 1)],
    ['show_unique', tags(['a', 'b'], [], ['b', 'c']), tags(['a'], ['b'], ['c'])],
    ['show_unique', texts('x', '', 'y', 'x'), texts('x', 'y')],
    [
      'show_unique',
      dates(['2026-05-04T02:00:00.000+02:00'], ['2026-05-04T00:00:00.000+00:00']),
      dates(['2026-05-04T02:00:00.000+02:00']),
    ],
    ['show_unique', [], []],
  ],
}

describe('rollups', () => {
  it.each(Object.entries(table))('return the result of each function: %s', (_group, rows) => {
    for (const [rollupFunction, entries, expected] of rows) {
      expect({ rollupFunction, value: valueOf(rollupFunction, entries) }).toEqual({ rollupFunction, value: expected })
    }
  })

  it('are tested with every function', () => {
    const tested = new Set(Object.values(table).flatMap((rows) => rows.map(([rollupFunction]) => rollupFunction)))
    expect([...tested].toSorted()).toEqual(Object.keys(rollupFunctions).toSorted())
  })

  it('distinguish hosted files by address, not by signature', () => {
    const file = (signature: string): RollupArrayEntry => ({
      type: 'files',
      files: [
        {
          type: 'file',
          name: 'plan',
          file: { url: `https://x.example/f?sig=${signature}`, expiry_time: '2026-05-04T10:00:00.000Z' },
        },
      ],
    })
    expect(valueOf('unique', [file('1'), file('2')])).toBe(1)
  })

  it('are `unsupported` when their function no longer fits the property', () => {
    expect(unsupportedRollup('sum')).toEqual({ type: 'unsupported', unsupported: {}, function: 'sum' })
  })
})

describe('types that a rollup function supports', () => {
  it.each<[RollupFunction, string, boolean]>([
    ['sum', 'number', true],
    ['sum', 'formula:number', true],
    ['sum', 'formula:string', false],
    ['sum', 'formula:', false],
    ['sum', 'unique_id', false],
    ['sum', 'rich_text', false],
    ['checked', 'checkbox', true],
    ['checked', 'formula:boolean', true],
    ['checked', 'number', false],
    ['earliest_date', 'date', true],
    ['latest_date', 'created_time', true],
    ['date_range', 'last_edited_time', true],
    ['date_range', 'formula:date', true],
    ['earliest_date', 'rich_text', false],
    ['count_per_group', 'status', true],
    ['percent_per_group', 'select', false],
    ['show_original', 'files', true],
    ['show_unique', 'formula:', true],
    ['count', 'place', true],
    ['count', 'rollup', false],
    ['show_original', 'button', false],
    ['show_original', 'location', false],
    ['count', 'last_visited_time', false],
  ])('%s of %s: %s', (rollupFunction, property, fits) => {
    const [type = '', result] = property.split(':')
    const resultType = (['string', 'number', 'boolean', 'date'] as const).find((known) => known === result)
    expect(isPropertyType(type) && fitsRollup(rollupFunction, type, resultType)).toBe(fits)
  })
})
