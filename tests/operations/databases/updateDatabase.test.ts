import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { children, makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, readRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const update = (id: string, body: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDatabase', { path: { database_id: id }, body })
const source = (id: string): Promise<TestResponse> => server.owner.call('retrieveDataSource', { path: { data_source_id: id } })

describe('updateDatabase', () => {
  it('200 with only the sent members changed, null ones cleared, and the block of the database updated', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent, {}, { icon: { emoji: '🔧' } })
    server.clock.advance(1000)
    const { body } = await update(id, {
      title: [text('Yard log')],
      description: [text('All')],
      is_inline: true,
      is_locked: true,
      icon: null,
      cover: { external: { url: 'https://example.org/c.jpg' } },
    })
    expect(body).toMatchObject({
      title: [readText('Yard log')],
      description: [readText('All')],
      is_inline: true,
      is_locked: true,
      icon: null,
      cover: { type: 'external' },
      last_edited_time: new Date(server.clock.now()).toISOString(),
    })
    expect((await source(sourceId)).body).toMatchObject({
      title: [readText('Yard log')],
      description: [readText('All')],
      is_inline: true,
      icon: null,
      cover: { type: 'external' },
    })
    const blocks = await children(server.owner, parent)
    expect(blocks.find((block) => block['id'] === id)).toMatchObject({ child_database: { title: 'Yard log' } })
    expect((await update(id, { title: [], cover: null })).body).toMatchObject({ title: [readText('New database')], cover: null })
    expect((await source(sourceId)).body['title']).toStrictEqual([])
  })

  it('200 without change for an empty body or equal values', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    const { body } = await update(id, {})
    server.clock.advance(1000)
    for (const same of [{}, { title: [text('Repairs')], is_locked: false, in_trash: false }])
      expect((await update(id, same)).body['last_edited_time']).toBe(body['last_edited_time'])
  })

  it('200 for a write to a locked database', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    await update(id, { is_locked: true })
    expect(
      (
        await server.owner.call('updateDataSource', {
          path: { data_source_id: sourceId },
          body: { properties: { A: { url: {} } } },
        })
      ).status,
    ).toBe(200)
  })

  it('200 for a move with everything below the database, with ids kept', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    const row = idOf(await makeRow(server.owner, sourceId))
    const other = await makePage(server.owner, 'Other')
    expect((await update(id, { parent: { page_id: other } })).body['parent']).toStrictEqual({ type: 'page_id', page_id: other })
    expect((await children(server.owner, other)).map((block) => block['id'])).toStrictEqual([id])
    expect((await source(sourceId)).body['database_parent']).toStrictEqual({ type: 'page_id', page_id: other })
    expect((await update(id, { parent: { workspace: true } })).body['parent']).toMatchObject({ type: 'workspace' })
    expectInvalid(await update(id, { parent: { page_id: row } }), 'body.parent.page_id')
    expect((await readRow(server.owner, row))['parent']).toMatchObject({ data_source_id: sourceId, database_id: id })
  })

  it('200 for a move to the trash and a restoration of everything below, directly or through the block', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    const row = idOf(await makeRow(server.owner, sourceId))
    const apart = idOf(await makeRow(server.owner, sourceId))
    await server.owner.call('updatePage', { path: { page_id: apart }, body: { in_trash: true } })
    expect((await update(id, { in_trash: true })).body).toMatchObject({ in_trash: true, data_sources: [{ id: sourceId }] })
    expect((await source(sourceId)).body['in_trash']).toBe(true)
    expect((await readRow(server.owner, row))['in_trash']).toBe(true)
    expect((await update(id, { in_trash: true })).status).toBe(200)
    expectError(await update(id, { title: [] }), 400, 'validation_error', 'path.database_id')
    expect((await update(id, { in_trash: false, is_locked: true })).body).toMatchObject({ in_trash: false, is_locked: true })
    expect([(await readRow(server.owner, row))['in_trash'], (await readRow(server.owner, apart))['in_trash']]).toStrictEqual([
      false,
      true,
    ])
    await server.owner.call('deleteBlock', { path: { block_id: id } })
    expect((await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body['in_trash']).toBe(true)
    await server.owner.call('updateBlock', { path: { block_id: id }, body: { in_trash: false } })
    expect((await readRow(server.owner, row))['in_trash']).toBe(false)
  })

  it('200 with a partial database when the caller may not read content', async () => {
    const { id } = await makeDatabase(server.owner, parent)
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [parent] })
    expect(Object.keys((await update(id, { is_inline: true }, writer.caller)).body).toSorted()).toStrictEqual([
      'id',
      'object',
      'request_id',
    ])
  })

  it('400 for keys of data sources and a malformed id, 401 without a token, 403 without the capability, and 404 for an id of another kind', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent)
    expectInvalid(await update(id, { properties: {} }), 'body.properties')
    expectInvalid(await update(id, { archived: true }), 'body.archived')
    expectInvalid(await update(id, { parent: { workspace: false } }), 'body.parent.workspace')
    expectInvalid(await update('nope', {}), 'path.database_id')
    expectError(await update(id, {}, server.caller(undefined)), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [parent] })
    expectError(await update(id, {}, reader.caller), 403, 'restricted_resource')
    for (const wrong of [randomUUID(), sourceId, parent]) expectNotFound(await update(wrong, {}), wrong)
    const missing = randomUUID()
    expectNotFound(await update(id, { parent: { page_id: missing } }), missing)
  })

  it('200 at older releases for title and columns in one request, all or nothing', async () => {
    const { id, sourceId } = await makeDatabase(server.owner, parent, { Hours: { number: {} } })
    const older = server.caller(TOKEN, '2022-06-28')
    const { status, body } = await update(
      id,
      { title: [text('Old way')], properties: { Hours: { name: 'Time' }, Kind: { select: {} } } },
      older,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: [readText('Old way')],
      properties: { Time: { type: 'number' }, Kind: { type: 'select' } },
    })
    const wrong = await update(id, { title: [text('New')], properties: { Nope: { name: 'x' } } }, older)
    expectError(wrong, 400, 'validation_error', 'body.properties.Nope')
    expect((await source(sourceId)).body['title']).toStrictEqual([readText('Old way')])
    const row = await older.call('createPage', { body: { parent: { database_id: id }, properties: { Time: { number: 1 } } } })
    expect(row.body).toMatchObject({ parent: { type: 'database_id', database_id: id }, properties: { Time: {} } })
    expect(Object.keys(await columnsOf(server.owner, sourceId))).toStrictEqual(['Name', 'Time', 'Kind'])
  })
})
