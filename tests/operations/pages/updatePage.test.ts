import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { appendOne, children, makePage, paragraph, plainTexts, readText, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const update = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('updatePage', { path: { page_id: id }, body })
const retrieve = async (id: string): Promise<JsonObject> => ({
  ...(await server.owner.call('retrievePage', { path: { page_id: id } })).body,
  request_id: null,
})
const title = (...items: object[]): object => ({ properties: { title: { title: items } } })

describe('updatePage', () => {
  it('200 with each sent property, icon and cover replaced, and the rest kept', async () => {
    const page = await makePage(server.owner, 'Old')
    const cover = { external: { url: 'https://example.org/cover.jpg' } }
    const steps: [change: object, after: object][] = [
      [{ icon: { icon: { name: 'boat', color: 'red' } } }, { icon: { type: 'icon', icon: { name: 'boat', color: 'red' } } }],
      [{ cover }, { cover: { type: 'external', ...cover }, icon: { type: 'icon' } }],
      [
        title(text('New'), text(' name')),
        { properties: { title: { title: [readText('New'), readText(' name')] } }, cover: { type: 'external' } },
      ],
      [
        { icon: { custom_emoji: { id: exampleWorkspace.emojis[0].id } } },
        { icon: { type: 'custom_emoji', custom_emoji: { name: 'rope_coil' } } },
      ],
      [{ icon: null }, { icon: null, cover: { type: 'external' } }],
      [{ cover: null }, { cover: null }],
      [
        { is_locked: true, is_archived: true },
        { is_locked: true, is_archived: true, in_trash: false },
      ],
      [{ properties: { title: [] } }, { properties: { title: { title: [] } }, is_locked: true }],
      [
        { is_locked: false, is_archived: false },
        { is_locked: false, is_archived: false },
      ],
    ]
    for (const [change, after] of steps) {
      const { status, body } = await update(page, change)
      expect([status, body]).toMatchObject([200, after])
      expect(await retrieve(page)).toMatchObject(after)
    }
  })

  it('200 with only the properties in filter_properties', async () => {
    const page = await makePage(server.owner, 'Filtered')
    for (const [filter_properties, shown] of [
      [['title', 'nope'], ['title']],
      [['nope'], []],
    ] as const) {
      const { body } = await server.owner.call('updatePage', { path: { page_id: page }, body: {}, query: { filter_properties } })
      expect(Object.keys(body['properties'] as object)).toStrictEqual(shown)
    }
  })

  it.each([
    [{ name: 'light-bulb' }, { name: 'light-bulb', color: 'gray' }],
    [
      { name: 'LIGHT_bulb', color: 'lightgray' },
      { name: 'light-bulb', color: 'lightgray' },
    ],
    [
      { name: 'Light Bulb', color: 'yellow' },
      { name: 'light-bulb', color: 'yellow' },
    ],
    [
      { name: 'flux_capacitor-2', color: null },
      { name: 'flux_capacitor-2', color: 'gray' },
    ],
  ])('200 for the native icon %j in API or picker form, read in API form', async (icon, read) => {
    const page = await makePage(server.owner)
    expect((await update(page, { icon: { icon } })).body).toMatchObject({ icon: { type: 'icon', icon: read } })
    expect(await retrieve(page)).toMatchObject({ icon: { type: 'icon', icon: read } })
  })

  it('200 for an external picture, read as the built-in icon if the address belongs to one', async () => {
    const page = await makePage(server.owner)
    const external = { url: 'https://example.org/boat.png' }
    expect((await update(page, { icon: { external } })).body).toMatchObject({ icon: { type: 'external', external } })
    const builtIn = { external: { url: `${server.url}/icons/boat_red.svg` } }
    expect((await update(page, { icon: builtIn })).body).toMatchObject({
      icon: { type: 'icon', icon: { name: 'boat', color: 'red' } },
    })
  })

  it('200 for a locked page', async () => {
    const page = await makePage(server.owner)
    await update(page, { is_locked: true })
    expect((await update(page, title(text('Still mine')))).body).toMatchObject({
      is_locked: true,
      properties: { title: { title: [readText('Still mine')] } },
    })
    expect(await appendOne(server.owner, page, paragraph('x'))).toBeTruthy()
  })

  it('200 without change, even of the edit time, for {} and equal values', async () => {
    const page = await makePage(server.owner, 'Same')
    const before = await retrieve(page)
    server.clock.advance(1000)
    for (const body of [
      undefined,
      {},
      { properties: {} },
      title(text('Same')),
      { icon: null, cover: null, is_locked: false, is_archived: false, in_trash: false },
      { erase_content: false },
    ]) {
      expect((await update(page, body)).status).toBe(200)
    }
    expect(await retrieve(page)).toStrictEqual(before)
  })

  it('200 with time and bot of the edit', async () => {
    const page = await makePage(server.owner)
    const { caller, botId } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [page] })
    for (const body of [
      title(text('x')),
      { icon: { emoji: '⚓' } },
      { is_locked: true },
      { in_trash: true },
      { in_trash: false },
    ]) {
      server.clock.advance(1000)
      expect((await update(page, body, caller)).body).toMatchObject({
        last_edited_time: new Date(server.clock.now()).toISOString(),
        last_edited_by: { object: 'user', id: botId },
      })
    }
  })

  describe('a page in the trash', () => {
    it('200 for a move to the trash, which removes the page from its parent, and for a restoration to the same position', async () => {
      const parent = await makePage(server.owner, 'Parent', undefined, [paragraph('a')])
      const page = await makePage(server.owner, 'Sub-page', parent, [paragraph('inside')])
      await appendOne(server.owner, parent, paragraph('b'))
      expect((await update(page, { in_trash: true })).body).toMatchObject({ in_trash: true, is_archived: false })
      expect(plainTexts(await children(server.owner, parent))).toStrictEqual(['a', 'b'])
      expect((await update(page, { in_trash: true })).status, 'again').toBe(200)
      expect((await update(page, { in_trash: false })).body).toMatchObject({ in_trash: false })
      expect(plainTexts(await children(server.owner, parent))).toStrictEqual(['a', 'child_page', 'b'])
      expect(plainTexts(await children(server.owner, page))).toStrictEqual(['inside'])
    })

    it('200 for a restoration or a move to the trash together with other changes', async () => {
      const page = await makePage(server.owner)
      expect((await update(page, { in_trash: true, ...title(text('Going')) })).body).toMatchObject({
        in_trash: true,
        properties: { title: { title: [readText('Going')] } },
      })
      expect((await update(page, { in_trash: false, ...title(text('Back')), is_locked: true })).body).toMatchObject({
        in_trash: false,
        is_locked: true,
        properties: { title: { title: [readText('Back')] } },
      })
    })

    it('400 validation_error for any change but a restoration', async () => {
      const page = await makePage(server.owner)
      await update(page, { in_trash: true })
      const before = await retrieve(page)
      for (const body of [title(text('x')), { icon: { emoji: '⚓' } }, { is_locked: true }, { in_trash: true, is_locked: true }])
        expectInvalid(await update(page, body), 'path.page_id')
      expect(await retrieve(page)).toStrictEqual(before)
    })

    it('400 validation_error when an ancestor is in the trash, even for a restoration', async () => {
      const parent = await makePage(server.owner)
      const page = await makePage(server.owner, 'Sub-page', parent)
      const gone = await makePage(server.owner, 'Gone', parent)
      await update(gone, { in_trash: true })
      await update(parent, { in_trash: true })
      for (const [id, body] of [
        [page, title(text('x'))],
        [page, { in_trash: true }],
        [gone, { in_trash: false }],
      ] as const)
        expectInvalid(await update(id, body), 'path.page_id')
      expect(await retrieve(page)).toMatchObject({ in_trash: false })
      await update(parent, { in_trash: false })
      expect((await update(gone, { in_trash: false })).status).toBe(200)
    })
  })

  describe('400 validation_error for', () => {
    let page: string
    beforeAll(async () => {
      page = await makePage(server.owner)
    })

    it.each<[string, unknown, string]>([
      ['the key archived', { archived: true }, 'body.archived'],
      ['another parent', { parent: { page_id: exampleWorkspace.pages.checklist } }, 'body.parent.page_id'],
      ['the key children', { children: [] }, 'body.children'],
      ['the key markdown', { markdown: 'x' }, 'body.markdown'],
      ['an unknown key', { title: 'x' }, 'body.title'],
      ['a null in_trash', { in_trash: null }, 'body.in_trash'],
      ['is_locked as a text', { is_locked: 'true' }, 'body.is_locked'],
      ['the template none', { template: { type: 'none' } }, 'body.template.type'],
      ['an unknown time zone', { template: { type: 'default', timezone: 'Mars/Base' } }, 'body.template.timezone'],
      ['another property', { properties: { Stage: { number: 1 } } }, 'body.properties.Stage'],
      ['a title of another type', { properties: { title: { number: 1 } } }, 'body.properties.title'],
      ['a null title', { properties: { title: null } }, 'body.properties.title'],
      ['a read-only value', { properties: { Sum: { formula: { number: 1 } } } }, 'body.properties.Sum.formula'],
      ['two icons', { icon: { emoji: '⚓', external: { url: 'https://example.org/a.png' } } }, 'body.icon.external'],
      ['a cover without payload', { cover: {} }, 'body.cover.external'],
      ['a list as body', [], 'body'],
    ])('%s', async (_name, body, location) => {
      const before = await retrieve(page)
      server.clock.advance(1000)
      expectInvalid(await update(page, body), location)
      expect(await retrieve(page)).toStrictEqual(before)
    })

    it('the id of a block or a database, naming the kind', async () => {
      expectInvalid(await update(await appendOne(server.owner, page, paragraph('x')), {}), 'block')
      expectInvalid(await update(exampleWorkspace.repairLog, { in_trash: true }), 'database')
      expectInvalid(await update('x', {}), 'path.page_id')
    })
  })

  it('401 unauthorized without a token', async () => {
    expectError(await update(exampleWorkspace.pages.checklist, {}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to update content, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'insert_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const id of [exampleWorkspace.pages.checklist, randomUUID()])
      expectError(await update(id, { in_trash: true }, caller), 403, 'restricted_resource', 'update_content')
  })

  it('200 with a partial page when the caller may not read content', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expect(Object.keys((await update(page, { is_locked: true }, caller)).body)).toStrictEqual(['object', 'id', 'request_id'])
  })

  it('404 object_not_found when a page, emoji, upload or mention is missing or not shared', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [page] })
    const ghost = randomUUID()
    for (const id of [ghost, exampleWorkspace.pages.checklist]) expectNotFound(await update(id, {}, caller), id)
    const before = await retrieve(page)
    for (const body of [
      { icon: { custom_emoji: { id: ghost } } },
      { icon: { file_upload: { id: ghost } } },
      { cover: { file_upload: { id: ghost } } },
      title({ mention: { user: { id: ghost } } }),
    ]) {
      expectNotFound(await update(page, { is_locked: true, ...body }, caller), ghost)
    }
    expectNotFound(
      await update(page, title({ mention: { page: { id: exampleWorkspace.pages.checklist } } }), caller),
      exampleWorkspace.pages.checklist,
    )
    expect(idOf(await retrieve(page))).toBe(page)
    expect(await retrieve(page)).toStrictEqual(before)
  })
})
