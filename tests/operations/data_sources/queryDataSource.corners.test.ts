import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundsOfDate } from '../../../server/domain/data/queries/date_ranges.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { createViewQuery, viewIds } from '../../harness/views.ts'
import { made, names, parent, prepareRows, query, rows, server } from './reference/rows_of_every_type.ts'

beforeAll(prepareRows)
afterAll(() => server.stop())

const queryOf = (sourceId: string, body: object = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('queryDataSource', { path: { data_source_id: sourceId }, body })

describe('queryDataSource: optional and ambiguous members', () => {
  it('200 for a null cursor as for none, and for percent-encoded property ids', async () => {
    const id = String((await columnsOf(server.owner, made.sourceId))['Number']?.['id'])
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
    const { status, body } = await query({ start_cursor: null }, { query: { filter_properties: [encoded] } })
    expect(status).toBe(200)
    expect(resultsOf(body)).toHaveLength(4)
    expect(Object.keys(resultsOf(body)[0]?.['properties'] as object)).toStrictEqual(['Number'])
  })

  it('200 sorted by a property called created_time instead of the timestamp of that name', async () => {
    const own = await makeDatabase(server.owner, parent, { created_time: { number: {} } })
    const ids: string[] = []
    for (const number of [2, 1]) {
      server.clock.advance(1000)
      ids.push(idOf(await makeRow(server.owner, own.sourceId, { created_time: { number } })))
    }
    const sorts = [{ property: 'created_time', direction: 'ascending' }]
    expect(resultsOf((await queryOf(own.sourceId, { sorts })).body).map(idOf)).toStrictEqual(ids.toReversed())
  })

  it.each<[string, object, string]>([
    [
      'a type that differs from the condition',
      { filter: { property: 'Number', type: 'title', number: { equals: 1 } } },
      'body.filter.type',
    ],
    [
      'a type of another timestamp',
      { filter: { timestamp: 'created_time', type: 'last_edited_time', created_time: { past_week: {} } } },
      'body.filter.type',
    ],
    [
      'a condition on another timestamp',
      { filter: { timestamp: 'created_time', last_edited_time: { past_week: {} } } },
      'body.filter.timestamp',
    ],
    [
      '101 options',
      { filter: { property: 'Select', select: { equals: Array.from({ length: 101 }, () => 'low') } } },
      'body.filter.select.equals.length',
    ],
    [
      '101 sorts',
      { sorts: Array.from({ length: 101 }, () => ({ property: 'Name', direction: 'ascending' })) },
      'body.sorts.length',
    ],
    [
      'two ranges of dates',
      { filter: { property: 'Date', date: { past_week: {}, next_week: {} } } },
      'body.filter.date.next_week',
    ],
    [
      'an unknown verification status',
      { filter: { property: 'Verified', verification: { status: 'unverified' } } },
      'body.filter.verification.status',
    ],
  ])('400 for %s', async (_what, body, path) => {
    expectInvalid(await query(body), path)
  })

  it('400 for a cursor of another data source or another kind of list', async () => {
    const own = await makeDatabase(server.owner, parent)
    for (let count = 0; count < 2; count += 1) await makeRow(server.owner, own.sourceId)
    const cursor = textAt((await queryOf(own.sourceId, { page_size: 1 })).body, 'next_cursor')
    expectInvalid(await query({ start_cursor: cursor }), 'body.start_cursor')
    const children = await server.owner.call('listBlockChildren', { path: { block_id: parent }, query: { page_size: 1 } })
    expectInvalid(await queryOf(own.sourceId, { start_cursor: textAt(children.body, 'next_cursor') }), 'body.start_cursor')
  })

  it('404 when the data source or its database is in the trash', async () => {
    const own = await makeDatabase(server.owner, parent)
    const trash = (in_trash: boolean): Promise<TestResponse> =>
      server.owner.call('updateDataSource', { path: { data_source_id: own.sourceId }, body: { in_trash } })
    await trash(true)
    expectNotFound(await queryOf(own.sourceId), own.sourceId)
    await trash(false)
    expect((await queryOf(own.sourceId)).status).toBe(200)
    await server.owner.call('deleteBlock', { path: { block_id: own.id } })
    expectNotFound(await queryOf(own.sourceId), own.sourceId)
  })
})

describe('a date condition', () => {
  const DAY = 86_400_000
  const days = (condition: object, now: string): string[] =>
    (boundsOfDate(condition, Date.parse(now), 'body') ?? []).map(
      ({ operator, value }) => `${operator} ${new Date(value - (operator === '<' ? DAY : 0)).toISOString().slice(0, 10)}`,
    )
  it.each<[object, string, string, string]>([
    [{ equals: 'one_month_ago' }, '2026-03-31T12:00:00Z', '2026-02-28', '2026-02-28'],
    [{ equals: 'one_month_ago' }, '2024-03-30T00:00:00Z', '2024-02-29', '2024-02-29'],
    [{ equals: 'one_month_from_now' }, '2026-01-31T23:59:59Z', '2026-02-28', '2026-02-28'],
    [{ equals: 'one_month_from_now' }, '2026-12-31T00:00:00Z', '2027-01-31', '2027-01-31'],
    [{ past_month: {} }, '2026-05-31T00:00:00Z', '2026-04-30', '2026-05-31'],
    [{ next_month: {} }, '2026-08-31T00:00:00Z', '2026-08-31', '2026-09-30'],
    [{ past_year: {} }, '2024-02-29T00:00:00Z', '2023-02-28', '2024-02-29'],
    [{ next_year: {} }, '2024-02-29T00:00:00Z', '2024-02-29', '2025-02-28'],
    [{ this_week: {} }, '2026-05-17T00:00:00Z', '2026-05-17', '2026-05-23'],
    [{ this_week: {} }, '2026-05-16T23:59:59Z', '2026-05-10', '2026-05-16'],
    [{ past_week: {} }, '2026-01-03T00:00:00Z', '2025-12-27', '2026-01-03'],
    [{ next_week: {} }, '2026-12-28T00:00:00Z', '2026-12-28', '2027-01-04'],
  ])('%j at %s covers %s to %s', (condition, now, first, last) => {
    expect(days(condition, now)).toStrictEqual([`>= ${first}`, `< ${last}`])
  })
})

describe('queryDataSource: order of emoji', () => {
  const titles = ['🔧 b', 'Zinc', '1 a', '🔧 a', '_', 'a']
  it('200 with emoji before digits and letters, and after other punctuation', async () => {
    const own = await makeDatabase(server.owner, parent)
    const ids = new Map<string, string>()
    for (const name of titles) ids.set(name, idOf(await makeRow(server.owner, own.sourceId, { Name: [text(name)] })))
    const order = async (): Promise<string[]> => {
      const sorts = [{ property: 'Name', direction: 'ascending' }]
      const found = resultsOf((await queryOf(own.sourceId, { sorts })).body).map(idOf)
      return found.map((id) => titles.find((name) => ids.get(name) === id) ?? '')
    }
    const expected = ['_', '🔧 a', '🔧 b', '1 a', 'a', 'Zinc']
    expect(await order()).toStrictEqual(expected)
    const filter = { property: 'Name', title: { equals: '🔧 b' } }
    expect(resultsOf((await queryOf(own.sourceId, { filter })).body).map(idOf)).toStrictEqual([ids.get('🔧 b')])
  })
})

describe('queryDataSource: rollups of relations', () => {
  it('200 for any, every and none over the pages to which related pages refer', async () => {
    const target = rows.get('Zinc') ?? ''
    const own = await makeDatabase(server.owner, parent, {
      To: { relation: { data_source_id: made.sourceId, single_property: {} } },
      All: { rollup: { function: 'show_original', relation_property_name: 'To', rollup_property_name: 'Relation' } },
    })
    const link = (...list: string[]): object => ({ To: { relation: list.map((name) => ({ id: rows.get(name) })) } })
    const ids: Record<string, string> = {}
    for (const [name, values] of Object.entries({
      both: link('alpha', 'Beta'),
      one: link('alpha', 'gamma'),
      none: link('delta'),
      empty: {},
    }))
      ids[name] = idOf(await makeRow(server.owner, own.sourceId, { Name: [text(name)], ...values }))
    const find = async (rollup: object): Promise<string[]> =>
      resultsOf((await queryOf(own.sourceId, { filter: { property: 'All', rollup } })).body)
        .map(idOf)
        .toSorted()
    const of = (...list: string[]): string[] => list.map((name) => ids[name] ?? '').toSorted()
    const relation = { contains: target }
    expect(await find({ any: { relation } })).toStrictEqual(of('both', 'one'))
    expect(await find({ every: { relation } })).toStrictEqual(of('both'))
    expect(await find({ none: { relation } })).toStrictEqual(of('none', 'empty'))
    expect(await find({ any: { relation: { is_empty: true } } })).toStrictEqual(of('one', 'none'))
    expectInvalid(
      await queryOf(own.sourceId, { filter: { property: 'All', rollup: { any: { people: { contains: 'me' } } } } }),
      'body.filter.rollup.any.people',
    )
  })
})

describe('row templates', () => {
  it('200 without templates in queries, rollups and views, while listDataSourceTemplates has them as `results` and `templates`', async () => {
    const own = await makeDatabase(server.owner, parent, { Cost: { number: {} } })
    const To = { relation: { data_source_id: own.sourceId, dual_property: {} } }
    const jobs = await makeDatabase(server.owner, parent, {
      To,
      Count: { rollup: { function: 'count', relation_property_name: 'To', rollup_property_name: 'Name' } },
    })
    const [row, ...templates] = [
      await makeRow(server.owner, own.sourceId, { Cost: { number: 1 } }),
      await makeRow(server.owner, own.sourceId, { Name: [text('Intake')], Cost: { number: 2 } }),
      await makeRow(server.owner, own.sourceId, { Name: [text('Survey')], Cost: { number: 3 } }),
    ]
    const job = idOf(
      await makeRow(server.owner, jobs.sourceId, { To: { relation: [row, ...templates].map((one) => ({ id: idOf(one) })) } }),
    )
    await server.service.database.write(async (db) => {
      for (const [index, one] of templates.entries())
        await insertTemplate(db, exampleWorkspace.workspace.id, own.sourceId, {
          id: idOf(one),
          isDefault: false,
          createdTime: index,
        })
    })
    for (const body of [
      {},
      { sorts: [{ property: 'Cost', direction: 'descending' }] },
      { filter: { property: 'Cost', number: { greater_than: 0 } } },
    ])
      expect(resultsOf((await queryOf(own.sourceId, body)).body).map(idOf)).toStrictEqual([idOf(row)])
    const [view = ''] = await viewIds(server.owner, { database_id: own.id })
    expect((await createViewQuery(server.owner, view)).body).toMatchObject({ total_count: 1, results: [{ id: idOf(row) }] })
    const read = await server.owner.call('retrievePage', { path: { page_id: job } })
    expect(at(read.body, 'properties', 'Count', 'rollup', 'number')).toBe(1)
    const list = await server.owner.call('listDataSourceTemplates', {
      path: { data_source_id: own.sourceId },
      query: { page_size: 1 },
    })
    expect(list.body).toMatchObject({ object: 'list', type: 'template', template: {}, results: list.body['templates'] })
    expect(list.body['next_cursor']).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
    const page = await server.owner.call('retrievePage', { path: { page_id: idOf(templates[0]) } })
    expect(at(page.body, 'properties', 'Cost', 'number')).toBe(2)
  })
})

describe('queryDataSource: me', () => {
  it('200 for `me` as the bot of an internal connection', async () => {
    const { caller, botId } = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [parent] })
    const mine = await makeRow(caller, made.sourceId, { Name: [text('mine')] })
    const filter = { property: 'Author', created_by: { contains: 'me' } }
    expect(resultsOf((await queryOf(made.sourceId, { filter }, caller)).body).map(idOf)).toStrictEqual([idOf(mine)])
    expect(await names({ filter: { property: 'Author', created_by: { contains: botId } } })).toStrictEqual(['mine'])
    await server.owner.call('updatePage', { path: { page_id: idOf(mine) }, body: { in_trash: true } })
  })
})
