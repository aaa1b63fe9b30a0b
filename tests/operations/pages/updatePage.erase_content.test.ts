import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { sweep } from '../../harness/sweeps.ts'
import { append, appendOne, block, children, makePage, paragraph, plainTexts, readText, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { makeMarkdownPage } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const update = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('updatePage', { path: { page_id: id }, body })
const erase = (id: string, more: object = {}): ReturnType<typeof update> => update(id, { erase_content: true, ...more })
const retrieve = async (id: string): Promise<JsonObject> => ({
  ...(await server.owner.call('retrievePage', { path: { page_id: id } })).body,
  request_id: null,
})
const blockOf = (id: string): ReturnType<typeof server.owner.call> =>
  server.owner.call('retrieveBlock', { path: { block_id: id } })
const rowsOf = async (pageId: string): Promise<{ count: number } | undefined> =>
  server.service.database.read((db) =>
    db.get({ count: 'integer' }, 'select count(*) as count from blocks where page_id = ?', pageId),
  )

describe('updatePage with erase_content', () => {
  it('200 with all content erased permanently', async () => {
    const page = await makePage(server.owner, 'Full', undefined, [
      paragraph('a'),
      block('toggle', 'b', { children: [block('toggle', 'c', { children: [paragraph('d')] })] }),
    ])
    const [first, toggle] = await children(server.owner, page)
    const [middle] = await children(server.owner, idOf(toggle))
    const [deepest] = await children(server.owner, idOf(middle))
    const { status, body } = await erase(page)
    expect([status, body]).toMatchObject([200, { id: page, properties: { title: { title: [readText('Full')] } } }])
    expect(await children(server.owner, page)).toStrictEqual([])
    expect((await blockOf(page)).body).toMatchObject({ has_children: false })
    for (const gone of [first, toggle, middle, deepest]) {
      expectNotFound(await blockOf(idOf(gone)), idOf(gone))
      expectNotFound(
        await server.owner.call('updateBlock', { path: { block_id: idOf(gone) }, body: { in_trash: false } }),
        idOf(gone),
      )
    }
    expect((await rowsOf(page))?.count).toBe(0)
  })

  it('200 for a page with 2,500 blocks', async () => {
    const page = await makeMarkdownPage(server.owner, Array.from({ length: 2_500 }, (_line, index) => `- ${index}`).join('\n'))
    expect((await erase(page)).status).toBe(200)
    expect(await children(server.owner, page)).toStrictEqual([])
    expect((await rowsOf(page))?.count).toBe(0)
  })

  it('200 with pages and databases, even nested ones, in the trash, from which they can be restored', async () => {
    const page = await makePage(server.owner, 'Index', undefined, [block('toggle', 'x')])
    const direct = await makePage(server.owner, 'Direct', page, [paragraph('kept')])
    const nested = await makePage(server.owner, 'Nested', page, [paragraph('kept too')])
    const [toggle] = await children(server.owner, page)
    await server.service.database.write((db) =>
      db.run(`update blocks set parent_type = 'block_id', parent_id = ? where id = ?`, idOf(toggle), nested),
    )
    await erase(page)
    for (const id of [direct, nested])
      expect(await retrieve(id)).toMatchObject({ in_trash: true, parent: { type: 'page_id', page_id: page } })
    expect(await children(server.owner, page)).toStrictEqual([])
    for (const id of [nested, direct]) await update(id, { in_trash: false })
    expect((await children(server.owner, page)).map(idOf)).toStrictEqual([direct, nested])
    expect(plainTexts(await children(server.owner, nested))).toStrictEqual(['kept too'])
  })

  it('200 for a page with a database, which moves to the trash and can be restored', async () => {
    expect((await erase(exampleWorkspace.pages.handbook)).status).toBe(200)
    expect((await blockOf(exampleWorkspace.repairLog)).body).toMatchObject({ type: 'child_database', in_trash: true })
    const back = await server.owner.call('updateBlock', {
      path: { block_id: exampleWorkspace.repairLog },
      body: { in_trash: false },
    })
    expect(back.body).toMatchObject({ in_trash: false, parent: { page_id: exampleWorkspace.pages.handbook } })
  })

  it('200 with content that was already in the trash still restorable', async () => {
    const page = await makePage(server.owner, 'Trash', undefined, [paragraph('a'), paragraph('b')])
    const [first] = await children(server.owner, page)
    await server.owner.call('deleteBlock', { path: { block_id: idOf(first) } })
    await erase(page)
    await server.owner.call('updateBlock', { path: { block_id: idOf(first) }, body: { in_trash: false } })
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['a'])
  })

  it('200 with the copies of an erased original left empty', async () => {
    const page = await makePage(server.owner, 'Original')
    const original = await appendOne(server.owner, page, { synced_block: { synced_from: null, children: [paragraph('x')] } })
    const other = await makePage(server.owner, 'Mirror')
    const mirror = await appendOne(server.owner, other, { synced_block: { synced_from: { block_id: original } } })
    await erase(page)
    expect((await blockOf(mirror)).body).toMatchObject({ has_children: false })
    expect(await children(server.owner, mirror)).toStrictEqual([])
  })

  it('200 with a restoration applied before the erasure, a move to the trash after it, and other changes in the same request', async () => {
    const page = await makePage(server.owner, 'Order', undefined, [paragraph('a')])
    await update(page, { in_trash: true })
    expect((await erase(page, { in_trash: false, properties: { title: [text('New')] } })).body).toMatchObject({
      in_trash: false,
      properties: { title: { title: [readText('New')] } },
    })
    expect(await children(server.owner, page)).toStrictEqual([])
    await append(server.owner, page, [paragraph('again')])
    expect((await erase(page, { in_trash: true })).body).toMatchObject({ in_trash: true })
    expect(await children(server.owner, page)).toStrictEqual([])
  })

  it('200 with the edit recorded on the page, unless the page was empty', async () => {
    const page = await makePage(server.owner, 'Stamp', undefined, [paragraph('a')])
    server.clock.advance(1000)
    const time = new Date(server.clock.now()).toISOString()
    expect((await erase(page)).body).toMatchObject({ last_edited_time: time })
    server.clock.advance(1000)
    expect((await erase(page)).body).toMatchObject({ last_edited_time: time })
    await makePage(server.owner, 'All there is', page)
    server.clock.advance(1000)
    expect((await erase(page)).body).toMatchObject({ last_edited_time: new Date(server.clock.now()).toISOString() })
  })

  it('200 for a large tree, erased in pieces and invisible meanwhile', async () => {
    const page = await makePage(server.owner, 'Large')
    const [parentId] = (await append(server.owner, page, [block('toggle', 'x')])).map(idOf)
    const count = 3_500
    await server.service.database.write((db) =>
      db.insert({
        table: 'blocks',
        columns: ['workspace_id', 'id', 'type', 'parent_type', 'parent_id', 'page_id', 'rank', 'content'].concat([
          'created_time',
          'created_by',
          'last_edited_time',
          'last_edited_by',
        ]),
        rows: Array.from({ length: count }, (_, index) => [
          ...[
            exampleWorkspace.workspace.id,
            randomUUID(),
            'divider',
            'block_id',
            parentId ?? '',
            page,
            `a${String(index).padStart(5, '0')}x`,
          ],
          ...['{}', 1, exampleWorkspace.bot.id, 1, exampleWorkspace.bot.id],
        ]),
      }),
    )
    await erase(page)
    expect(await children(server.owner, page)).toStrictEqual([])
    expect((await rowsOf(page))?.count).toBeGreaterThan(0)
    await sweep(server.service.database, server.clock.now())
    expect((await rowsOf(page))?.count).toBe(0)
    expect(await server.service.database.read((db) => db.all({}, 'select id from erased_blocks'))).toStrictEqual([])
  })

  it('400 validation_error, and nothing erased, for a page in or below the trash, and for a value that is not a boolean', async () => {
    const page = await makePage(server.owner, 'Outer', undefined, [paragraph('kept')])
    const inner = await makePage(server.owner, 'Inner', page, [paragraph('kept')])
    expectInvalid(await update(page, { erase_content: 'yes' }), 'body.erase_content')
    await update(page, { in_trash: true })
    for (const id of [page, inner]) expectInvalid(await erase(id), 'path.page_id')
    for (const id of [page, inner]) expect(plainTexts(await children(server.owner, id))).toContain('kept')
  })

  it('404 object_not_found, and nothing erased, when the page is not shared', async () => {
    const page = await makePage(server.owner, 'Closed', undefined, [paragraph('kept')])
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'read_content'] })
    expectNotFound(await update(page, { erase_content: true }, caller), page)
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['kept'])
  })
})
