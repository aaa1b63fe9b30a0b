import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { appendOne, block, children, makePage, paragraph, plainTexts, readText, snapshot, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const create = (
  body: unknown,
  caller = server.owner,
  query: Record<string, string | string[]> = {},
): ReturnType<typeof caller.call> => caller.call('createPage', { body, query })
const title = (...items: object[]): object => ({ title: { title: items } })
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const blockOf = async (id: string): Promise<Record<string, unknown>> =>
  (await server.owner.call('retrieveBlock', { path: { block_id: id } })).body

describe('createPage', () => {
  it('200 with a complete page below another page', async () => {
    server.clock.advance(1000)
    const { status, body } = await create({
      parent: { type: 'page_id', page_id: parent.replaceAll('-', '') },
      properties: title(text('Rigging notes, 2026')),
      icon: { emoji: '⛵' },
      cover: { external: { url: 'https://example.org/cover.jpg' } },
      children: [paragraph('First notes.')],
    })
    expect(status).toBe(200)
    const time = new Date(server.clock.now()).toISOString()
    const bot = { object: 'user', id: exampleWorkspace.bot.id }
    const id = idOf(body)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'page',
      id,
      created_time: time,
      created_by: bot,
      last_edited_time: time,
      last_edited_by: bot,
      in_trash: false,
      is_archived: false,
      is_locked: false,
      url: `${server.url}/Rigging-notes-2026-${id.replaceAll('-', '')}`,
      public_url: null,
      parent: { type: 'page_id', page_id: parent },
      properties: { title: { id: 'title', type: 'title', title: [readText('Rigging notes, 2026')] } },
      icon: { type: 'emoji', emoji: '⛵' },
      cover: { type: 'external', external: { url: 'https://example.org/cover.jpg' } },
      request_id: null,
    })
    expect((await children(server.owner, parent)).at(-1)).toMatchObject({
      id,
      type: 'child_page',
      child_page: { title: 'Rigging notes, 2026' },
      has_children: true,
    })
    expect((await server.owner.call('retrievePage', { path: { page_id: parent } })).body['last_edited_time']).toBe(time)
  })

  it('200 at the top of the workspace for a connection that sees the whole workspace', async () => {
    for (const body of [{}, { parent: { workspace: true } }, { parent: { type: 'workspace', workspace: true } }]) {
      expect((await create(body)).body).toMatchObject({ parent: { type: 'workspace', workspace: true } })
    }
  })

  it('200 with an untitled page for an empty body', async () => {
    for (const body of [
      undefined,
      {},
      { properties: {} },
      { properties: title() },
      { properties: { title: [] } },
      { icon: null, cover: null, children: [] },
    ]) {
      const response = await create(body)
      expect(response.body).toMatchObject({ properties: { title: { title: [] } }, icon: null, cover: null })
      expect(response.body['url']).toBe(`${server.url}/${idOf(response.body).replaceAll('-', '')}`)
      expect(await blockOf(idOf(response.body))).toMatchObject({ child_page: { title: '' }, has_children: false })
    }
  })

  it('200 for the title as a bare array, and with read-only members', async () => {
    for (const properties of [
      { title: [text('Short')] },
      { title: { id: 'title', type: 'title', title: [readText('Short')] } },
    ]) {
      expect((await create({ properties })).body).toMatchObject({ properties: { title: { title: [readText('Short')] } } })
    }
  })

  it('200 for flags sent as null, which count as false', async () => {
    const { status, body } = await create({ in_trash: null, is_archived: null, is_locked: null })
    expect([status, body]).toMatchObject([200, { in_trash: false, is_archived: false, is_locked: false }])
  })

  it('200 with content as an alias of children', async () => {
    const { body } = await create({ content: [block('toggle', 'a', { children: [paragraph('b')] }), { divider: {} }] })
    expect(plainTexts(await children(server.owner, idOf(body)))).toStrictEqual(['a', 'divider'])
  })

  it('200 with the child_page block at the requested position', async () => {
    const page = await makePage(server.owner, 'Index', undefined, [paragraph('a'), paragraph('b')])
    const [first] = await children(server.owner, page)
    const at = async (position: object): Promise<string> => idOf((await create({ parent: { page_id: page }, position })).body)
    const after = await at({ type: 'after_block', after_block: { id: idOf(first) } })
    const start = await at({ type: 'page_start' })
    const end = await at({ type: 'page_end' })
    expect(
      (await children(server.owner, page)).map((one) => (one['type'] === 'child_page' ? one['id'] : plainTexts([one])[0])),
    ).toStrictEqual([start, 'a', after, 'b', end])
  })

  it('200 for the template none beside children', async () => {
    expect((await create({ template: { type: 'none' }, children: [paragraph('kept')] })).status).toBe(200)
  })

  it('200 with only the properties in filter_properties', async () => {
    expect(
      (await create({ properties: title(text('x')) }, server.owner, { filter_properties: ['nope'] })).body['properties'],
    ).toStrictEqual({})
    expect((await create({ properties: title(text('x')) }, server.owner, { filter_properties: ['title'] })).body).toMatchObject({
      properties: { title: {} },
    })
    expect(
      (await create({ properties: title(text('x')) }, server.owner, { 'filter_properties[]': ['title'] })).body,
    ).toMatchObject({ properties: { title: {} } })
  })

  it.each([
    ['Mast & rigging', 'Mast-rigging-'],
    ['  --  ', ''],
    ['Äpfel_2', 'pfel_2-'],
    ['...', ''],
    ['a-b', 'a-b-'],
    ['日本', ''],
  ])('200 with a url for the title %j that begins with %j', async (name, slug) => {
    const { body } = await create({ properties: title(text(name)) })
    expect(body['url']).toBe(`${server.url}/${slug}${idOf(body).replaceAll('-', '')}`)
  })

  it('200 with the whole title in the url, even if split over items', async () => {
    const { body } = await create({ properties: title(text('Launch '), text('day', { annotations: { bold: true } })) })
    expect(body['url']).toContain('/Launch-day-')
  })

  it('200 with a partial page when the caller may not read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { status, body } = await create({ parent: { page_id: parent }, properties: title(text('x')) }, caller)
    expect([status, Object.keys(body)]).toStrictEqual([200, ['object', 'id', 'request_id']])
  })

  describe('400 validation_error for', () => {
    const ghost = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
    const bad: [name: string, body: unknown, place: string][] = [
      ['an empty parent', { parent: {} }, 'body.parent.page_id'],
      ['a parent of unknown kind', { parent: { block_id: ghost } }, 'body.parent.block_id'],
      ['a parent of two kinds', { parent: { page_id: ghost, workspace: true } }, 'body.parent.workspace'],
      ['a null parent', { parent: null }, 'body.parent'],
      ['a parent whose type differs from its key', { parent: { type: 'workspace', page_id: ghost } }, 'body.parent.type'],
      ['a false workspace', { parent: { workspace: false } }, 'body.parent.workspace'],
      ['a null parent id', { parent: { page_id: null } }, 'body.parent.page_id'],
      ['a malformed parent id', { parent: { page_id: 'x' } }, 'body.parent.page_id'],
      ['a property that the page does not have', { properties: { Stage: { status: { name: 'x' } } } }, 'body.properties.Stage'],
      ['a property called __proto__', JSON.parse('{"properties":{"__proto__":{"title":[]}}}'), 'body.properties.__proto__'],
      ['a property called constructor', { properties: { constructor: { title: [] } } }, 'body.properties.constructor'],
      ['a title of another type', { properties: { title: { rich_text: [] } } }, 'body.properties.title'],
      ['a null title', { properties: { title: null } }, 'body.properties.title'],
      ['a title that is text', { properties: { title: 'x' } }, 'body.properties.title'],
      ['a title of 101 items', { properties: title(...many(101, text('x'))) }, 'body.properties.title.title.length'],
      [
        'a title item of 2001 characters',
        { properties: title(text('x'.repeat(2001))) },
        'body.properties.title.title[0].text.content.length',
      ],
      ['null properties', { properties: null }, 'body.properties'],
      ['101 children', { children: many(101, paragraph('')) }, 'body.children.length'],
      [
        'more than 1000 elements',
        { children: many(100, block('toggle', 'x', { children: many(10, paragraph('')) })) },
        'body.children',
      ],
      [
        'content of 2001 characters',
        { children: [paragraph('x'.repeat(2001))] },
        'body.children[0].paragraph.rich_text[0].text.content.length',
      ],
      ['a column on a page', { children: [{ column: { children: [] } }] }, 'body.children[0]'],
      ['a row on a page, in content', { content: [{ table_row: { cells: [[]] } }] }, 'body.content[0]'],
      [
        'a copy without its synced original',
        { children: [{ synced_block: { synced_from: { block_id: exampleWorkspace.pages.checklist } } }] },
        'body.children[0].synced_block.synced_from.block_id',
      ],
      ['an icon outside a tab', { children: [paragraph('x', { icon: { emoji: '⚓' } })] }, 'body.children[0].paragraph.icon'],
      ['children and content', { children: [], content: [] }, 'body.children'],
      ['markdown and children', { markdown: 'x', children: [paragraph('x')] }, 'body.markdown'],
      ['markdown and content', { markdown: 'x', content: [paragraph('x')] }, 'body.markdown'],
      ['allow_async without markdown', { allow_async: true }, 'body.allow_async'],
      ['allow_async that is not a boolean', { markdown: 'x', allow_async: 'yes' }, 'body.allow_async'],
      [
        'a template and children',
        { template: { type: 'template_id', template_id: ghost }, children: [paragraph('x')] },
        'body.children',
      ],
      ['an unknown template', { template: { type: 'best' } }, 'body.template.type'],
      [
        'an unknown time zone of a template',
        { template: { type: 'default', timezone: 'Europe/Atlantis' } },
        'body.template.timezone',
      ],
      ['the key archived', { archived: true }, 'body.archived'],
      ['an unknown key', { title: 'x' }, 'body.title'],
      ['a hosted file as icon', { icon: { file: { url: 'https://example.org/a' } } }, 'body.icon.file'],
      ['a hosted file as cover', { cover: { file: { url: 'https://example.org/a' } } }, 'body.cover.file'],
      ['an emoji as cover', { cover: { emoji: '⛵' } }, 'body.cover.emoji'],
      ['an icon that is not an emoji', { icon: { emoji: 'boat' } }, 'body.icon.emoji'],
      ['a cover url that is not absolute', { cover: { external: { url: 'cover.jpg' } } }, 'body.cover.external.url'],
      [
        'a position of appendBlockChildren',
        { parent: { page_id: exampleWorkspace.pages.checklist }, position: { type: 'end' } },
        'body.position.type',
      ],
      ['a position without a parent page', { position: { type: 'page_start' } }, 'body.position'],
      ['a position with the workspace', { parent: { workspace: true }, position: { type: 'page_end' } }, 'body.position'],
    ]

    it.each(bad)('%s', async (_name, body, location) => {
      expectInvalid(await create(body), location)
    })

    it('a position that is not after a child of the parent', async () => {
      const [elsewhere] = await children(server.owner, exampleWorkspace.pages.checklist)
      const before = await snapshot(server.owner, parent)
      for (const id of [ghost, idOf(elsewhere), parent]) {
        expectInvalid(
          await create({ parent: { page_id: parent }, position: { type: 'after_block', after_block: { id } } }),
          'body.position.after_block.id',
        )
      }
      expect(await snapshot(server.owner, parent)).toBe(before)
    })

    it('a parent that is not a page, naming its kind', async () => {
      const id = await appendOne(server.owner, parent, paragraph('x'))
      expectInvalid(await create({ parent: { page_id: id } }), 'body.parent.page_id')
      expectInvalid(await create({ parent: { page_id: id } }), 'block')
      expectInvalid(await create({ parent: { page_id: exampleWorkspace.repairLog } }), 'database')
    })

    it('a parent in the trash or below a page in the trash', async () => {
      const outer = await makePage(server.owner)
      const inner = await makePage(server.owner, 'Inner', outer)
      await server.owner.call('deleteBlock', { path: { block_id: outer } })
      expectInvalid(await create({ parent: { page_id: outer } }), 'body.parent')
      expectInvalid(await create({ parent: { page_id: inner } }), 'body.parent')
    })

    it('a missing parent or the workspace, for an internal connection with only shared pages', async () => {
      const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [parent] })
      expectInvalid(await create({}, caller), 'body.parent')
      expectInvalid(await create({ parent: { workspace: true } }, caller), 'body.parent')
    })

    it('more than 100 filter_properties', async () => {
      expectInvalid(await create({}, server.owner, { filter_properties: many(101, 'title') }), 'query.filter_properties.length')
    })
  })

  it('404 object_not_found, and no write, when a parent, emoji, upload or mention is missing or not shared', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [parent] })
    const ghost = randomUUID()
    const before = await snapshot(server.owner, parent)
    const rows: [object, string][] = [
      [{ parent: { page_id: ghost } }, ghost],
      [{ parent: { page_id: exampleWorkspace.pages.checklist } }, exampleWorkspace.pages.checklist],
      [{ parent: { database_id: ghost } }, ghost],
      [{ icon: { custom_emoji: { id: ghost } } }, ghost],
      [{ icon: { file_upload: { id: ghost } } }, ghost],
      [{ cover: { file_upload: { id: ghost } } }, ghost],
      [{ properties: title({ mention: { page: { id: exampleWorkspace.pages.checklist } } }) }, exampleWorkspace.pages.checklist],
      [
        { children: [paragraph('x'), { link_to_page: { page_id: exampleWorkspace.pages.checklist } }] },
        exampleWorkspace.pages.checklist,
      ],
    ]
    for (const [body, id] of rows) expectNotFound(await create({ parent: { page_id: parent }, ...body }, caller), id)
    expect(await snapshot(server.owner, parent)).toBe(before)
  })

  it('400 naming the key that excludes another key', async () => {
    const { body } = await create({ markdown: 'x', children: [paragraph('x')] })
    expect(body['message']).toContain('body.markdown should be not present beside `children`')
  })

  it('400 invalid_json when the body is not JSON', async () => {
    expectError(
      await server.owner.send('POST', '/v1/pages', { headers: { 'Content-Type': 'application/json' }, body: '{"parent":' }),
      400,
      'invalid_json',
    )
  })

  it('401 unauthorized without a token', async () => {
    expectError(await create({}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to insert content', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'update_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const page_id of [parent, randomUUID()]) {
      const response = await create({ parent: { page_id } }, caller)
      expectError(response, 403, 'restricted_resource')
      expect(at(response.body, 'additional_data')).toStrictEqual({ required_capability: 'insert_content' })
    }
  })
})
