import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { merged, one, only, other, two } from './2025-09-03.stored.ts'
import { downgradeBy, ID, judge, list, lookupsIn, type Stored, upgradeBy } from './support.ts'

const location = { parent: { page_id: ID.page } }

describe('E5 parents of rows', () => {
  const row = (parent: JsonObject): JsonObject => ({ object: 'page', id: ID.page, parent })
  const rows: [string, JsonObject, JsonObject][] = [
    [
      'a row',
      row({ type: 'data_source_id', data_source_id: ID.dataSource, database_id: ID.database }),
      row({ type: 'database_id', database_id: ID.database }),
    ],
    ['a page in a page', row({ type: 'page_id', page_id: ID.page }), row({ type: 'page_id', page_id: ID.page })],
    ['a page of an agent', row({ type: 'agent_id', agent_id: ID.user }), row({ type: 'agent_id', agent_id: ID.user })],
    [
      'a data source, which stays',
      { object: 'data_source', id: ID.dataSource, parent: { type: 'data_source_id', data_source_id: ID.otherDataSource } },
      { object: 'data_source', id: ID.dataSource, parent: { type: 'data_source_id', data_source_id: ID.otherDataSource } },
    ],
  ]
  it.each(rows)('are downgraded in a response: %s', async (_name, newer, older) => {
    expect(await downgradeBy('E5', newer)).toStrictEqual(older)
  })
  it('are downgraded for the page created by a task', async () => {
    const task = (parent: JsonObject): JsonObject => ({ object: 'async_task', status: 'succeeded', result: row(parent) })
    expect(
      await downgradeBy('E5', task({ type: 'data_source_id', data_source_id: ID.dataSource, database_id: ID.database })),
    ).toStrictEqual(task({ type: 'database_id', database_id: ID.database }))
  })
  it('may be a database, but not a data source, in a request for a new page', () => {
    expect(judge('2022-06-28', 'createPage', { parent: { database_id: ID.database }, properties: {} })).toBeUndefined()
    expect(
      judge('2022-06-28', 'createPage', { parent: { type: 'database_id', database_id: ID.database }, properties: {} }),
    ).toBeUndefined()
    expect(
      judge('2022-06-28', 'createPage', { parent: { database_id: ID.database, data_source_id: ID.dataSource }, properties: {} }),
    ).toContain('body.parent.data_source_id should be not present')
    expect(judge('2022-06-28', 'createPage', { parent: { data_source_id: ID.dataSource }, properties: {} })).toContain(
      'body.parent.data_source_id should be not present',
    )
    expect(judge('2025-09-03', 'createPage', { parent: { data_source_id: ID.dataSource }, properties: {} })).toBeUndefined()
  })
  it('become the only data source of the database in a request for a move', async () => {
    const { call, preparations } = upgradeBy('E5', 'movePage', { parent: { type: 'database_id', database_id: ID.database } })
    for (const preparation of preparations) await preparation(lookupsIn(one))
    expect(call.body).toStrictEqual({ parent: { type: 'data_source_id', data_source_id: ID.dataSource } })
    expect(
      judge('2022-06-28', 'movePage', { parent: { type: 'database_id', database_id: 'x' } }, { page_id: ID.page }),
    ).toContain('body.parent.database_id should be a valid uuid')
    expect(
      judge(
        '2022-06-28',
        'movePage',
        { parent: { type: 'data_source_id', data_source_id: ID.dataSource } },
        { page_id: ID.page },
      ),
    ).toMatch(/body\.parent/)
  })
})

describe('E6 searching', () => {
  const rows: [string, unknown, string | undefined][] = [
    ['database', 'database', undefined],
    ['page', 'page', undefined],
    ['data_source', 'data_source', 'body.filter.value should be one of `"page"`, `"database"`, instead was `"data_source"`.'],
    ['other kinds', 'block', 'body.filter.value should be one of `"page"`, `"database"`, instead was `"block"`.'],
  ]
  it.each(rows)('accepts page and database as the kind of object, and nothing else: %s', (_name, value, complaint) => {
    const error = judge('2022-06-28', 'search', { filter: { property: 'object', value } })
    if (complaint === undefined) expect(error).toBeUndefined()
    else expect(error).toContain(complaint)
  })
  it('upgrades database to data_source, and refuses database from 2025-09-03 on', () => {
    expect(upgradeBy('E6', 'search', { filter: { property: 'object', value: 'database' } }).call.body).toStrictEqual({
      filter: { property: 'object', value: 'data_source' },
    })
    expect(judge('2025-09-03', 'search', { filter: { property: 'object', value: 'database' } })).toContain(
      'body.filter.value should be one of `"page"`, `"data_source"`',
    )
  })

  const page = { object: 'page', id: ID.page, parent: { type: 'workspace', workspace: true } }
  const responses: [string, Stored, unknown[], unknown[]][] = [
    ['pages', one, [page], [page]],
    ['a data source', one, [page, { ...only }], [page, merged]],
    ['a data source with the keys of F2', one, [{ ...only, archived: false }], [{ ...merged, archived: false }]],
    [
      'a data source in the trash, whose database is not',
      one,
      [{ ...only, in_trash: true, archived: true }],
      [{ ...merged, archived: false }],
    ],
    ['no results', one, [], []],
    ['one of two data sources', two, [{ ...other }], [{ object: 'database', id: ID.database }]],
    ['a partial data source', one, [{ object: 'data_source', id: ID.dataSource }], [{ object: 'database', id: ID.database }]],
  ]
  it.each(responses)('downgrades a response with %s', async (_name, stored, newer, older) => {
    expect(await downgradeBy('E6', list('page_or_data_source', newer), stored)).toStrictEqual(list('page_or_database', older))
  })
})

describe('E7 targets of relations', () => {
  const schema = (relation: JsonObject): JsonObject => ({ properties: { Crew: { relation } } })
  it('become the only data source of the database', async () => {
    const { call, preparations } = upgradeBy('E7', 'createDatabase', schema({ database_id: ID.database, single_property: {} }))
    for (const preparation of preparations) await preparation(lookupsIn(one))
    expect(call.body).toStrictEqual(schema({ data_source_id: ID.dataSource, single_property: {} }))
  })
  const create = (relation: JsonObject): [OperationId, JsonObject] => [
    'createDatabase',
    { ...location, properties: { Name: { title: {} }, Crew: { relation } } },
  ]
  it('are named in errors by the keys of the version', () => {
    expect(judge('2022-06-28', ...create({ database_id: 'x', single_property: {} }))).toContain(
      'body.properties.Crew.relation.database_id should be a valid uuid',
    )
    expect(judge('2022-06-28', ...create({ single_property: {} }))).toContain(
      'body.properties.Crew.relation.database_id should be defined',
    )
    expect(
      judge('2022-06-28', ...create({ database_id: ID.database, data_source_id: ID.dataSource, single_property: {} })),
    ).toBeUndefined()
    expect(judge('2025-09-03', ...create({ database_id: ID.database, single_property: {} }))).toMatch(
      /body\.properties\.Crew\.relation\.(?:database_id should be not present|data_source_id should be defined)/,
    )
  })
})
