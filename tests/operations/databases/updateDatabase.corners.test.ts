import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { appendOne, children, makePage, readText, text } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { png, upload } from '../../harness/files.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeView } from '../../harness/views.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const update = (id: string, body: object): Promise<TestResponse> =>
  server.owner.call('updateDatabase', { path: { database_id: id }, body })
const read = async (id: string): Promise<TestResponse['body']> =>
  (await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body
const source = (id: string, body: object): Promise<TestResponse> =>
  server.owner.call('updateDataSource', { path: { data_source_id: id }, body })

describe('createDatabase and updateDatabase: titles', () => {
  it('200 with the title Untitled without a data source, in the database and in its block', async () => {
    const own = await makeDatabase(server.owner, parent)
    const create_database = { parent: { type: 'page_id', page_id: parent } }
    const view = await makeView(server.owner, own, { database_id: undefined, create_database })
    const linked = textAt(view, 'parent', 'database_id')
    expect(await read(linked)).toMatchObject({ title: [readText('Untitled')], data_sources: [] })
    const blocks = await children(server.owner, parent)
    expect(blocks.find((block) => block['id'] === linked)).toMatchObject({ child_database: { title: 'Untitled' } })
    expect((await update(linked, { title: [text('Linked')] })).body).toMatchObject({ title: [readText('Linked')] })
  })

  it('200 with titles that omit data sources in the trash', async () => {
    const own = await makeDatabase(server.owner, parent, {}, { title: [] })
    const second = await server.owner.call('createDataSource', {
      body: { parent: { database_id: own.id }, properties: { Name: { title: {} } }, title: [text('Parts')] },
    })
    expect(await read(own.id)).toMatchObject({ title: [readText('New database and Parts')] })
    await source(own.sourceId, { in_trash: true })
    expect(await read(own.id)).toMatchObject({ title: [readText('Parts')], data_sources: [{ id: idOf(second.body) }] })
    await source(idOf(second.body), { in_trash: true })
    expect(await read(own.id)).toMatchObject({ title: [readText('Untitled')], data_sources: [] })
  })

  it('200 with an empty title at releases before data sources', async () => {
    const own = await makeDatabase(server.owner, parent, {}, { title: [] })
    const older = server.caller('itk_test_token_of_the_demo_connection', '2022-06-28')
    const { body } = await older.call('retrieveDatabase', { path: { database_id: own.id } })
    expect(body['title']).toStrictEqual([])
  })

  it('200 with the icon of the database for a data source without one', async () => {
    const own = await makeDatabase(server.owner, parent, {}, { icon: { emoji: '🔧' } })
    const shown = async (body = {}): Promise<unknown> => (await source(own.sourceId, body)).body['icon']
    expect(await shown()).toMatchObject({ emoji: '🔧' })
    await update(own.id, { icon: { emoji: '⛵' } })
    expect(await shown()).toMatchObject({ emoji: '⛵' })
    expect(await shown({ icon: { type: 'emoji', emoji: '⛵' } })).toMatchObject({ emoji: '⛵' })
    await update(own.id, { icon: null })
    expect(await shown()).toBeNull()
    await update(own.id, { icon: { emoji: '⛵' } })
    expect(await shown({ icon: { emoji: '🪵' } })).toMatchObject({ emoji: '🪵' })
    await update(own.id, { icon: { emoji: '🔧' } })
    expect(await shown()).toMatchObject({ emoji: '🪵' })
    expect(await shown({ icon: null })).toMatchObject({ emoji: '🔧' })
    await update(own.id, { icon: { emoji: '⛵' } })
    await source(own.sourceId, { icon: { emoji: '🪵' } })
    expect(await read(own.id)).toMatchObject({ icon: { emoji: '⛵' } })
  })
})

describe('createDatabase and updateDatabase: icons and covers', () => {
  it.each<[string, () => Promise<object>, object]>([
    ['an emoji', async () => ({ type: 'emoji', emoji: '🔧' }), { type: 'emoji', emoji: '🔧' }],
    [
      'a native icon without color',
      async () => ({ icon: { name: 'pizza' } }),
      { type: 'icon', icon: { name: 'pizza', color: 'gray' } },
    ],
    [
      'a native icon',
      async () => ({ icon: { name: 'pizza', color: 'red' } }),
      { type: 'icon', icon: { name: 'pizza', color: 'red' } },
    ],
    [
      'an address',
      async () => ({ external: { url: 'https://example.org/i.png' } }),
      { type: 'external', external: { url: 'https://example.org/i.png' } },
    ],
    [
      'an upload',
      async () => ({ file_upload: { id: await upload(server.owner, png, 'icon.png') } }),
      { type: 'file', file: { url: expect.stringContaining('http'), expiry_time: expect.any(String) } },
    ],
  ])('200 for %s, on databases and data sources alike', async (_what, written, icon) => {
    const own = await makeDatabase(server.owner, parent, {}, { icon: await written() })
    expect(await read(own.id)).toMatchObject({ icon })
    expect((await source(own.sourceId, {})).body).toMatchObject({ icon })
    await update(own.id, { icon: null })
    expect((await update(own.id, { icon: await written() })).body).toMatchObject({ icon })
    await source(own.sourceId, { icon: null })
    expect((await source(own.sourceId, { icon: await written() })).body).toMatchObject({ icon })
  })

  it('200 for an uploaded cover, which the data source also shows; 400 for a read-only kind', async () => {
    const own = await makeDatabase(server.owner, parent)
    const { body } = await update(own.id, { cover: { file_upload: { id: await upload(server.owner, png, 'cover.png') } } })
    expect(body['cover']).toMatchObject({ type: 'file', file: { url: expect.stringContaining('http') as string } })
    expect((await source(own.sourceId, {})).body['cover']).toMatchObject({ type: 'file' })
    expectInvalid(await update(own.id, { cover: { emoji: '🔧' } }), 'body.cover.emoji')
    expectInvalid(await update(own.id, { icon: { file: { url: 'https://example.org' } } }), 'body.icon.file')
    expect((await source(own.sourceId, { cover: null })).body['cover'], 'changed in the database').toMatchObject({ type: 'file' })
  })
})

describe('createDatabase and updateDatabase: parents', () => {
  it('200 for a database inside a block, which is its parent until it moves', async () => {
    const own = await makeDatabase(server.owner, parent)
    const toggle = await appendOne(server.owner, parent, { toggle: { rich_text: [] } })
    await server.service.database.write((db) =>
      db.run(`update blocks set parent_type = 'block_id', parent_id = ? where id = ?`, toggle, own.id),
    )
    const location = { type: 'block_id', block_id: toggle }
    expect(await read(own.id)).toMatchObject({ parent: location })
    expect((await source(own.sourceId, {})).body['database_parent']).toStrictEqual(location)
    expect((await update(own.id, { parent: { page_id: parent } })).body['parent']).toStrictEqual({
      type: 'page_id',
      page_id: parent,
    })
  })

  it('400 when the new parent is in the trash', async () => {
    const own = await makeDatabase(server.owner, parent)
    const page = await makePage(server.owner, 'Old')
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    const response = await update(own.id, { parent: { page_id: page } })
    expectInvalid(response, 'body.parent')
    expect(await read(own.id)).toMatchObject({ parent: { page_id: parent } })
  })
})
