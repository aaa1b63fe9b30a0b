import { randomUUID } from 'node:crypto'
import { describe, it } from 'vitest'
import { expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const id = randomUUID()
const group = (...filters: object[]): object => ({ operator: 'and', filters })
const condition = (property: string, operator: string, value?: unknown): object => ({
  property,
  filter: { operator, ...(value === undefined ? {} : { value }) },
})
const filtered = (...filters: object[]): object => ({ filter: group(...filters) })
const title = condition('title', 'string_is', { type: 'exact', value: 'x' })
const person = { type: 'exact', value: { table: 'workspace_user', id } }
const day = { type: 'exact', value: '2026-05-04' }
const custom = { type: 'relative', value: 'custom', direction: 'past', unit: 'week', count: 2 }

const FIRST = 'body.filter.filters[0]'
const OPERATOR = `${FIRST}.filter.operator`
const VALUE = `${FIRST}.filter.value`

describe('queryMeetingNotes', () => {
  it.each<[string, object, string]>([
    ['a condition as the root', { filter: title }, 'body.filter.operator'],
    ['a root without an operator', { filter: { filters: [] } }, 'body.filter.operator'],
    ['an unknown combinator', { filter: { operator: 'not', filters: [] } }, 'body.filter.operator'],
    ['an unknown property', filtered(condition('status', 'is_empty')), `${FIRST}.property`],
    ['a date with a text condition', filtered(condition('created_time', 'string_is', { type: 'exact', value: 'x' })), OPERATOR],
    ['a text with a date condition', filtered(condition('title', 'date_is', day)), OPERATOR],
    [
      'a person with a text condition',
      filtered(condition('attendees', 'string_contains', { type: 'exact', value: 'x' })),
      OPERATOR,
    ],
    ['a text with a person condition', filtered(condition('title', 'person_contains', person)), OPERATOR],
    ['an unknown operator', filtered(condition('title', 'string_matches', { type: 'exact', value: 'x' })), OPERATOR],
    ['a text without a value', filtered(condition('title', 'string_is')), VALUE],
    ['a date without a value', filtered(condition('created_time', 'date_is')), VALUE],
    ['a value beside is_empty', filtered(condition('title', 'is_empty', { type: 'exact', value: 'x' })), VALUE],
    ['a relative text', filtered(condition('title', 'string_is', { type: 'relative', value: 'x' })), `${VALUE}.type`],
    [
      'another table',
      filtered(condition('created_by', 'person_contains', [{ type: 'exact', value: { table: 'group', id } }])),
      `${VALUE}[0].value.table`,
    ],
    [
      'a single person of another table',
      filtered(condition('created_by', 'person_contains', { type: 'exact', value: { table: 'group', id } })),
      `${VALUE}.value.table`,
    ],
    ['an empty list of people', filtered(condition('created_by', 'person_contains', [])), `${VALUE}.length`],
    [
      'a person without an id',
      filtered(condition('created_by', 'person_contains', { type: 'exact', value: { table: 'workspace_user', id: 'me' } })),
      `${VALUE}.value.id`,
    ],
    [
      'a day that does not exist',
      filtered(condition('created_time', 'date_is', { type: 'exact', value: '2026-02-30' })),
      `${VALUE}.value`,
    ],
    [
      'a day in parts that does not exist',
      filtered(condition('created_time', 'date_is', { type: 'exact', value: { type: 'date', start_date: '2026-02-30' } })),
      `${VALUE}.value.start_date`,
    ],
    [
      'a time that does not exist',
      filtered(
        condition('created_time', 'date_is', {
          type: 'exact',
          value: { type: 'datetime', start_date: '2026-05-04', start_time: '24:30' },
        }),
      ),
      `${VALUE}.value.start_time`,
    ],
    [
      'an unknown time zone',
      filtered(
        condition('created_time', 'date_is', {
          type: 'exact',
          value: { type: 'date', start_date: '2026-05-04', time_zone: 'Mars/Base' },
        }),
      ),
      `${VALUE}.value.time_zone`,
    ],
    [
      'a span without a start',
      filtered(
        condition('created_time', 'date_is_within', { type: 'exact', value: { type: 'daterange', start_date: '2026-13-01' } }),
      ),
      `${VALUE}.value.start_date`,
    ],
    [
      'an unknown relative day',
      filtered(condition('created_time', 'date_is', { type: 'relative', value: 'one_year_ago' })),
      `${VALUE}.value`,
    ],
    [
      'an unknown span',
      filtered(condition('created_time', 'date_is_within', { type: 'relative', value: 'the_past_day' })),
      `${VALUE}.value`,
    ],
    ['a day instead of a relative span', filtered(condition('created_time', 'date_is_relative_to', day)), `${VALUE}.type`],
    ...(['direction', 'unit', 'count'] as const).map((key): [string, object, string] => [
      `a custom span without ${key}`,
      filtered(condition('created_time', 'date_is_within', { ...custom, [key]: undefined })),
      `${VALUE}.${key}`,
    ]),
    [
      'a custom span of 0 units',
      filtered(condition('created_time', 'date_is_within', { ...custom, count: 0 })),
      `${VALUE}.count`,
    ],
    [
      'a named span with units',
      filtered(condition('created_time', 'date_is_within', { ...custom, value: 'this_week' })),
      `${VALUE}.direction`,
    ],
    ['groups nested four deep', filtered(group(group(group(title)))), `${FIRST}.filters[0].filters[0].property`],
    ['a nested group without conditions', filtered({ operator: 'and' }), `${FIRST}.filters`],
    ['a limit of 0', { limit: 0 }, 'body.limit'],
    ['a limit of 101', { limit: 101 }, 'body.limit'],
    ['a limit that is not a number', { limit: '5' }, 'body.limit'],
    ['a cursor', { start_cursor: 'x' }, 'body.start_cursor'],
    ['sorts', { sorts: [] }, 'body.sorts'],
    ['an unknown property to sort by', { sort: [{ property: 'status', direction: 'ascending' }] }, 'body.sort[0].property'],
    ['an unknown direction', { sort: [{ property: 'title', direction: 'up' }] }, 'body.sort[0].direction'],
    ['a sort that is not in a list', { sort: { property: 'title', direction: 'ascending' } }, 'body.sort'],
  ])('400 for %s', async (_what, body, location) => {
    expectInvalid(await server.owner.call('queryMeetingNotes', { body }), location)
  })
})
