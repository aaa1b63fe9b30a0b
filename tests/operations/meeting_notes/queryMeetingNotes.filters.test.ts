import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { passesFilter, type Condition, type Group, type KnownNote } from './support/plain_filter.ts'
import { storeNotes } from './support/stored_notes.ts'

const people = [...exampleWorkspace.people.map(({ id }) => id), exampleWorkspace.bot.id]
const titles = ['', 'Launch', 'launch talk', 'Talk', 'Keel 50%', 'Ölwechsel', 'a_b', 'LAUNCH']
/** Around the present, the ends of months and midnight. */
const times = [
  '2025-05-16T12:00:00.000Z',
  '2026-04-15T23:59:59.999Z',
  '2026-04-16T00:00:00.000Z',
  '2026-05-09T04:30:00.000Z',
  '2026-05-10T00:00:00.000Z',
  '2026-05-15T23:59:59.999Z',
  '2026-05-16T00:00:00.000Z',
  '2026-05-16T04:30:00.000Z',
  '2026-05-17T00:00:00.000Z',
  '2026-05-23T10:00:00.000Z',
  '2026-06-16T23:00:00.000Z',
  '2027-05-17T00:00:00.000Z',
]

const notes: readonly KnownNote[] = Array.from({ length: 48 }, (_, index) => ({
  title: titles[index % titles.length] ?? '',
  created: times[index % times.length] ?? '',
  createdBy: people[index % people.length] ?? '',
  edited: times[(index * 5 + 3) % times.length] ?? '',
  editedBy: people[(index * 3 + 1) % people.length] ?? '',
  attendees: people.filter((_id, location) => (index >> location) % 2 === 1),
}))
const server = await serverOfFile()
const page = await makePage(server.owner)
const caller = (await makeConnection(server, { capabilities: ['read_content'], grants: [page] })).caller
const ids = await storeNotes(server, page, notes)

async function found(filter: Group): Promise<number[]> {
  const response = await caller.call('queryMeetingNotes', { body: { filter, limit: 100 } })
  if (response.status !== 200) throw new Error(response.text)
  return resultsOf(response.body)
    .map((note) => ids.indexOf(idOf(note)))
    .toSorted((one, other) => one - other)
}

function expected(filter: Group): number[] {
  const now = new Date(server.clock.now()).toISOString()
  return notes.flatMap((note, index) => (passesFilter(note, filter, now) ? [index] : []))
}

const existence = fc.constantFrom('is_empty', 'is_not_empty').map((operator) => ({ operator }))
const texts = fc.record({
  operator: fc.constantFrom(
    'string_is',
    'string_is_not',
    'string_contains',
    'string_does_not_contain',
    'string_starts_with',
    'string_ends_with',
  ),
  value: fc.record({
    type: fc.constant('exact'),
    value: fc.constantFrom(...titles.filter((title) => title !== ''), 'l', 'K', '%', '_', 'ö', 'talk'),
  }),
})
const moments = fc.constantFrom(...times)
const days = fc.constantFrom(...times).map((time) => time.slice(0, 10))
const point = fc.oneof(
  fc.record({
    type: fc.constant('exact'),
    value: fc.oneof(days, moments),
  }),
  fc.record({
    type: fc.constant('exact'),
    value: fc.oneof(
      fc.record({ type: fc.constant('date'), start_date: days }),
      fc.record({ type: fc.constant('datetime'), start_date: days, start_time: fc.constantFrom('00:00', '04:30', '23:59:59') }),
    ),
  }),
  fc.record({
    type: fc.constant('relative'),
    value: fc.constantFrom(
      'today',
      'tomorrow',
      'yesterday',
      'one_week_ago',
      'one_week_from_now',
      'one_month_ago',
      'one_month_from_now',
    ),
  }),
)
const relativeSpan = fc.oneof(
  fc.record({
    type: fc.constant('relative'),
    value: fc.constantFrom(
      'the_past_week',
      'the_past_month',
      'the_past_year',
      'this_week',
      'the_next_week',
      'the_next_month',
      'the_next_year',
    ),
  }),
  fc.record({
    type: fc.constant('relative'),
    value: fc.constant('custom'),
    direction: fc.constantFrom('past', 'future'),
    unit: fc.constantFrom('day', 'week', 'month', 'year'),
    count: fc.integer({ min: 1, max: 15 }),
  }),
)
const span = fc.oneof(
  relativeSpan,
  fc.record({ type: fc.constant('exact'), value: days }),
  fc.record({
    type: fc.constant('exact'),
    value: fc.record({ type: fc.constant('daterange'), start_date: days, end_date: days }),
  }),
)
const dates = fc.oneof(
  fc.record({
    operator: fc.constantFrom('date_is', 'date_is_before', 'date_is_after', 'date_is_on_or_before', 'date_is_on_or_after'),
    value: point,
  }),
  fc.record({ operator: fc.constant('date_is_within'), value: span }),
  fc.record({ operator: fc.constant('date_is_relative_to'), value: relativeSpan }),
)
const person = fc
  .constantFrom(...people, '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11')
  .map((id) => ({ type: 'exact', value: { table: 'workspace_user', id } }))
const persons = fc.record({
  operator: fc.constantFrom('person_contains', 'person_does_not_contain'),
  value: fc.oneof(person, fc.array(person, { minLength: 1, maxLength: 3 })),
})
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ property: fc.constant('title' as const), filter: fc.oneof(texts, existence) }),
  fc.record({
    property: fc.constantFrom('created_time' as const, 'last_edited_time' as const),
    filter: fc.oneof(dates, existence),
  }),
  fc.record({
    property: fc.constantFrom('created_by' as const, 'last_edited_by' as const, 'attendees' as const),
    filter: fc.oneof(persons, existence),
  }),
)
const groupOf = (node: fc.Arbitrary<Condition | Group>): fc.Arbitrary<Group> =>
  fc.record({ operator: fc.constantFrom('and' as const, 'or' as const), filters: fc.array(node, { maxLength: 4 }) })
const filters = groupOf(fc.oneof(condition, groupOf(fc.oneof(condition, groupOf(condition)))))

const one = (property: Condition['property'], operator: string, value?: unknown): Group => ({
  operator: 'and',
  filters: [{ property, filter: value === undefined ? { operator } : { operator, value } }],
})

describe('queryMeetingNotes', () => {
  it('200 with the notes that a plain evaluation selects, for any filter', async () => {
    const sizes = new Set<number>()
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const numbers = expected(filter)
        sizes.add(numbers.length)
        expect(await found(filter)).toStrictEqual(numbers)
      }),
      { numRuns: 150, seed: Number(process.env['SEED'] ?? 8) },
    )
    expect(sizes.size).toBeGreaterThan(15)
  })

  it.each<[string, Group, number]>([
    [
      'a day with a time zone is a day in that zone',
      one('created_time', 'date_is', exact({ type: 'date', start_date: '2026-05-15', time_zone: 'America/New_York' })),
      2,
    ],
    [
      'a moment with a time zone is a moment in that zone',
      one(
        'created_time',
        'date_is_before',
        exact({ type: 'datetime', start_date: '2026-05-16', start_time: '01:00', time_zone: 'Europe/Lisbon' }),
      ),
      6,
    ],
    ['a moment with an offset is on its day in that zone', one('created_time', 'date_is', exact('2026-05-15T20:00:00-04:00')), 2],
    [
      'a time beside a day is ignored',
      one('created_time', 'date_is', exact({ type: 'date', start_date: '2026-05-16', start_time: '23:00' })),
      2,
    ],
    [
      'a span that ends before its start is empty',
      one('created_time', 'date_is_within', exact({ type: 'daterange', start_date: '2026-06-01', end_date: '2026-05-01' })),
      0,
    ],
    [
      'a past span beyond the calendar has no start',
      one('created_time', 'date_is_within', custom('past', 'year', 9_007_199_254_740_991)),
      8,
    ],
    [
      'a future span beyond the calendar has no end',
      one('created_time', 'date_is_within', custom('future', 'day', 9_007_199_254_740_991)),
      6,
    ],
  ])('200: %s', async (_what, filter, times_of_twelve) => {
    expect(await found(filter)).toHaveLength(times_of_twelve * 4)
  })

  it('200 for ids of people without dashes', async () => {
    const [ines = ''] = people
    const value = { type: 'exact', value: { table: 'workspace_user', id: ines.replaceAll('-', '').toUpperCase() } }
    expect(await found(one('created_by', 'person_contains', value))).toStrictEqual(
      notes.flatMap(({ createdBy }, index) => (createdBy === ines ? [index] : [])),
    )
  })
})

function exact(value: unknown): object {
  return { type: 'exact', value }
}

function custom(direction: string, unit: string, count: number): object {
  return { type: 'relative', value: 'custom', direction, unit, count }
}
