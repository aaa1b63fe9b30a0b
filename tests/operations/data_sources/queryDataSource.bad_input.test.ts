import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { made, parent, prepareRows, query, rows, server } from './reference/rows_of_every_type.ts'

beforeAll(prepareRows)
afterAll(() => server.stop())

describe('queryDataSource', () => {
  const at100 = Array.from({ length: 101 }, () => ({ property: 'Number', number: { equals: 1 } }))
  const third = { or: [{ and: [{ and: [] }] }] }
  const bad: [name: string, body: object, path: string, words?: string][] = [
    [
      'an unknown property',
      { filter: { property: 'Nope', number: { equals: 1 } } },
      'body.filter.property',
      'could not find property with name or id',
    ],
    [
      'an unknown property in a nested filter',
      { filter: { and: [{ or: [{ property: 'Nope', number: { equals: 1 } }] }] } },
      'body.filter.and[0].or[0].property',
    ],
    [
      'an unknown sort property',
      { sorts: [{ property: 'Nope', direction: 'ascending' }] },
      'body.sorts[0].property',
      'could not find sort property with name or id',
    ],
    [
      'a key of another type',
      { filter: { property: 'Number', checkbox: { equals: true } } },
      'body.filter.checkbox',
      '"Number" is of type number',
    ],
    ['text for a select', { filter: { property: 'Select', rich_text: { equals: 'low' } } }, 'body.filter.rich_text'],
    ['title for a text property', { filter: { property: 'Text', title: { equals: 'low' } } }, 'body.filter.title'],
    ['two keys', { filter: { property: 'Number', number: { equals: 1 }, title: { equals: 'x' } } }, 'body.filter.title'],
    ['two conditions', { filter: { property: 'Number', number: { equals: 1, less_than: 2 } } }, 'body.filter.number.less_than'],
    ['no condition', { filter: { property: 'Number', number: {} } }, 'body.filter.number.equals'],
    ['a false is_empty', { filter: { property: 'Number', number: { is_empty: false } } }, 'body.filter.number.is_empty'],
    ['an empty text', { filter: { property: 'Name', title: { equals: '' } } }, 'body.filter.title.equals.length'],
    [
      'an unknown option',
      { filter: { property: 'Select', select: { equals: 'medium' } } },
      'body.filter.select.equals',
      'no option "medium"',
    ],
    [
      'an unknown option in a list',
      { filter: { property: 'Multi', multi_select: { contains: ['x', 'w'] } } },
      'body.filter.multi_select.contains[1]',
    ],
    [
      'an empty list of options',
      { filter: { property: 'Multi', multi_select: { contains: [] } } },
      'body.filter.multi_select.contains.length',
    ],
    ['a third level of filters', { filter: third }, 'body.filter.or[0].and[0].and'],
    ['101 filters', { filter: { and: at100 } }, 'body.filter.and.length'],
    ['and beside or', { filter: { and: [], or: [] } }, 'body.filter.or'],
    ['a misspelled combinator', { filter: { orr: [] } }, 'body.filter.orr'],
    [
      'a misspelled combinator, suggesting a valid one',
      { filter: { orr: [] } },
      'body.filter.or',
      'body.filter.multi_select should be defined',
    ],
    ['no known condition key', { filter: { property: 'Number' } }, 'body.filter.and', 'body.filter.number should be defined'],
    ['a date in words', { filter: { property: 'Date', date: { equals: 'someday' } } }, 'body.filter.date.equals'],
    ['a day that does not exist', { filter: { property: 'Date', date: { before: '2026-02-30' } } }, 'body.filter.date.before'],
    [
      'an offset that does not exist',
      { filter: { timestamp: 'created_time', created_time: { after: '2026-01-01T00:00+99:00' } } },
      'body.filter.created_time.after',
    ],
    ['a window with members', { filter: { property: 'Date', date: { past_week: { x: 1 } } } }, 'body.filter.date.past_week.x'],
    ['a malformed person id', { filter: { property: 'People', people: { contains: 'Ann' } } }, 'body.filter.people.contains'],
    ['a malformed page id', { filter: { property: 'Relation', relation: { contains: 'me' } } }, 'body.filter.relation.contains'],
    ['a sort without direction', { sorts: [{ property: 'Name' }] }, 'body.sorts[0].direction'],
    [
      'a sort by both a property and a timestamp',
      { sorts: [{ property: 'Name', timestamp: 'created_time', direction: 'ascending' }] },
      'body.sorts[0].timestamp',
    ],
    ['an unknown direction', { sorts: [{ property: 'Name', direction: 'up' }] }, 'body.sorts[0].direction'],
    ['filter_properties in the body', { filter_properties: ['Name'] }, 'body.filter_properties'],
    ['archived', { archived: true }, 'body.archived'],
    ['an unknown key', { order: [] }, 'body.order'],
    ['page_size 0', { page_size: 0 }, 'body.page_size'],
    ['page_size 101', { page_size: 101 }, 'body.page_size'],
    ['page_size 1.5', { page_size: 1.5 }, 'body.page_size'],
    ['a malformed cursor', { start_cursor: 'garbage' }, 'body.start_cursor'],
    ['an unknown result type', { result_type: 'block' }, 'body.result_type'],
    [
      'an invalid filter with only data sources',
      { result_type: 'data_source', filter: { property: 'Nope', number: { equals: 1 } } },
      'body.filter.property',
    ],
    ...(['Button', 'Place', 'Location', 'Visited'] as const).map((property): [string, object, string] => [
      `a filter on ${property}`,
      { filter: { property, rich_text: { is_empty: true } } },
      'body.filter.rich_text',
    ]),
    ...(['Button', 'Location', 'Visited'] as const).map((property): [string, object, string] => [
      `a sort by ${property}`,
      { sorts: [{ property, direction: 'ascending' }] },
      'body.sorts[0].property',
    ]),
  ]
  it.each(bad)('400 for %s', async (_name, body, path, words = '') => {
    const response = await query(body)
    expectInvalid(response, path)
    expect(String(response.body['message'])).toContain(words)
  })

  it('400 for 101 filter_properties', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `p${index}`)
    expectInvalid(await query({}, { query: { filter_properties: many } }), 'query.filter_properties.length')
  })

  it('400 for malformed ids, and 404 for ids that are missing, not shared, in the trash, or not of a data source', async () => {
    const call = (id: string): Promise<TestResponse> =>
      server.owner.call('queryDataSource', { path: { data_source_id: id }, body: {} })
    expectInvalid(await call('x'), 'path.data_source_id')
    expectNotFound(await call(randomUUID()), 'data source')
    expectNotFound(await call(made.id), 'data source')
    expectNotFound(await call(rows.get('alpha') ?? ''), 'data source')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [] })
    expectNotFound(await caller.call('queryDataSource', { path: { data_source_id: made.sourceId }, body: {} }), 'data source')
    const page = await makePage(server.owner)
    const own = await makeDatabase(server.owner, page)
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expectNotFound(await call(own.sourceId), 'data source')
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'insert_content'], grants: [parent] })
    for (const id of [made.sourceId, randomUUID()])
      expectError(await caller.call('queryDataSource', { path: { data_source_id: id }, body: {} }), 403, 'restricted_resource')
  })
})
