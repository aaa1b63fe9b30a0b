import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertBlocks, type NewBlock } from '../../../server/store/blocks.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setPersonTimeZone } from '../../../server/domain/administration/people.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import {
  appendOne,
  block,
  children,
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
import { at, idOf, textAt, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile } from '../../harness/server.ts'

// Concurrent, because each test waits for work after the response.

const server = await serverOfFile()
const titled = (title: string): object => ({ properties: { title: { title: [text(title)] } } })
const template = await makeTemplate('Week plan', [paragraph('Monday'), paragraph('Tuesday')])

const variable = (kind: object): object => ({ mention: { template_mention: kind } })
const TODAY = variable({ template_mention_date: 'today' })
const NOW = variable({ template_mention_date: 'now' })
const ME = variable({ template_mention_user: 'me' })

async function makeTemplate(title: string, content: object[], more: object = {}): Promise<string> {
  const { body } = await server.owner.call('createPage', { body: { ...titled(title), children: content, ...more } })
  return idOf(body)
}

const chosen = (id: string, more: object = {}): object => ({ template: { type: 'template_id', template_id: id, ...more } })
const create = (body: unknown, caller = server.owner): ReturnType<typeof caller.call> => caller.call('createPage', { body })
const update = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('updatePage', { path: { page_id: id }, body })
const retrieve = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrievePage', { path: { page_id: id } })).body

/** The content of a page once it has this many blocks. */
function filled(id: string, count: number): Promise<JsonObject[]> {
  return until(async () => {
    const found = await children(server.owner, id)
    return found.length >= count ? found : undefined
  })
}

async function madeFrom(id: string, count: number, more: object = {}, caller = server.owner): Promise<JsonObject[]> {
  const response = await create({ ...chosen(id), ...more }, caller)
  expect(response.status).toBe(200)
  return filled(idOf(response.body), count)
}

/** Inserts paragraphs of some length into a page, faster than by requests. */
function plant(id: string, count: number, length: number): Promise<void> {
  const content = { rich_text: [{ type: 'text', text: { content: 'x'.repeat(length) } }], color: 'default', icon: null }
  const rows = generateNKeysBetween(null, null, count).map((rank): NewBlock => ({
    ...{ id: randomUUID(), type: 'paragraph', parentType: 'page_id', parentId: id, pageId: id, rank, content },
    createdTime: 1,
    createdBy: exampleWorkspace.bot.id,
  }))
  return server.service.database.write((db) => insertBlocks(db, exampleWorkspace.workspace.id, rows))
}

const itemsOf = (one: JsonObject | undefined): unknown => at(one, textAt(one, 'type'), 'rich_text')

describe('createPage with a template', () => {
  it.concurrent('200 with the sent properties at once; title and content of the template follow', async () => {
    const parent = await makePage(server.owner, 'Plans')
    const { status, body } = await create({ parent: { page_id: parent }, ...titled('Week 21'), ...chosen(template) })
    expect([status, body]).toMatchObject([200, { properties: { title: { title: [readText('Week 21')] } }, icon: null }])
    expect(plainTexts(await filled(idOf(body), 2))).toStrictEqual(['Monday', 'Tuesday'])
    expect(await retrieve(idOf(body))).toMatchObject({ properties: { title: { title: [readText('Week 21')] } } })
  })

  it.concurrent('200 with title, icon and cover of the template unless the request sends them, even as null', async () => {
    const cover = { type: 'external', external: { url: 'https://example.org/c.png' } }
    const decorated = await makeTemplate('Dressed', [paragraph('x')], { icon: { emoji: '⚓' }, cover })
    const bare = await create(chosen(decorated))
    expect(bare.body).toMatchObject({ properties: { title: { title: [] } }, icon: null, cover: null })
    await filled(idOf(bare.body), 1)
    expect(await retrieve(idOf(bare.body))).toMatchObject({
      properties: { title: { title: [readText('Dressed')] } },
      icon: { emoji: '⚓' },
      cover,
    })
    const own = idOf((await create({ ...chosen(decorated), properties: { title: [] }, icon: { emoji: '⛵' }, cover: null })).body)
    await filled(own, 1)
    expect(await retrieve(own)).toMatchObject({ properties: { title: { title: [] } }, icon: { emoji: '⛵' }, cover: null })
  })

  it('200 with variables in the time zone of the request; @Me is the bot of an internal connection', async () => {
    server.clock.advance(Date.parse('2026-05-16T22:30:00.000Z') - server.clock.now())
    const id = await makeTemplate('Diary', [block('heading_1', ''), { paragraph: { rich_text: [TODAY, NOW, ME] } }])
    const shown = async (timezone?: string): Promise<unknown> => {
      const { body } = await create(chosen(id, timezone === undefined ? {} : { timezone }))
      const items = itemsOf((await filled(idOf(body), 2))[1])
      return Array.isArray(items) ? items.map((one) => textAt(one, 'plain_text')) : items
    }
    const me = `@${exampleWorkspace.bot.name}`
    expect(await shown('Asia/Kathmandu')).toStrictEqual(['2026-05-17', '2026-05-17T04:15:00.000+05:45', me])
    expect(await shown()).toStrictEqual(['2026-05-16', '2026-05-16T22:30:00.000+00:00', me])
  })

  it('200 with the time zone and name of the person behind a personal token', async () => {
    const [, tomas] = exampleWorkspace.people
    const { token } = await server.service.database.write(async (db) => {
      await setPersonTimeZone(db, exampleWorkspace.workspace.id, tomas.id, 'America/St_Johns')
      return createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId: tomas.id }, server.clock.now())
    })
    const id = await makeTemplate('Signed', [{ paragraph: { rich_text: [NOW, ME] } }])
    const { body } = await create(chosen(id), server.caller(token))
    const [line] = await until(async () => {
      const found = await children(server.caller(token), idOf(body))
      return found.length > 0 ? found : undefined
    })
    expect(at(itemsOf(line) as JsonObject[], 0, 'plain_text')).toMatch(/-02:30$/)
    expect(at(itemsOf(line) as JsonObject[], 1, 'mention', 'user', 'id')).toBe(tomas.id)
  })

  it.concurrent('200 with nested blocks, tables and sub-pages copied, references inside adjusted, and trashed blocks omitted', async () => {
    const id = await makeTemplate('Whole', [
      { synced_block: { synced_from: null, children: [paragraph('shared')] } },
      { table: { table_width: 1, children: [row('cell')] } },
      block('toggle', 'outer', { children: [block('toggle', 'middle', { children: [paragraph('inner')] })] }),
      paragraph('trashed'),
    ])
    const [original, , , trashed] = await children(server.owner, id)
    await server.owner.call('deleteBlock', { path: { block_id: idOf(trashed) } })
    await appendOne(server.owner, id, { synced_block: { synced_from: { block_id: idOf(original) } } })
    await appendOne(server.owner, id, { paragraph: { rich_text: [{ mention: { page: { id } } }] } })
    const sub = await makePage(server.owner, 'Sub-page', id, [paragraph('on the sub-page')])
    const copy = await madeFrom(id, 6, titled('Copy'))
    const page = textAt(copy[0], 'parent', 'page_id')
    expect(plainTexts(copy)).toStrictEqual(['synced_block', 'table', 'outer', 'synced_block', 'Copy', 'child_page'])
    expect(at(copy[3], 'synced_block', 'synced_from', 'block_id')).toBe(idOf(copy[0]))
    expect(at(itemsOf(copy[4]) as JsonObject[], 0, 'mention', 'page', 'id')).toBe(page)
    const [middle] = await children(server.owner, idOf(copy[2]))
    expect(plainTexts(await children(server.owner, idOf(middle)))).toStrictEqual(['inner'])
    expect(idOf(copy[5])).not.toBe(sub)
    expect(await retrieve(idOf(copy[5]))).toMatchObject({ parent: { type: 'page_id', page_id: page } })
    expect(plainTexts(await children(server.owner, idOf(copy[5])))).toStrictEqual(['on the sub-page'])
  })

  it.concurrent('200 with more than a hundred blocks copied, and a copied sub-page unlocked', async () => {
    const id = await makeTemplate('Long', [])
    await plant(id, 101, 1)
    const sub = await makePage(server.owner, 'Locked', id)
    await update(sub, { is_locked: true })
    const copy = await madeFrom(id, 100)
    const last = await until(async () => (await children(server.owner, textAt(copy[0], 'parent', 'page_id'))).at(101))
    expect(await retrieve(idOf(last))).toMatchObject({ is_locked: false, properties: { title: { title: [readText('Locked')] } } })
  })

  it.concurrent('200 with variables below a template block kept until that block is used', async () => {
    const id = await makeTemplate('With a button', [
      { template: { rich_text: [text('Add a day')], children: [{ paragraph: { rich_text: [TODAY] } }] } },
    ])
    const [button] = await madeFrom(id, 1)
    const [inside] = await children(server.owner, idOf(button))
    expect(at(itemsOf(inside) as JsonObject[], 0, 'plain_text')).toBe('@Today')
  })

  it.concurrent('200 for a template that contains the new page, which is not copied into itself', async () => {
    const id = await makeTemplate('Around', [paragraph('a')])
    const page = idOf((await create({ parent: { page_id: id }, ...titled('Inside'), ...chosen(id) })).body)
    expect(plainTexts(await filled(page, 1))).toStrictEqual(['a'])
    expect(plainTexts(await children(server.owner, id))).toStrictEqual(['a', 'child_page'])
  })

  it('200 with a copy that omits pages which the member may not see', async () => {
    const id = await makeTemplate('Half open', [paragraph('open')])
    const hidden = await makePage(server.owner, 'Hidden', id)
    const open = await makePage(server.owner, 'Open', id)
    const aiko = exampleWorkspace.people[2].id
    const { token } = await server.service.database.write(async (db) => {
      await setMemberAccess(db, exampleWorkspace.workspace.id, hidden, aiko, 'none', server.clock.now())
      return createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId: aiko }, server.clock.now())
    })
    const { body } = await create(chosen(id), server.caller(token))
    const copy = await until(async () => {
      const found = await children(server.caller(token), idOf(body))
      return found.length > 0 ? found : undefined
    })
    expect(open).toBeTruthy()
    expect(copy.map((one) => at(one, 'child_page', 'title') ?? plainTexts([one])[0])).toStrictEqual(['open', 'Open'])
  })
})

describe('updatePage with a template', () => {
  it.concurrent("200 before the template's content is appended, with existing values kept", async () => {
    const page = await makePage(server.owner, 'Mine', undefined, [paragraph('before')])
    expect((await update(page, chosen(template))).body).toMatchObject({ properties: { title: { title: [readText('Mine')] } } })
    expect(plainTexts(await filled(page, 3))).toStrictEqual(['before', 'Monday', 'Tuesday'])
    expect(await retrieve(page)).toMatchObject({ properties: { title: { title: [readText('Mine')] } } })
  })

  it.concurrent("200 with the content replaced by erase_content, and the request's properties before the template's", async () => {
    const page = await makePage(server.owner, '', undefined, [paragraph('old')])
    const response = await update(page, {
      erase_content: true,
      properties: { title: [] },
      icon: { emoji: '⛵' },
      ...chosen(template),
    })
    expect(response.body).toMatchObject({ icon: { emoji: '⛵' } })
    expect(plainTexts(await filled(page, 2))).toStrictEqual(['Monday', 'Tuesday'])
    expect(await retrieve(page)).toMatchObject({ properties: { title: { title: [] } }, icon: { emoji: '⛵' } })
  })

  it.concurrent('200 for a page as its own template, and for a restoration that applies one', async () => {
    const page = await makePage(server.owner, 'Twice', undefined, [paragraph('a')])
    await update(page, chosen(page))
    expect(plainTexts(await filled(page, 2))).toStrictEqual(['a', 'a'])
    await update(page, { in_trash: true })
    await update(page, { in_trash: false, ...chosen(template) })
    expect(plainTexts(await filled(page, 4))).toStrictEqual(['a', 'a', 'Monday', 'Tuesday'])
  })

  it('200 with edit time and editor updated when the page is filled', async () => {
    const page = await makePage(server.owner, 'Stamped')
    const { caller, botId } = await makeConnection(server, {
      capabilities: ['update_content', 'read_content'],
      grants: [page, template],
    })
    server.clock.advance(1000)
    await update(page, chosen(template), caller)
    await filled(page, 2)
    expect(await retrieve(page)).toMatchObject({
      last_edited_time: new Date(server.clock.now()).toISOString(),
      last_edited_by: { object: 'user', id: botId },
    })
  })
})

describe('createPage with an invalid template', () => {
  const ghost = randomUUID()
  let page: string
  beforeAll(async () => {
    page = await makePage(server.owner, 'Target', undefined, [paragraph('kept')])
  })

  /** Expects that both operations refuse a body, and that nothing remains of it. */
  async function refused(body: object, expectation: (response: Awaited<ReturnType<typeof create>>) => void): Promise<void> {
    const before = await snapshot(server.owner, page)
    expectation(await create({ parent: { page_id: page }, ...body }))
    expectation(await update(page, body))
    expect(await snapshot(server.owner, page)).toBe(before)
  }

  it('400 for the default template outside a data source', () =>
    refused({ template: { type: 'default' } }, (response) => expectInvalid(response, 'body.template')))

  it('400 when the time zone is unknown', () =>
    refused(chosen(template, { timezone: 'Europe/Atlantis' }), (response) => expectInvalid(response, 'body.template.timezone')))

  it("400 when the template's id is malformed or missing", async () => {
    await refused(chosen('x'), (response) => expectInvalid(response, 'body.template.template_id'))
    await refused({ template: { type: 'template_id' } }, (response) => expectInvalid(response, 'body.template.template_id'))
  })

  it('400 for a block or a database as template, naming the kind', async () => {
    const id = await appendOne(server.owner, template, paragraph('Wednesday'))
    await refused(chosen(id), (response) => expectInvalid(response, 'block'))
    await refused(chosen(exampleWorkspace.repairLog), (response) => expectInvalid(response, 'database'))
  })

  it('400 when the template or an ancestor is in the trash', async () => {
    const gone = await makePage(server.owner, 'Gone')
    const below = await makePage(server.owner, 'Below', gone)
    await server.owner.call('deleteBlock', { path: { block_id: gone } })
    for (const id of [gone, below]) await refused(chosen(id), (response) => expectInvalid(response, 'body.template.template_id'))
  })

  it('400 when the template is too large', async () => {
    const [many, heavy] = [await makePage(server.owner, 'Many blocks'), await makePage(server.owner, 'Heavy blocks')]
    await plant(many, 10_001, 1)
    await plant(heavy, 101, 199_000)
    for (const id of [many, heavy]) await refused(chosen(id), (response) => expectInvalid(response, 'body.template.template_id'))
  })

  it('400 for a template beside children, content or markdown', async () => {
    for (const [name, value] of [
      ['children', [paragraph('x')]],
      ['content', []],
      ['markdown', 'x'],
    ] as const)
      expectInvalid(await create({ ...chosen(template), [name]: value }), `body.${name}`)
  })

  it('403 without the capability to read content, even if the template is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'update_content'],
      grants: [page, template],
    })
    for (const id of [template, ghost]) {
      for (const response of [
        await create({ parent: { page_id: page }, ...chosen(id) }, caller),
        await update(page, chosen(id), caller),
      ])
        expectError(response, 403, 'restricted_resource', 'read_content')
    }
  })

  it('404 when the template is missing or not shared', async () => {
    await refused(chosen(ghost), (response) => expectNotFound(response, ghost))
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'update_content', 'read_content'],
      grants: [page],
    })
    expectNotFound(await create({ parent: { page_id: page }, ...chosen(template) }, caller), template)
    expectNotFound(await update(page, chosen(template), caller), template)
  })
})
