import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const NAME = { Name: { title: {} } }
const create = (databaseId: string, body: object = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('createDataSource', { body: { parent: { database_id: databaseId }, properties: NAME, ...body } })
const retrieve = (id: string, caller = server.owner): Promise<TestResponse> =>
  caller.call('retrieveDataSource', { path: { data_source_id: id } })

describe('createDataSource', () => {
  it('200 with the data source last in the database, with its own title, description and icon', async () => {
    const { id, sourceId } = await makeDatabase(
      server.owner,
      parent,
      {},
      { description: [text('Shared')], icon: { emoji: '🔧' } },
    )
    server.clock.advance(1000)
    const { status, body } = await create(id, {
      parent: { type: 'database_id', database_id: id },
      title: [text('Parts')],
      icon: { emoji: '⛵' },
      properties: { ...NAME, Stock: { number: {} } },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'data_source',
      title: [readText('Parts')],
      description: [],
      icon: { emoji: '⛵' },
      parent: { type: 'database_id', database_id: id },
      database_parent: { type: 'page_id', page_id: parent },
      properties: { Name: { id: 'title' }, Stock: { number: { format: 'number' } } },
    })
    const read = await retrieve(idOf(body))
    expect({ ...read.body, request_id: null }).toStrictEqual({ ...body, request_id: null })
    const database = await server.owner.call('retrieveDatabase', { path: { database_id: id } })
    expect(database.body['data_sources']).toStrictEqual([
      { id: sourceId, name: 'Repairs' },
      { id: idOf(body), name: 'Parts' },
    ])
    expect(database.body['last_edited_time']).toBe(new Date(server.clock.now()).toISOString())
    expect((await retrieve(sourceId)).body).toMatchObject({ description: [readText('Shared')], icon: { emoji: '🔧' } })
  })

  it('200 with the title New database when none is sent', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    expect((await create(id, { icon: null })).body).toMatchObject({ title: [], icon: null })
    const database = await server.owner.call('retrieveDatabase', { path: { database_id: id } })
    expect(at(database.body, 'data_sources', 1, 'name')).toBe('New database')
  })

  it('200 with the opposite of a two-way relation named after the data source', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    const To = { relation: { data_source_id: sourceId, dual_property: {} } }
    await create(id, { title: [text('Parts')], properties: { ...NAME, To } })
    await create(id, { title: [text('Parts')], properties: { ...NAME, To } })
    expect(Object.keys(await columnsOf(server.owner, sourceId))).toStrictEqual([
      'Name',
      'Related to Parts (To)',
      'Related to Parts (To) 2',
    ])
  })

  it('200 with a partial data source when the caller may not read content', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    const writer = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { body } = await create(id, {}, writer.caller)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'data_source',
      id: idOf(body),
      properties: { Name: { id: 'title', name: 'Name', description: null, type: 'title', title: {} } },
      request_id: null,
    })
  })

  it('400 for bodies that violate the contract or the schema rules', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    expectInvalid(await server.owner.call('createDataSource', { body: { properties: NAME } }), 'body.parent')
    expectInvalid(await server.owner.call('createDataSource', { body: { parent: { database_id: id } } }), 'body.properties')
    expectInvalid(await create(id, { description: 'Parts' }), 'body.description')
    expectInvalid(await create(id, { properties: { A: { url: {} } } }), 'body.properties')
    expectInvalid(await create(id, { properties: { ...NAME, A: { rollup: { function: 'count' } } } }), 'body.properties.A.rollup')
  })

  it('400 when the database is in the trash or has a hundred data sources', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    await server.owner.call('deleteBlock', { path: { block_id: id } })
    expectInvalid(await create(id), 'body.parent')
    const full = await makeDatabase(server.owner, parent)
    for (let count = 1; count < 100; count += 1) await create(full.id)
    expectInvalid(await create(full.id), 'body.parent.database_id')
  })

  it('401 without a token, 403 without the capability, and 404 for an unknown id or an id of another kind', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    expectError(await create(id, {}, server.caller(undefined)), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await create(id, {}, reader.caller), 403, 'restricted_resource')
    for (const wrong of [randomUUID(), sourceId, parent]) expectNotFound(await create(wrong), wrong)
  })
})
