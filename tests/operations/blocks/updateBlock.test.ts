import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import {
  append,
  appendOne,
  block,
  children,
  contentOf,
  makePage,
  paragraph,
  plainTexts,
  readText,
  row,
  snapshot,
  text,
} from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

const update = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('updateBlock', { path: { block_id: id }, body })
const retrieve = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveBlock', { path: { block_id: id } })).body
const url = 'https://example.org/a.png'

/** A written block, a change to its content, and the resulting content. */
const changes: [type: string, created: object, change: object, after: object][] = [
  [
    'paragraph',
    { rich_text: [text('a')], color: 'red' },
    { rich_text: [text('b')] },
    { rich_text: [readText('b')], color: 'red', icon: null },
  ],
  [
    'paragraph',
    { rich_text: [text('a')], color: 'red' },
    { color: 'blue' },
    { rich_text: [readText('a')], color: 'blue', icon: null },
  ],
  [
    'paragraph',
    { rich_text: [text('a')], color: 'red' },
    { color: null },
    { rich_text: [readText('a')], color: 'default', icon: null },
  ],
  ['paragraph', { rich_text: [text('a')] }, { rich_text: [] }, { rich_text: [], color: 'default', icon: null }],
  [
    'heading_1',
    { rich_text: [text('a')] },
    { is_toggleable: true },
    { rich_text: [readText('a')], color: 'default', is_toggleable: true },
  ],
  [
    'heading_4',
    { rich_text: [text('a')], is_toggleable: true },
    { is_toggleable: false },
    { rich_text: [readText('a')], color: 'default', is_toggleable: false },
  ],
  ['bulleted_list_item', { rich_text: [text('a')] }, { color: 'gray' }, { rich_text: [readText('a')], color: 'gray' }],
  ['numbered_list_item', { rich_text: [] }, { rich_text: [text('1')] }, { rich_text: [readText('1')], color: 'default' }],
  ['quote', { rich_text: [text('a')] }, { rich_text: [text('b')], color: 'pink' }, { rich_text: [readText('b')], color: 'pink' }],
  [
    'toggle',
    { rich_text: [text('a')] },
    { rich_text: [text('b')], children: [] },
    { rich_text: [readText('b')], color: 'default' },
  ],
  ['to_do', { rich_text: [text('a')] }, { checked: true }, { rich_text: [readText('a')], color: 'default', checked: true }],
  ['template', { rich_text: [text('a')] }, { rich_text: [text('b')] }, { rich_text: [readText('b')] }],
  ['callout', { rich_text: [], icon: { emoji: '⚓' } }, { icon: null }, { rich_text: [], color: 'default', icon: null }],
  [
    'callout',
    { rich_text: [] },
    { icon: { icon: { name: 'boat' } } },
    { rich_text: [], color: 'default', icon: { type: 'icon', icon: { name: 'boat', color: 'gray' } } },
  ],
  [
    'code',
    { rich_text: [], language: 'c', caption: [text('c')] },
    { language: 'rust' },
    { rich_text: [], language: 'rust', caption: [readText('c')] },
  ],
  [
    'code',
    { rich_text: [], language: 'c', caption: [text('c')] },
    { caption: [] },
    { rich_text: [], language: 'c', caption: [] },
  ],
  ['equation', { expression: 'x' }, { expression: 'y' }, { expression: 'y' }],
  ['equation', { expression: 'x' }, {}, { expression: 'x' }],
  ['table_of_contents', {}, { color: 'green' }, { color: 'green' }],
  ['divider', {}, {}, {}],
  ['breadcrumb', {}, {}, {}],
  ['tab', { children: [paragraph('t')] }, {}, {}],
  [
    'embed',
    { url, caption: [text('c')] },
    { url: 'https://example.org/b' },
    { url: 'https://example.org/b', caption: [readText('c')] },
  ],
  ['bookmark', { url }, { caption: [text('c')] }, { url, caption: [readText('c')] }],
  [
    'image',
    { external: { url }, caption: [text('c')] },
    { external: { url: 'https://example.org/b.png' } },
    { type: 'external', external: { url: 'https://example.org/b.png' }, caption: [readText('c')] },
  ],
  ['video', { external: { url } }, { caption: [text('c')] }, { type: 'external', external: { url }, caption: [readText('c')] }],
  ['pdf', { external: { url } }, { type: 'external', external: { url } }, { type: 'external', external: { url }, caption: [] }],
  ['audio', { external: { url } }, {}, { type: 'external', external: { url }, caption: [] }],
  [
    'file',
    { external: { url } },
    { external: { url: 'https://example.org/b.csv' } },
    { type: 'external', external: { url: 'https://example.org/b.csv' }, caption: [], name: 'b.csv' },
  ],
  [
    'file',
    { external: { url }, name: 'Mine.png' },
    { external: { url: 'https://example.org/b.csv' } },
    { type: 'external', external: { url: 'https://example.org/b.csv' }, caption: [], name: 'Mine.png' },
  ],
  ['file', { external: { url } }, { name: 'plan' }, { type: 'external', external: { url }, caption: [], name: 'plan.png' }],
  [
    'link_to_page',
    { page_id: exampleWorkspace.pages.checklist },
    { database_id: exampleWorkspace.repairLog },
    { type: 'database_id', database_id: exampleWorkspace.repairLog },
  ],
  [
    'table',
    { table_width: 1, children: [row('a')] },
    { has_row_header: true },
    { table_width: 1, has_column_header: false, has_row_header: true },
  ],
  ['synced_block', { synced_from: null }, { synced_from: null }, { synced_from: null }],
  ['synced_block', { synced_from: null }, {}, { synced_from: null }],
]

describe('updateBlock', () => {
  describe('200 with only the sent members replaced:', () => {
    it.each(changes)('%s with %j, updated by %j', async (type, created, change, after) => {
      const id = await appendOne(server.owner, page, { [type]: created })
      const response = await update(id, { type, [type]: change })
      expect(response.status).toBe(200)
      expect(contentOf(response)).toStrictEqual(after)
      expect({ ...(await update(id, { [type]: change })).body, request_id: null }, 'repeated').toStrictEqual({
        ...response.body,
        request_id: null,
      })
    })

    it('column, table_row and the icon of a tab item', async () => {
      const [layout, table, tab] = await append(server.owner, page, [
        { column_list: { children: [{ column: { children: [] } }, { column: { children: [] } }] } },
        { table: { table_width: 1, children: [row('a')] } },
        { tab: { children: [paragraph('t')] } },
      ])
      const first = async (parent: JsonObject | undefined): Promise<string> =>
        idOf((await children(server.owner, idOf(parent)))[0])
      expect(contentOf(await update(await first(layout), { column: { width_ratio: 1 } }))).toStrictEqual({ width_ratio: 1 })
      const tableRow = await first(table)
      expect(contentOf(await update(tableRow, { table_row: { cells: [[text('b')]] } }))).toStrictEqual({
        cells: [[readText('b')]],
      })
      expectInvalid(await update(tableRow, { table_row: { cells: [[], []] } }), 'body.table_row.cells.length')
      const item = await first(tab)
      expect(contentOf(await update(item, { paragraph: { icon: { emoji: '⚓' } } }))).toMatchObject({
        icon: { type: 'emoji', emoji: '⚓' },
      })
      expect(contentOf(await update(item, { paragraph: { icon: null } }))).toMatchObject({ icon: null })
    })
  })

  it('200 without any change for an empty body, `type` alone, empty or equal content, and in_trash false', async () => {
    const id = await appendOne(server.owner, page, paragraph('x'))
    const before = await snapshot(server.owner, page)
    server.clock.advance(1000)
    for (const body of [
      {},
      { type: 'paragraph' },
      { paragraph: {} },
      { in_trash: false },
      { paragraph: { rich_text: [text('x')] } },
    ])
      expect((await update(id, body)).status).toBe(200)
    expect(await snapshot(server.owner, page), 'no edit time either').toBe(before)
  })

  it('200 with time and bot recorded on the block and its page', async () => {
    const own = await makePage(server.owner)
    const outer = await appendOne(server.owner, own, block('toggle', 'x', { children: [paragraph('y')] }))
    const [inner] = await children(server.owner, outer)
    server.clock.advance(60_000)
    const { caller, botId } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [own] })
    const { body } = await update(idOf(inner), { paragraph: { color: 'red' } }, caller)
    const stamp = { last_edited_time: new Date(server.clock.now()).toISOString(), last_edited_by: { object: 'user', id: botId } }
    expect(body).toMatchObject({ ...stamp, created_by: { object: 'user', id: exampleWorkspace.bot.id } })
    expect(await retrieve(own)).toMatchObject(stamp)
    expect((await retrieve(outer))['last_edited_time']).not.toBe(stamp.last_edited_time)
  })

  describe('a block in the trash', () => {
    it('200 for in_trash true, which deletes the block, and false, which restores it at the same position', async () => {
      const own = await makePage(server.owner)
      const all = await append(server.owner, own, [
        paragraph('a'),
        block('toggle', 'b', { children: [paragraph('in')] }),
        paragraph('c'),
      ])
      const id = idOf(all[1])
      expect((await update(id, { in_trash: true })).body).toMatchObject({ in_trash: true, has_children: true })
      expect(plainTexts(await children(server.owner, own))).toStrictEqual(['a', 'c'])
      server.clock.advance(60_000)
      const { body } = await update(id, { in_trash: false })
      const last_edited_time = new Date(server.clock.now()).toISOString()
      expect(body).toMatchObject({ in_trash: false, last_edited_time })
      expect(await retrieve(own)).toMatchObject({ last_edited_time })
      expect(plainTexts(await children(server.owner, own))).toStrictEqual(['a', 'b', 'c'])
    })

    it('200 for a change of content and in_trash in one request', async () => {
      const id = await appendOne(server.owner, page, paragraph('x'))
      expect((await update(id, { paragraph: { color: 'red' }, in_trash: true })).body).toMatchObject({
        in_trash: true,
        paragraph: { color: 'red' },
      })
    })

    it('200 for in_trash alone on a block of any type, and 404 with another member beside it', async () => {
      for (const one of await children(server.owner, exampleWorkspace.pages.launchPlan)) {
        expect((await update(idOf(one), { in_trash: true })).body, String(one['type'])).toMatchObject({ in_trash: true })
        expect((await update(idOf(one), { type: one['type'], in_trash: false })).status, 'another member beside it').toBe(404)
        expect((await update(idOf(one), { in_trash: false })).body).toMatchObject({ in_trash: false })
      }
    })

    it('404 object_not_found for a trashed block, unless the body has only in_trash false', async () => {
      const id = await appendOne(server.owner, page, paragraph('x'))
      await update(id, { in_trash: true })
      const before = await retrieve(id)
      for (const body of [
        {},
        { paragraph: { color: 'red' } },
        { in_trash: true },
        { in_trash: false, paragraph: {} },
        { in_trash: false, type: 'paragraph' },
      ]) {
        expectNotFound(await update(id, body), id)
      }
      expect({ ...(await retrieve(id)), request_id: null }).toStrictEqual({ ...before, request_id: null })
    })

    it('400 validation_error when an ancestor is in the trash, even for a restoration', async () => {
      const own = await makePage(server.owner)
      const outer = await appendOne(server.owner, own, block('toggle', 'x', { children: [paragraph('y'), paragraph('z')] }))
      const [inner, gone] = await children(server.owner, outer)
      await update(idOf(gone), { in_trash: true })
      await update(outer, { in_trash: true })
      expectInvalid(await update(idOf(inner), { paragraph: { color: 'red' } }), 'trash')
      expectInvalid(await update(idOf(inner), { in_trash: true }), 'trash')
      expectInvalid(await update(idOf(gone), { in_trash: false }), 'trash')
      await update(outer, { in_trash: false })
      expect((await update(idOf(gone), { in_trash: false })).status).toBe(200)
    })
  })

  it('200 for is_toggleable false once the heading has no children', async () => {
    const id = await appendOne(server.owner, page, { heading_2: { rich_text: [], children: [paragraph('x')] } })
    const [child] = await children(server.owner, id)
    await update(idOf(child), { in_trash: true })
    expect(contentOf(await update(id, { heading_2: { is_toggleable: false } }))).toMatchObject({ is_toggleable: false })
  })

  it('200 from retrieveBlock with the new title in child_page, immediately after updatePage', async () => {
    const sub = await makePage(server.owner, 'Old', page)
    await server.owner.call('updatePage', { path: { page_id: sub }, body: { properties: { title: { title: [text('New')] } } } })
    expect(await retrieve(sub)).toMatchObject({ child_page: { title: 'New' } })
  })

  it('401 unauthorized without a token', async () => {
    expectError(await update(page, {}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to update content, even if the block is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'insert_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const id of [randomUUID(), page]) {
      const response = await update(id, { in_trash: true }, caller)
      expectError(response, 403, 'restricted_resource')
      expect(at(response.body, 'additional_data')).toStrictEqual({ required_capability: 'update_content' })
    }
  })

  it('200 with a partial block when the caller may not read content', async () => {
    const id = await appendOne(server.owner, page, paragraph('x'))
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expect(Object.keys((await update(id, { paragraph: { color: 'red' } }, caller)).body)).toStrictEqual([
      'object',
      'id',
      'request_id',
    ])
  })

  it('404 object_not_found when the block or a referenced object is missing or not shared', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    for (const id of [randomUUID(), exampleWorkspace.pages.checklist]) expectNotFound(await update(id, {}, caller), id)
    const id = await appendOne(server.owner, page, paragraph('x'))
    const before = await snapshot(server.owner, id)
    for (const mention of [
      { page: { id: exampleWorkspace.pages.checklist } },
      { database: { id: exampleWorkspace.repairLog } },
    ]) {
      expectError(await update(id, { paragraph: { rich_text: [{ mention }] } }, caller), 404, 'object_not_found')
    }
    const image = await appendOne(server.owner, page, { image: { external: { url } } })
    const upload = randomUUID()
    expectNotFound(await update(image, { image: { file_upload: { id: upload } } }), upload)
    expect(await snapshot(server.owner, id)).toBe(before)
  })
})
