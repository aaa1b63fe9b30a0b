import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../server/contract/operation.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, parent)

const database = (id: string, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('retrieveDatabase', { path: { database_id: id } })

describe('retrieveDatabase', () => {
  it('200 with a title from the names of several data sources if its own is empty', async () => {
    const { id } = await makeDatabase(server.owner, parent, {}, { title: [] })
    const add = (title: object[]): ReturnType<typeof server.owner.call> =>
      server.owner.call('createDataSource', {
        body: { parent: { database_id: id }, properties: { Name: { title: {} } }, title },
      })
    const second = await add([text('Parts')])
    const { body } = await database(id)
    expect(body['title']).toStrictEqual([readText('New database and Parts')])
    expect(body['data_sources']).toMatchObject([{ name: 'New database' }, { id: idOf(second.body), name: 'Parts' }])
  })

  it('403 without the capability to read content', async () => {
    const writer = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    expectError(await database(made.id, writer.caller), 403, 'restricted_resource')
  })

  it('400 for a malformed id, and 404 for an unknown id or an id of another kind', async () => {
    expectInvalid(await database('boats'), 'path.database_id')
    for (const id of [randomUUID(), made.sourceId, parent]) expectNotFound(await database(id), id)
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expectNotFound(await database(made.id, stranger.caller), made.id)
  })

  it('404 for block and page operations with the id of a data source', async () => {
    const calls: [OperationId, Record<string, string>][] = [
      ['retrieveBlock', { block_id: made.sourceId }],
      ['listBlockChildren', { block_id: made.sourceId }],
      ['deleteBlock', { block_id: made.sourceId }],
      ['retrievePage', { page_id: made.sourceId }],
    ]
    for (const [operation, path] of calls) expectNotFound(await server.owner.call(operation, { path }), made.sourceId)
  })

  it('200 with the database as one object at versions without data sources, and 400 if it has several', async () => {
    const older = server.caller('itk_test_token_of_the_demo_connection', '2022-06-28')
    const { body } = await database(made.id, older)
    expect(body).toMatchObject({ object: 'database', id: made.id, properties: { Name: { id: 'title' } }, archived: false })
    expect(body).not.toHaveProperty('data_sources')
    const two = await makeDatabase(server.owner, parent)
    await server.owner.call('createDataSource', {
      body: { parent: { database_id: two.id }, properties: { Name: { title: {} } } },
    })
    const response = await database(two.id, older)
    expectError(response, 400, 'validation_error')
    expect(textAt(response.body, 'additional_data', 'error_type')).toBe('multiple_data_sources_for_database')
  })
})
