import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import type { Answer } from '../../harness/answers.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

// The clock of tests stands at 2026-05-16T04:30Z, a Saturday.
const [first, second] = [story.people[0].id, story.people[1].id]

let server: TestServer
let parent: string
let made: MadeDatabase
let target: MadeDatabase
/** Ids of rows by name. */
const rows = new Map<string, string>()

beforeAll(async () => {
  server = await startTestServer()
  parent = await makePage(server.owner, 'Parent')
  target = await makeDatabase(server.owner, parent)
  for (const name of ['Zinc', 'Ash']) rows.set(name, idOf(await makeRow(server.owner, target.sourceId, title(name))))
  made = await makeDatabase(server.owner, parent, {
    Text: { rich_text: {} },
    Url: { url: {} },
    Email: { email: {} },
    Phone: { phone_number: {} },
    Number: { number: {} },
    Check: { checkbox: {} },
    Select: { select: { options: [{ name: 'low' }, { name: 'high' }, { name: 'a,b'.replace(',', ' ') }] } },
    Multi: { multi_select: { options: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
    Status: { status: {} },
    Date: { date: {} },
    People: { people: {} },
    Files: { files: {} },
    Relation: { relation: { data_source_id: target.sourceId, single_property: {} } },
    Verified: { verification: {} },
    Place: { place: {} },
    Id: { unique_id: { prefix: 'JOB' } },
    Created: { created_time: {} },
    Author: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Button: { button: {} },
    Location: { location: {} },
    Visited: { last_visited_time: {} },
  })
  const values: Record<string, object> = {
    alpha: {
      Text: { rich_text: [text('Larch'), text(' plank')] },
      Url: { url: 'https://Yard.example/a' },
      Email: { email: 'a@yard.example' },
      Phone: { phone_number: '+49 30 1' },
      Number: { number: 1 },
      Check: { checkbox: true },
      Select: { select: { name: 'low' } },
      Multi: { multi_select: [{ name: 'y' }, { name: 'x' }] },
      Status: { status: { name: 'Done' } },
      Date: { date: { start: '2026-05-16' } },
      People: { people: [{ id: second }] },
      Files: { files: [{ name: 'b.pdf', external: { url: 'https://yard.example/b.pdf' } }] },
      Relation: { relation: [{ id: rows.get('Zinc') }] },
      Verified: { verification: { state: 'verified' } },
      Place: { place: { lat: 1, lon: 2, name: 'Quay' } },
    },
    Beta: {
      Text: { rich_text: [text('ÉCLAIR')] },
      Number: { number: -2.5 },
      Select: { select: { name: 'high' } },
      Multi: { multi_select: [{ name: 'x' }] },
      Status: { status: { name: 'In progress' } },
      Date: { date: { start: '2026-05-16T23:30:00-02:00', end: '2026-05-18T00:00:00Z' } },
      People: { people: [{ id: first }, { id: second }] },
      Files: { files: [{ name: 'A.pdf', external: { url: 'https://yard.example/a.pdf' } }] },
      Relation: { relation: [{ id: rows.get('Ash') }, { id: rows.get('Zinc') }] },
      Verified: {
        verification: { state: 'verified', date: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } },
      },
      Place: { place: { lat: 1, lon: 2, name: 'boathouse' } },
    },
    gamma: {
      Number: { number: 1 },
      Date: { date: { start: '2026-04-16' } },
      Multi: { multi_select: [{ name: 'z' }] },
    },
    // Nothing but its title.
    delta: { Text: { rich_text: [text('')] } },
  }
  for (const [name, properties] of Object.entries(values)) {
    server.clock.advance(1_000)
    rows.set(name, idOf(await makeRow(server.owner, made.sourceId, { ...title(name), ...properties })))
  }
})
afterAll(() => server.stop())

const title = (name: string): object => ({ Name: { title: [text(name)] } })
const query = (body: object = {}, more: object = {}): Promise<Answer> =>
  server.owner.call('queryDataSource', { path: { data_source_id: made.sourceId }, body, ...more })

function nameOf(row: JsonObject): string {
  const [run] = plainValues(row)['Name'] as { plain_text: string }[]
  return run?.plain_text ?? ''
}

/** Names of the rows that a query gives. */
async function names(body: object): Promise<string[]> {
  const answer = await query(body, { query: 'filter_properties=title' })
  expect(answer.status, answer.text).toBe(200)
  return resultsOf(answer.body).map(nameOf)
}

const sorted = (list: readonly string[]): string[] => list.toSorted()
const ALL = ['alpha', 'Beta', 'gamma', 'delta']

describe('filters', () => {
  const cases: [property: string, key: string, condition: object, expected: string[]][] = [
    ['Name', 'title', { equals: 'Beta' }, ['Beta']],
    ['Name', 'title', { equals: 'beta' }, []],
    ['Name', 'title', { contains: 'ET' }, ['Beta']],
    ['Name', 'rich_text', { ends_with: 'TA' }, ['Beta', 'delta']],
    ['title', 'title', { starts_with: 'b' }, ['Beta']],
    ['Name', 'title', { does_not_contain: 'a' }, []],
    ['Name', 'title', { does_not_equal: 'Beta' }, ['alpha', 'gamma', 'delta']],
    ['Text', 'rich_text', { equals: 'Larch plank' }, ['alpha']],
    ['Text', 'rich_text', { contains: 'h P' }, ['alpha']],
    ['Text', 'rich_text', { contains: 'éclair' }, ['Beta']],
    ['Text', 'rich_text', { does_not_contain: 'plank' }, ['Beta', 'gamma', 'delta']],
    ['Text', 'rich_text', { does_not_equal: 'Larch plank' }, ['Beta', 'gamma', 'delta']],
    ['Text', 'rich_text', { is_empty: true }, ['gamma', 'delta']],
    ['Text', 'rich_text', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Text', 'rich_text', { contains: '%' }, []],
    ['Text', 'rich_text', { contains: '\0' }, []],
    ['Url', 'url', { contains: 'yard' }, ['alpha']],
    ['Url', 'rich_text', { starts_with: 'HTTPS://' }, ['alpha']],
    ['Email', 'email', { equals: 'a@yard.example' }, ['alpha']],
    ['Phone', 'phone_number', { ends_with: '30 1' }, ['alpha']],
    ['Phone', 'phone_number', { is_empty: true }, ['Beta', 'gamma', 'delta']],
    ['Number', 'number', { equals: 1 }, ['alpha', 'gamma']],
    ['Number', 'number', { does_not_equal: 1 }, ['Beta', 'delta']],
    ['Number', 'number', { greater_than: -2.5 }, ['alpha', 'gamma']],
    ['Number', 'number', { greater_than_or_equal_to: -2.5 }, ['alpha', 'Beta', 'gamma']],
    ['Number', 'number', { less_than: 1 }, ['Beta']],
    ['Number', 'number', { less_than_or_equal_to: 1 }, ['alpha', 'Beta', 'gamma']],
    ['Number', 'number', { is_empty: true }, ['delta']],
    ['Number', 'number', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Id', 'unique_id', { equals: 2 }, ['Beta']],
    ['Id', 'unique_id', { greater_than: 2 }, ['gamma', 'delta']],
    ['Check', 'checkbox', { equals: true }, ['alpha']],
    ['Check', 'checkbox', { equals: false }, ['Beta', 'gamma', 'delta']],
    ['Check', 'checkbox', { does_not_equal: false }, ['alpha']],
    ['Check', 'checkbox', { does_not_equal: true }, ['Beta', 'gamma', 'delta']],
    ['Select', 'select', { equals: 'low' }, ['alpha']],
    ['Select', 'select', { equals: ['low', 'high'] }, ['alpha', 'Beta']],
    ['Select', 'select', { does_not_equal: 'low' }, ['Beta', 'gamma', 'delta']],
    ['Select', 'select', { does_not_equal: ['low', 'high'] }, ['gamma', 'delta']],
    ['Select', 'select', { is_empty: true }, ['gamma', 'delta']],
    ['Status', 'status', { equals: ['Done', 'In progress'] }, ['alpha', 'Beta']],
    ['Status', 'status', { does_not_equal: 'Not started' }, ['alpha', 'Beta']],
    ['Status', 'status', { is_not_empty: true }, ALL],
    ['Multi', 'multi_select', { contains: 'x' }, ['alpha', 'Beta']],
    ['Multi', 'multi_select', { contains: ['y', 'z'] }, ['alpha', 'gamma']],
    ['Multi', 'multi_select', { does_not_contain: 'x' }, ['gamma', 'delta']],
    ['Multi', 'multi_select', { does_not_contain: ['x', 'z'] }, ['delta']],
    ['Multi', 'multi_select', { is_empty: true }, ['delta']],
    ['Multi', 'multi_select', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { equals: '2026-05-16' }, ['alpha']],
    ['Date', 'date', { equals: '2026-05-17' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-17T01:30:00Z' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-17 01:30:00.000400' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-16T00:00:00' }, ['alpha']],
    ['Date', 'date', { before: '2026-05-16' }, ['gamma']],
    ['Date', 'date', { after: '2026-05-16' }, ['Beta']],
    ['Date', 'date', { on_or_before: '2026-05-16' }, ['alpha', 'gamma']],
    ['Date', 'date', { on_or_after: '2026-05-16' }, ['alpha', 'Beta']],
    ['Date', 'date', { after: '2026-05-15T23:59:59.999Z' }, ['alpha', 'Beta']],
    ['Date', 'date', { on_or_after: '2026-05-16T03:30+02:00' }, ['Beta']],
    ['Date', 'date', { equals: 'today' }, ['alpha']],
    ['Date', 'date', { equals: 'tomorrow' }, ['Beta']],
    ['Date', 'date', { after: 'yesterday' }, ['alpha', 'Beta']],
    ['Date', 'date', { before: 'one_week_ago' }, ['gamma']],
    ['Date', 'date', { on_or_before: 'one_week_from_now' }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { equals: 'one_month_ago' }, ['gamma']],
    ['Date', 'date', { before: 'one_month_from_now' }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { this_week: {} }, ['alpha']],
    ['Date', 'date', { past_week: {} }, ['alpha']],
    ['Date', 'date', { past_month: {} }, ['alpha', 'gamma']],
    ['Date', 'date', { past_year: {} }, ['alpha', 'gamma']],
    ['Date', 'date', { next_week: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { next_month: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { next_year: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { is_empty: true }, ['delta']],
    ['Date', 'date', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Created', 'created_time', { equals: 'today' }, ALL],
    ['Created', 'created_time', { on_or_before: '2026-05-16T04:30:02Z' }, ['alpha', 'Beta']],
    ['Created', 'created_time', { is_empty: true }, []],
    ['Edited', 'last_edited_time', { after: '2026-05-16T04:30:02Z' }, ['gamma', 'delta']],
    ['Edited', 'last_edited_time', { is_not_empty: true }, ALL],
    ['People', 'people', { contains: first }, ['Beta']],
    ['People', 'people', { contains: second.replaceAll('-', '').toUpperCase() }, ['alpha', 'Beta']],
    ['People', 'people', { does_not_contain: first }, ['alpha', 'gamma', 'delta']],
    ['People', 'people', { contains: 'me' }, []],
    ['People', 'people', { is_empty: true }, ['gamma', 'delta']],
    ['Author', 'created_by', { contains: 'me' }, ALL],
    ['Author', 'created_by', { contains: story.bot.id }, ALL],
    ['Author', 'created_by', { does_not_contain: 'me' }, []],
    ['Author', 'created_by', { is_empty: true }, []],
    ['Editor', 'last_edited_by', { contains: first }, []],
    ['Editor', 'last_edited_by', { is_not_empty: true }, ALL],
    ['Files', 'files', { is_empty: true }, ['gamma', 'delta']],
    ['Files', 'files', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Relation', 'relation', { is_empty: true }, ['gamma', 'delta']],
    ['Relation', 'relation', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Relation', 'relation', { contains: randomUUID() }, []],
    ['Relation', 'relation', { does_not_contain: randomUUID() }, ALL],
    ['Verified', 'verification', { status: 'verified' }, ['alpha']],
    ['Verified', 'verification', { status: 'expired' }, ['Beta']],
    ['Verified', 'verification', { status: 'none' }, ['gamma', 'delta']],
    ['Verified', 'verification', { does_not_equal: 'expired' }, ['alpha', 'gamma', 'delta']],
    ['Verified', 'verification', { does_not_equal: 'none' }, ['alpha', 'Beta']],
  ]
  it.each(cases.map((row, index) => [...row, index] as const))(
    '200 %s: %s %j',
    async (property, key, condition, expected, index) => {
      const alone = { property, [key]: condition }
      // Every other one as a part of a larger filter, and with the type spelled out.
      const filter = index % 2 === 0 ? alone : { and: [{ ...alone, type: key }, { or: [] }] }
      expect(sorted(await names({ filter }))).toStrictEqual(sorted(expected))
    },
  )

  it('200 a relation by the page it leads to', async () => {
    const filter = (condition: object): object => ({ filter: { property: 'Relation', relation: condition } })
    expect(sorted(await names(filter({ contains: rows.get('Zinc') })))).toStrictEqual(['Beta', 'alpha'])
    expect(await names(filter({ contains: rows.get('Ash') }))).toStrictEqual(['Beta'])
    expect(sorted(await names(filter({ does_not_contain: rows.get('Ash') })))).toStrictEqual(['alpha', 'delta', 'gamma'])
  })

  it('200 properties by id, options by id', async () => {
    const columns = await columnsOf(server.owner, made.sourceId)
    const option = String(at(columns['Select'] ?? {}, 'select', 'options', 1, 'id'))
    const filter = { property: idOf(columns['Select']), select: { equals: option } }
    expect(await names({ filter })).toStrictEqual(['Beta'])
  })

  it('200 timestamps of the row, without a property', async () => {
    const created = { timestamp: 'created_time', created_time: { after: '2026-05-16T04:30:03Z' } }
    expect(await names({ filter: created })).toStrictEqual(['delta'])
    const edited = { timestamp: 'last_edited_time', last_edited_time: { before: '2026-05-16T04:30:02Z' } }
    expect(await names({ filter: { ...edited, type: 'last_edited_time' } })).toStrictEqual(['alpha'])
  })

  it('200 and, or, two levels deep; empty lists restrict nothing (6.2.12)', async () => {
    const number = { property: 'Number', number: { equals: 1 } }
    const checked = { property: 'Check', checkbox: { equals: true } }
    const none = { property: 'Date', date: { is_empty: true } }
    expect(await names({ filter: { and: [number, checked] } })).toStrictEqual(['alpha'])
    expect(await names({ filter: { or: [none, checked] } })).toStrictEqual(['delta', 'alpha'])
    expect(await names({ filter: { or: [none, { and: [number, checked] }] } })).toStrictEqual(['delta', 'alpha'])
    expect(await names({ filter: { and: [number, { or: [none, checked] }] } })).toStrictEqual(['alpha'])
    expect(await names({ filter: { or: [] } })).toHaveLength(4)
    expect(await names({ filter: { and: [{ or: [] }, { and: [] }] } })).toHaveLength(4)
    expect(await names({ filter: { and: Array.from({ length: 100 }, () => number) } })).toHaveLength(2)
  })

  it('200 mentions count by what they read as for the caller', async () => {
    const own = await makeDatabase(server.owner, parent, { Note: { rich_text: {} } })
    const mention = { type: 'mention', mention: { type: 'page', page: { id: parent } } }
    await makeRow(server.owner, own.sourceId, { ...title('one'), Note: { rich_text: [text('see '), mention] } })
    await makeRow(server.owner, own.sourceId, { ...title('two'), Note: { rich_text: [text(`${'x'.repeat(1_500)} End`)] } })
    const find = async (condition: object): Promise<string[]> => {
      const body = { filter: { property: 'Note', rich_text: condition } }
      const answer = await server.owner.call('queryDataSource', { path: { data_source_id: own.sourceId }, body })
      return resultsOf(answer.body).map(nameOf)
    }
    expect(await find({ equals: 'see Parent' })).toStrictEqual(['one'])
    expect(await find({ ends_with: 'PARENT' })).toStrictEqual(['one'])
    expect(await find({ does_not_contain: 'parent' })).toStrictEqual(['two'])
    expect(await find({ ends_with: 'x end' })).toStrictEqual(['two'])
    expect(await find({ is_empty: true })).toStrictEqual([])
  })
})

describe('bad input', () => {
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
      'an unknown property inside',
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
    ['text asked of a select', { filter: { property: 'Select', rich_text: { equals: 'low' } } }, 'body.filter.rich_text'],
    ['title asked of a text', { filter: { property: 'Text', title: { equals: 'low' } } }, 'body.filter.title'],
    ['two keys', { filter: { property: 'Number', number: { equals: 1 }, title: { equals: 'x' } } }, 'body.filter.title'],
    ['two conditions', { filter: { property: 'Number', number: { equals: 1, less_than: 2 } } }, 'body.filter.number.less_than'],
    ['no condition', { filter: { property: 'Number', number: {} } }, 'body.filter.number.equals'],
    ['is_empty false', { filter: { property: 'Number', number: { is_empty: false } } }, 'body.filter.number.is_empty'],
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
    ['a third level', { filter: third }, 'body.filter.or[0].and[0].and'],
    ['over 100 entries', { filter: { and: at100 } }, 'body.filter.and.length'],
    ['and beside or', { filter: { and: [], or: [] } }, 'body.filter.or'],
    ['a misspelt combinator', { filter: { orr: [] } }, 'body.filter.orr'],
    [
      'a misspelt combinator: what it could be',
      { filter: { orr: [] } },
      'body.filter.or',
      'body.filter.multi_select should be defined',
    ],
    ['no known condition key', { filter: { property: 'Number' } }, 'body.filter.and', 'body.filter.number should be defined'],
    ['a word that is no date', { filter: { property: 'Date', date: { equals: 'someday' } } }, 'body.filter.date.equals'],
    ['a day that does not exist', { filter: { property: 'Date', date: { before: '2026-02-30' } } }, 'body.filter.date.before'],
    [
      'an offset that does not exist',
      { filter: { timestamp: 'created_time', created_time: { after: '2026-01-01T00:00+99:00' } } },
      'body.filter.created_time.after',
    ],
    [
      'a window that is not empty',
      { filter: { property: 'Date', date: { past_week: { x: 1 } } } },
      'body.filter.date.past_week.x',
    ],
    ['a person that is no id', { filter: { property: 'People', people: { contains: 'Ann' } } }, 'body.filter.people.contains'],
    ['a page that is no id', { filter: { property: 'Relation', relation: { contains: 'me' } } }, 'body.filter.relation.contains'],
    ['a sort without direction', { sorts: [{ property: 'Name' }] }, 'body.sorts[0].direction'],
    [
      'a sort by both',
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
    ['a cursor that is none', { start_cursor: 'garbage' }, 'body.start_cursor'],
    ['an unknown result type', { result_type: 'block' }, 'body.result_type'],
    [
      'a bad filter beside data sources alone',
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
  it.each(bad)('400 %s', async (_name, body, path, words = '') => {
    const answer = await query(body)
    expectInvalid(answer, path)
    expect(String(answer.body['message'])).toContain(words)
  })

  it('400 filter_properties: over 100 of them', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `p${index}`)
    expectInvalid(await query({}, { query: { filter_properties: many } }), 'query.filter_properties.length')
  })

  it('400 malformed ids; 404 what is not there, not shared, in the trash, or no data source', async () => {
    const call = (id: string): Promise<Answer> => server.owner.call('queryDataSource', { path: { data_source_id: id }, body: {} })
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

  it('403 without the capability to read', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'insert_content'], grants: [parent] })
    for (const id of [made.sourceId, randomUUID()])
      expectError(await caller.call('queryDataSource', { path: { data_source_id: id }, body: {} }), 403, 'restricted_resource')
  })
})

describe('sorts', () => {
  const by = (property: string, direction = 'ascending'): object => ({ property, direction })
  const cases: [property: string, ascending: string[], descending: string[]][] = [
    ['Name', ['alpha', 'Beta', 'delta', 'gamma'], ['gamma', 'delta', 'Beta', 'alpha']],
    ['Text', ['Beta', 'alpha', 'delta', 'gamma'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Number', ['Beta', 'gamma', 'alpha', 'delta'], ['gamma', 'alpha', 'Beta', 'delta']],
    ['Id', ['alpha', 'Beta', 'gamma', 'delta'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['Check', ['delta', 'gamma', 'Beta', 'alpha'], ['alpha', 'delta', 'gamma', 'Beta']],
    ['Select', ['alpha', 'Beta', 'delta', 'gamma'], ['Beta', 'alpha', 'delta', 'gamma']],
    ['Status', ['delta', 'gamma', 'Beta', 'alpha'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Multi', ['Beta', 'alpha', 'gamma', 'delta'], ['gamma', 'alpha', 'Beta', 'delta']],
    ['Date', ['gamma', 'alpha', 'Beta', 'delta'], ['Beta', 'alpha', 'gamma', 'delta']],
    ['Files', ['Beta', 'alpha', 'delta', 'gamma'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Relation', ['Beta', 'alpha', 'delta', 'gamma'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Place', ['Beta', 'alpha', 'delta', 'gamma'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Verified', ['delta', 'gamma', 'Beta', 'alpha'], ['alpha', 'Beta', 'delta', 'gamma']],
    ['Created', ['alpha', 'Beta', 'gamma', 'delta'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['Edited', ['alpha', 'Beta', 'gamma', 'delta'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['created_time', ['alpha', 'Beta', 'gamma', 'delta'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['last_edited_time', ['alpha', 'Beta', 'gamma', 'delta'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['Author', ['delta', 'gamma', 'Beta', 'alpha'], ['delta', 'gamma', 'Beta', 'alpha']],
    ['Editor', ['delta', 'gamma', 'Beta', 'alpha'], ['delta', 'gamma', 'Beta', 'alpha']],
  ]
  it.each(cases)('200 by %s, empty values last in both directions', async (property, ascending, descending) => {
    expect(await names({ sorts: [by(property)] })).toStrictEqual(ascending)
    expect(await names({ sorts: [by(property, 'descending')] })).toStrictEqual(descending)
  })

  it('200 by the name of the first person', async () => {
    const [one, other] = story.people.map(({ name }) => name)
    const ascending = (one ?? '') < (other ?? '') ? ['Beta', 'alpha'] : ['alpha', 'Beta']
    expect((await names({ sorts: [by('People')] })).slice(0, 2)).toStrictEqual(ascending)
    expect((await names({ sorts: [by('People', 'descending')] })).slice(0, 2)).toStrictEqual(ascending.toReversed())
  })

  it('200 by timestamps; without sorts, and with an empty list, the newest first (7.3)', async () => {
    expect(await names({ sorts: [{ timestamp: 'created_time', direction: 'ascending' }] })).toStrictEqual(ALL)
    expect(await names({ sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }] })).toStrictEqual(ALL.toReversed())
    expect(await names({})).toStrictEqual(ALL.toReversed())
    expect(await names({ sorts: [] })).toStrictEqual(ALL.toReversed())
  })

  it('200 ties are decided by the next sort, then the newest first (7.2)', async () => {
    expect(await names({ sorts: [by('Number', 'descending'), by('Name')] })).toStrictEqual(['alpha', 'gamma', 'Beta', 'delta'])
    expect(await names({ sorts: [by('Status'), by('Number'), by('Name')] })).toStrictEqual(['gamma', 'delta', 'Beta', 'alpha'])
    expect(await names({ sorts: [by('Check'), by('Date', 'descending')] })).toStrictEqual(['Beta', 'gamma', 'delta', 'alpha'])
    expect(await names({ sorts: [by('Multi'), by('Verified'), by('created_time')] })).toStrictEqual([
      'Beta',
      'alpha',
      'gamma',
      'delta',
    ])
  })
})

describe('answers', () => {
  it('200 a list of full rows; without a body all of them', async () => {
    const answer = await server.owner.call('queryDataSource', { path: { data_source_id: made.sourceId } })
    expect(answer.body).toMatchObject({
      object: 'list',
      type: 'page_or_data_source',
      page_or_data_source: {},
      has_more: false,
      next_cursor: null,
    })
    expect(answer.body).not.toHaveProperty('request_status')
    expect(resultsOf(answer.body)).toHaveLength(4)
    const page = await server.owner.call('retrievePage', { path: { page_id: rows.get('delta') ?? '' } })
    expect({ ...resultsOf(answer.body)[0], request_id: page.body['request_id'] }).toStrictEqual(page.body)
  })

  it('200 filter_properties by name or id, in the order of the schema; unknown ones are skipped (21)', async () => {
    const columns = await columnsOf(server.owner, made.sourceId)
    const shown = [idOf(columns['Number']), 'Text', 'title', 'nothing']
    for (const form of ['filter_properties', 'filter_properties[]']) {
      const answer = await query({ page_size: 1 }, { query: { [form]: shown } })
      expect(Object.keys(resultsOf(answer.body)[0]?.['properties'] as object)).toStrictEqual(['Name', 'Text', 'Number'])
    }
  })

  it('200 result_type: pages, or nothing where only data sources are asked for (24)', async () => {
    expect(resultsOf((await query({ result_type: 'page' })).body)).toHaveLength(4)
    expect((await query({ result_type: 'data_source' })).body).toMatchObject({ results: [], has_more: false })
  })

  it('200 in_trash shows the rows in the trash and only those', async () => {
    const own = await makeDatabase(server.owner, parent, { Number: { number: {} } })
    const call = (body: object): Promise<Answer> =>
      server.owner.call('queryDataSource', { path: { data_source_id: own.sourceId }, body })
    const [kept, gone] = [
      await makeRow(server.owner, own.sourceId, { Number: { number: 1 } }),
      await makeRow(server.owner, own.sourceId, { Number: { number: 2 } }),
    ]
    await server.owner.call('updatePage', { path: { page_id: idOf(gone) }, body: { in_trash: true } })
    const sorts = [{ property: 'Number', direction: 'descending' }]
    for (const body of [{}, { sorts }, { filter: { property: 'Number', number: { is_not_empty: true } } }]) {
      expect(resultsOf((await call(body)).body).map(idOf)).toStrictEqual([idOf(kept)])
      const trashed = resultsOf((await call({ ...body, in_trash: true })).body)
      expect(trashed.map(idOf)).toStrictEqual([idOf(gone)])
      expect(trashed[0]?.['in_trash']).toBe(true)
    }
  })

  it('200 a connection sees the rows of a database that is shared through the page above it (18)', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [parent] })
    const path = { data_source_id: made.sourceId }
    expect(resultsOf((await caller.call('queryDataSource', { path, body: {} })).body)).toHaveLength(4)
    // Relations to what it does not see are no properties for it (5.4.7).
    const other = await makeConnection(server, { capabilities: ['read_content'], grants: [made.id] })
    expectInvalid(
      await other.caller.call('queryDataSource', {
        path,
        body: { filter: { property: 'Relation', relation: { is_empty: true } } },
      }),
      'body.filter.property',
    )
  })

  it('200 has_more goes with next_cursor, which leads on (19)', async () => {
    for (const sorts of [
      [],
      [{ property: 'Number', direction: 'descending' }],
      [
        { property: 'Multi', direction: 'ascending' },
        { property: 'Name', direction: 'ascending' },
      ],
    ]) {
      const whole = await names({ sorts })
      const found: string[] = []
      for (let cursor: unknown; ;) {
        const answer = await query({ sorts, page_size: 1, ...(cursor === undefined ? {} : { start_cursor: cursor }) })
        found.push(...resultsOf(answer.body).map(nameOf))
        cursor = answer.body['next_cursor']
        expect(answer.body['has_more']).toBe(cursor !== null)
        if (cursor === null) break
      }
      expect(found).toStrictEqual(whole)
    }
    const first = await query({ page_size: 1 })
    expectInvalid(
      await query({
        page_size: 1,
        start_cursor: first.body['next_cursor'],
        sorts: [{ property: 'Name', direction: 'ascending' }],
      }),
      'body.start_cursor',
    )
  })
})
