import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { columnsOf, makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { ALL, first, made, nameOf, names, parent, prepareRows, query, rows, server } from './reference/rows_of_every_type.ts'

beforeAll(prepareRows)
afterAll(() => server.stop())

describe('queryDataSource: sorts', () => {
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
  it.each(cases)('200 sorted by %s, with empty values last in both directions', async (property, ascending, descending) => {
    expect(await names({ sorts: [by(property)] })).toStrictEqual(ascending)
    expect(await names({ sorts: [by(property, 'descending')] })).toStrictEqual(descending)
  })

  it('200 sorted by the name of the first person', async () => {
    const [one, other] = exampleWorkspace.people.map(({ name }) => name)
    const ascending = (one ?? '') < (other ?? '') ? ['Beta', 'alpha'] : ['alpha', 'Beta']
    expect((await names({ sorts: [by('People')] })).slice(0, 2)).toStrictEqual(ascending)
    expect((await names({ sorts: [by('People', 'descending')] })).slice(0, 2)).toStrictEqual(ascending.toReversed())
  })

  it('200 sorted by timestamps, and newest first without sorts or with an empty list', async () => {
    expect(await names({ sorts: [{ timestamp: 'created_time', direction: 'ascending' }] })).toStrictEqual(ALL)
    expect(await names({ sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }] })).toStrictEqual(ALL.toReversed())
    expect(await names({})).toStrictEqual(ALL.toReversed())
    expect(await names({ sorts: [] })).toStrictEqual(ALL.toReversed())
  })

  it('200 with equal values sorted by the next sort, then newest first', async () => {
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

describe('queryDataSource: responses', () => {
  it('200 with full rows; a request without a body returns all rows', async () => {
    const response = await server.owner.call('queryDataSource', { path: { data_source_id: made.sourceId } })
    expect(response.body).toMatchObject({
      object: 'list',
      type: 'page_or_data_source',
      page_or_data_source: {},
      has_more: false,
      next_cursor: null,
    })
    expect(response.body).not.toHaveProperty('request_status')
    expect(resultsOf(response.body)).toHaveLength(4)
    const page = await server.owner.call('retrievePage', { path: { page_id: rows.get('delta') ?? '' } })
    expect({ ...resultsOf(response.body)[0], request_id: page.body['request_id'] }).toStrictEqual(page.body)
  })

  it('200 with only the properties that filter_properties lists by name or id, in schema order; unknown ones are ignored', async () => {
    const columns = await columnsOf(server.owner, made.sourceId)
    const shown = [idOf(columns['Number']), 'Text', 'title', 'nothing']
    for (const form of ['filter_properties', 'filter_properties[]']) {
      const response = await query({ page_size: 1 }, { query: { [form]: shown } })
      expect(Object.keys(resultsOf(response.body)[0]?.['properties'] as object)).toStrictEqual(['Name', 'Text', 'Number'])
    }
  })

  it('200 with rows for result_type page, and with an empty list for result_type data_source', async () => {
    expect(resultsOf((await query({ result_type: 'page' })).body)).toHaveLength(4)
    expect((await query({ result_type: 'data_source' })).body).toMatchObject({ results: [], has_more: false })
  })

  it('200 with only the rows in the trash for in_trash', async () => {
    const own = await makeDatabase(server.owner, parent, { Number: { number: {} } })
    const call = (body: object): Promise<TestResponse> =>
      server.owner.call('queryDataSource', { path: { data_source_id: own.sourceId }, body })
    const [kept, gone] = [
      await makeRow(server.owner, own.sourceId, { Number: { number: 1 } }),
      await makeRow(server.owner, own.sourceId, { Number: { number: 2 } }),
    ]
    await server.owner.call('updatePage', { path: { page_id: idOf(gone) }, body: { in_trash: true } })
    const sorts = [{ property: 'Number', direction: 'descending' }]
    const bodies = [{}, { sorts }, { filter: { property: 'Number', number: { is_not_empty: true } } }]
    for (const body of bodies) {
      expect(resultsOf((await call(body)).body).map(idOf)).toStrictEqual([idOf(kept)])
      const trashed = resultsOf((await call({ ...body, in_trash: true })).body)
      expect(trashed.map(idOf)).toStrictEqual([idOf(gone)])
      expect(trashed[0]?.['in_trash']).toBe(true)
    }
    await server.owner.call('updatePage', { path: { page_id: idOf(gone) }, body: { in_trash: false } })
    for (const body of bodies) {
      expect(resultsOf((await call(body)).body).map(idOf)).toContain(idOf(gone))
      expect(resultsOf((await call({ ...body, in_trash: true })).body)).toStrictEqual([])
    }
  })

  it('200 with the rows of a database shared through an ancestor page', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [parent] })
    const path = { data_source_id: made.sourceId }
    expect(resultsOf((await caller.call('queryDataSource', { path, body: {} })).body)).toHaveLength(4)
    // Relations to hidden data sources are not properties for this connection.
    const other = await makeConnection(server, { capabilities: ['read_content'], grants: [made.id] })
    expectInvalid(
      await other.caller.call('queryDataSource', {
        path,
        body: { filter: { property: 'Relation', relation: { is_empty: true } } },
      }),
      'body.filter.property',
    )
  })

  it('200 with has_more, and a next_cursor that continues the list; 400 when the sorts differ', async () => {
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
        const response = await query({ sorts, page_size: 1, ...(cursor === undefined ? {} : { start_cursor: cursor }) })
        found.push(...resultsOf(response.body).map(nameOf))
        cursor = response.body['next_cursor']
        expect(response.body['has_more']).toBe(cursor !== null)
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
