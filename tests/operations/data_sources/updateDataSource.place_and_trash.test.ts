import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, readRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const update = (id: string, body: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: id }, body })
const made = (properties: object = {}, more: object = {}): ReturnType<typeof makeDatabase> =>
  makeDatabase(server.owner, parent, properties, more)

describe('updateDataSource: title, parent, trash', () => {
  it('200 with title and description shared with the database, until it has another data source', async () => {
    const { id, sourceId } = await made()
    const database = async (): Promise<JsonObject> =>
      (await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body
    await update(sourceId, { title: [text('Yard')], description: [text('Ours')], icon: { emoji: '⛵' } })
    expect(await database()).toMatchObject({ title: [readText('Yard')], description: [readText('Ours')], icon: null })
    await server.owner.call('createDataSource', { body: { parent: { database_id: id }, properties: { Name: { title: {} } } } })
    await update(sourceId, { title: [], icon: null })
    expect(await database()).toMatchObject({ title: [readText('Yard')] })
    const { body } = await server.owner.call('retrieveDataSource', { path: { data_source_id: sourceId } })
    expect(body).toMatchObject({ title: [], icon: null, description: [readText('Ours')] })
  })

  it('200 for a move to the end of another database, even if the old one becomes empty', async () => {
    const [from, to] = [await made(), await made()]
    const row = await makeRow(server.owner, from.sourceId)
    const { body } = await update(from.sourceId, { parent: { database_id: to.id } })
    expect(body).toMatchObject({ parent: { database_id: to.id } })
    expect((await readRow(server.owner, idOf(row)))['parent']).toMatchObject({ database_id: to.id })
    const read = async (id: string): Promise<Json | undefined> =>
      (await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body['data_sources']
    expect(await read(from.id)).toStrictEqual([])
    expect(await read(to.id)).toMatchObject([{ id: to.sourceId }, { id: from.sourceId }])
    expectNotFound(await update(from.sourceId, { parent: { database_id: to.sourceId } }), to.sourceId)
  })

  it('200 for a move to the trash, which hides the data source and its rows until they are restored', async () => {
    const { id, sourceId } = await made()
    const row = idOf(await makeRow(server.owner, sourceId))
    const trashed = await update(sourceId, { in_trash: true })
    expect(trashed.body).toMatchObject({ in_trash: true, properties: { Name: {} } })
    expect((await readRow(server.owner, row))['in_trash']).toBe(true)
    const database = await server.owner.call('retrieveDatabase', { path: { database_id: id } })
    expect(database.body['data_sources']).toStrictEqual([])
    expect((await update(sourceId, { in_trash: true })).status).toBe(200)
    expectError(await update(sourceId, { title: [] }), 400, 'validation_error', 'path.data_source_id')
    expectError(
      await server.owner.call('createPage', { body: { parent: { data_source_id: sourceId } } }),
      400,
      'validation_error',
    )
    const edit = await server.owner.call('updatePage', { path: { page_id: row }, body: { icon: null } })
    expectError(edit, 400, 'validation_error')
    expect((await update(sourceId, { in_trash: false, title: [text('Back')] })).body).toMatchObject({
      in_trash: false,
      title: [readText('Back')],
    })
    expect((await readRow(server.owner, row))['in_trash']).toBe(false)
  })

  it('400 for an unknown key or a malformed id, 401 without a token, 403 without the capability, and 404 for an id of another kind', async () => {
    const { id, sourceId } = await made()
    expectInvalid(await update(sourceId, { archived: true }), 'body.archived')
    expectInvalid(await update('nope', {}), 'path.data_source_id')
    expectError(await update(sourceId, {}, server.caller(undefined)), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [parent] })
    expectError(await update(sourceId, {}, reader.caller), 403, 'restricted_resource')
    for (const wrong of [randomUUID(), id, parent]) expectNotFound(await update(wrong, {}), wrong)
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [parent] })
    const { body } = await update(sourceId, {}, writer.caller)
    expect(Object.keys(body).toSorted()).toStrictEqual(['id', 'object', 'properties', 'request_id'])
  })
})
