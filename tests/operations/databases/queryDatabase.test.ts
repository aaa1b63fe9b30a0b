import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, parent, {
  Note: { rich_text: {} },
  Phone: { phone_number: {} },
  Number: { number: {} },
})
const ids: string[] = []
for (const [index, name] of ['one', 'two', 'three'].entries()) {
  server.clock.advance(1_000)
  const values = { Number: { number: index }, Note: { rich_text: [text(name)] }, Phone: { phone_number: String(index) } }
  ids.push(idOf(await makeRow(server.owner, made.sourceId, { Name: { title: [text(name)] }, ...values })))
}

const query = (id: string, body: object = {}, caller: Caller = server.owner): Promise<TestResponse> =>
  caller.call('queryDatabase', { path: { database_id: id }, body })
const found = (response: TestResponse): string[] => resultsOf(response.body).map(idOf)

describe('queryDatabase', () => {
  it('200 with the rows, as a list of pages or databases', async () => {
    const response = await query(made.id)
    expect(response.body).toMatchObject({
      object: 'list',
      type: 'page_or_database',
      page_or_database: {},
      has_more: false,
      next_cursor: null,
    })
    expect(found(response)).toStrictEqual(ids.toReversed())
  })

  it('200 for the same body and filter_properties as queryDataSource', async () => {
    const body = {
      filter: { property: 'Number', number: { greater_than: 0 } },
      sorts: [{ property: 'Number', direction: 'ascending' }],
      page_size: 1,
    }
    const first = await server.owner.call('queryDatabase', {
      path: { database_id: made.id },
      query: { filter_properties: 'Number' },
      body,
    })
    expect(found(first)).toStrictEqual([ids[1]])
    expect(Object.keys(at(first.body, 'results', 0, 'properties') as object)).toStrictEqual(['Number'])
    const second = await server.owner.call('queryDatabase', {
      path: { database_id: made.id },
      query: { filter_properties: 'Number' },
      body: { ...body, start_cursor: first.body['next_cursor'] },
    })
    expect(found(second)).toStrictEqual([ids[2]])
    expect((await query(made.id, { result_type: 'data_source' })).body['results']).toStrictEqual([])
  })

  it('400 for the same invalid bodies as queryDataSource, and for a malformed id', async () => {
    expectInvalid(await query(made.id, { filter: { property: 'Nope', number: { equals: 1 } } }), 'body.filter.property')
    expectInvalid(await query(made.id, { sorts: [{ property: 'Nope', direction: 'ascending' }] }), 'body.sorts[0].property')
    expectInvalid(await query(made.id, { page_size: 0 }), 'body.page_size')
    expectInvalid(await query(made.id, { start_cursor: 'x' }), 'body.start_cursor')
    expectInvalid(await query('x'), 'path.database_id')
  })

  it('404 when the database is missing, not shared, in the trash, or another object', async () => {
    expectNotFound(await query(randomUUID()), 'database')
    expectNotFound(await query(made.sourceId), 'database')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [] })
    expectNotFound(await query(made.id, {}, caller), 'database')
    const page = await makePage(server.owner)
    const own = await makeDatabase(server.owner, page)
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expectNotFound(await query(own.id), 'database')
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    expectError(await query(made.id, {}, caller), 403, 'restricted_resource')
  })
})

describe('queryDatabase of a database with several or no data sources', () => {
  it('400 naming the data sources when there are several', async () => {
    const own = await makeDatabase(server.owner, parent)
    const second = await server.owner.call('createDataSource', {
      body: { parent: { database_id: own.id }, properties: { Name: { title: {} } } },
    })
    const response = await query(own.id)
    expectError(response, 400, 'validation_error')
    expect(response.body['additional_data']).toStrictEqual({
      error_type: 'multiple_data_sources_for_database',
      database_id: own.id,
      child_data_source_ids: [own.sourceId, idOf(second.body)],
      minimum_api_version: '2025-09-03',
    })
  })

  it('400 when all data sources are in the trash', async () => {
    const own = await makeDatabase(server.owner, parent)
    await server.service.database.write((db) => db.run('update blocks set in_trash = 1 where id = ?', own.sourceId))
    const response = await query(own.id)
    expectError(response, 400, 'validation_error')
    expect(response.body).not.toHaveProperty('additional_data')
  })
})

describe('queryDatabase at older versions', () => {
  it.each(['2021-05-13', '2021-08-16', '2022-02-22', '2022-06-28', '2025-09-03'])(
    '200 with the same rows, page by page, in %s',
    async (version) => {
      const caller = server.caller(TOKEN, version)
      const response = await query(made.id, { page_size: 2 }, caller)
      expect(response.status, response.text).toBe(200)
      expect(found(response)).toStrictEqual([ids[2], ids[1]])
      const rest = await query(made.id, { page_size: 2, start_cursor: response.body['next_cursor'] }, caller)
      expect(found(rest)).toStrictEqual([ids[0]])
      if (version >= '2022-02-22') expect(response.body['type']).toBe('page_or_database')
      expect(at(response.body, 'results', 0, 'parent', 'type')).toBe(version >= '2025-09-03' ? 'data_source_id' : 'database_id')
      expect(at(response.body, 'results', 0)).toHaveProperty('archived', false)
      expect(found(await query(made.id, { archived: true }, caller))).toStrictEqual([])
    },
  )

  it('200 for older keys of conditions', async () => {
    const caller = server.caller(TOKEN, '2021-08-16')
    expect(found(await query(made.id, { filter: { property: 'Note', text: { contains: 'TW' } } }, caller))).toStrictEqual([
      ids[1],
    ])
    expect(found(await query(made.id, { filter: { property: 'Phone', phone: { equals: '2' } } }, caller))).toStrictEqual([ids[2]])
    expectInvalid(await query(made.id, { filter: { property: 'Number', text: { equals: '2' } } }, caller), 'body.filter.text')
  })

  it('400 for queryDataSource, which requires a newer version', async () => {
    const response = await server
      .caller(TOKEN, '2022-06-28')
      .call('queryDataSource', { path: { data_source_id: made.sourceId }, body: {} })
    expectError(response, 400, 'invalid_request_url')
    const newer = await server
      .caller(TOKEN, '2025-09-03')
      .call('queryDataSource', { path: { data_source_id: made.sourceId }, body: { archived: false } })
    expect(newer.status).toBe(200)
  })
})
