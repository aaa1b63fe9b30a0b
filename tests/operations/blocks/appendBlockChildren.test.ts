import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, appendOne, block, children, makePage, paragraph, plainTexts, snapshot } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const appendTo = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('appendBlockChildren', { path: { block_id: id }, body })
const textsBelow = async (id: string): Promise<string[]> => plainTexts(await children(server.owner, id))

describe('appendBlockChildren', () => {
  it('200 with the new top-level blocks in order, without their children', async () => {
    const page = await makePage(server.owner, 'Plan', undefined, [paragraph('already here')])
    const { status, body } = await appendTo(page, {
      children: [block('toggle', 'one', { children: [paragraph('inside')] }), paragraph('two')],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'block', block: {}, has_more: false, next_cursor: null })
    expect(plainTexts(resultsOf(body))).toStrictEqual(['one', 'two'])
    expect(resultsOf(body).map((one) => one['has_children'])).toStrictEqual([true, false])
    expect(at(body, 'results', 0, 'toggle')).not.toHaveProperty('children')
    expect(await textsBelow(page)).toStrictEqual(['already here', 'one', 'two'])
  })

  it('200 with time and bot recorded on the new blocks at any depth, and on the page', async () => {
    const page = await makePage(server.owner)
    server.clock.advance(5_000)
    const { caller, botId } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [page] })
    const [made] = await append(caller, page, [paragraph('stamped')])
    const now = new Date(server.clock.now()).toISOString()
    const bot = { object: 'user', id: botId }
    expect(made).toMatchObject({ created_time: now, last_edited_time: now, created_by: bot, last_edited_by: bot })
    const retrieved = async (): Promise<object> => (await server.owner.call('retrievePage', { path: { page_id: page } })).body
    const stamp = { last_edited_time: now, last_edited_by: bot, created_by: { object: 'user', id: exampleWorkspace.bot.id } }
    expect(await retrieved()).toMatchObject(stamp)
    const toggle = await appendOne(server.owner, page, block('toggle', 'fold'))
    server.clock.advance(5_000)
    await append(caller, toggle, [paragraph('inside')])
    expect(await retrieved()).toMatchObject({ ...stamp, last_edited_time: new Date(server.clock.now()).toISOString() })
  })

  it('200 without any change for an empty list', async () => {
    const page = await makePage(server.owner)
    const before = await snapshot(server.owner, page)
    server.clock.advance(1000)
    const { status, body } = await appendTo(page, { children: [] })
    expect([status, body['results'], body['has_more'], body['next_cursor']]).toStrictEqual([200, [], false, null])
    expect(await snapshot(server.owner, page)).toBe(before)
  })

  it('200 with the default color for a null color, of blocks and text, on create and update', async () => {
    const page = await makePage(server.owner)
    const rich_text = [{ text: { content: 'x' }, annotations: { bold: true, color: null } }]
    const id = await appendOne(server.owner, page, { paragraph: { rich_text, color: null } })
    const change = async (color: string | null): Promise<unknown> => {
      const { body } = await server.owner.call('updateBlock', { path: { block_id: id }, body: { paragraph: { color } } })
      return at(body, 'paragraph', 'color')
    }
    const [made] = await children(server.owner, page)
    expect(made).toMatchObject({
      paragraph: { color: 'default', rich_text: [{ annotations: { bold: true, color: 'default' } }] },
    })
    expect([await change('red'), await change(null)]).toStrictEqual(['red', 'default'])
  })

  it('200 with new blocks for a repeated request', async () => {
    const page = await makePage(server.owner)
    const ids = [await appendOne(server.owner, page, paragraph('again')), await appendOne(server.owner, page, paragraph('again'))]
    expect(new Set(ids).size).toBe(2)
    expect(await textsBelow(page)).toStrictEqual(['again', 'again'])
  })

  it('200 for a block in the form in which it was read; read-only members are ignored', async () => {
    const page = await makePage(server.owner)
    const [read] = await append(server.owner, page, [block('to_do', 'Grease the rollers', { checked: true, color: 'blue' })])
    const copy = await appendTo(page, { children: [read] })
    expect(copy.status).toBe(200)
    expect(at(copy.body, 'results', 0, 'to_do')).toStrictEqual(read?.['to_do'])
    expect(at(copy.body, 'results', 0, 'id')).not.toBe(idOf(read))
  })

  describe('a parent in the trash', () => {
    it('400 validation_error when the parent itself is in the trash', async () => {
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, block('toggle', 'gone'))
      await server.owner.call('deleteBlock', { path: { block_id: id } })
      expectInvalid(await appendTo(id, { children: [paragraph('x')] }), 'trash')
      await server.owner.call('deleteBlock', { path: { block_id: page } })
      expectInvalid(await appendTo(page, { children: [paragraph('x')] }), 'trash')
    })

    it('400 validation_error when an ancestor of the parent is in the trash', async () => {
      const page = await makePage(server.owner)
      const sub = await makePage(server.owner, 'Sub-page', page)
      const id = await appendOne(server.owner, sub, block('toggle', 'deep'))
      await server.owner.call('deleteBlock', { path: { block_id: page } })
      expectInvalid(await appendTo(id, { children: [paragraph('x')] }), 'trash')
      await server.owner.call('updateBlock', { path: { block_id: page }, body: { in_trash: false } })
      expect((await appendTo(id, { children: [paragraph('x')] })).status).toBe(200)
    })
  })

  describe('references to objects', () => {
    const rich = (mention: object): object => ({ paragraph: { rich_text: [{ mention }] } })

    it('404 object_not_found, and no write, when the caller cannot see a referenced object', async () => {
      const hidden = await makePage(server.owner, 'Hidden')
      const original = await appendOne(server.owner, hidden, { synced_block: { synced_from: null } })
      const page = await makePage(server.owner)
      const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [page] })
      const unknown = randomUUID()
      const before = await snapshot(server.owner, page)
      const rows: [string, object, string][] = [
        ['hidden page', rich({ page: { id: hidden } }), hidden],
        ['missing page', rich({ page: { id: unknown } }), unknown],
        ['hidden database', rich({ database: { id: exampleWorkspace.repairLog } }), exampleWorkspace.repairLog],
        ['missing database', rich({ database: { id: unknown } }), unknown],
        ['missing user', rich({ user: { id: unknown } }), unknown],
        ['missing emoji', rich({ custom_emoji: { id: unknown } }), unknown],
        ['missing emoji in an icon', { callout: { rich_text: [], icon: { custom_emoji: { id: unknown } } } }, unknown],
        ['link to a hidden page', { link_to_page: { page_id: hidden } }, hidden],
        ['link to a missing database', { link_to_page: { database_id: unknown } }, unknown],
        ['link to a missing comment', { link_to_page: { comment_id: unknown } }, unknown],
        ['hidden original', { synced_block: { synced_from: { block_id: original } } }, original],
        ['missing upload', { image: { file_upload: { id: unknown } } }, unknown],
        [
          'deep inside',
          block('toggle', 'a', { children: [block('quote', 'b', { children: [rich({ page: { id: hidden } })] })] }),
          hidden,
        ],
      ]
      for (const [name, child, id] of rows) {
        const response = await appendTo(page, { children: [paragraph('first'), child] }, caller)
        expect(response.status, name).toBe(404)
        expectNotFound(response, id)
      }
      expect(await snapshot(server.owner, page)).toBe(before)
    })

    it('400 validation_error for a page id that belongs to a block or database, and 404 for a database id that belongs to a page', async () => {
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, paragraph('a block'))
      expectInvalid(
        await appendTo(page, { children: [rich({ page: { id } })] }),
        'body.children[0].paragraph.rich_text[0].mention.page.id',
      )
      expectInvalid(await appendTo(page, { children: [{ link_to_page: { page_id: exampleWorkspace.repairLog } }] }), 'database')
      expectNotFound(await appendTo(page, { children: [rich({ database: { id: page } })] }), page)
    })

    it('400 validation_error when a synced block refers to anything but an original', async () => {
      const page = await makePage(server.owner)
      const [original, other] = await append(server.owner, page, [
        { synced_block: { synced_from: null } },
        paragraph('no original'),
      ])
      const [mirror] = await append(server.owner, page, [
        { synced_block: { synced_from: { type: 'block_id', block_id: idOf(original) } } },
      ])
      for (const id of [idOf(other), idOf(mirror), page]) {
        expectInvalid(
          await appendTo(page, { children: [{ synced_block: { synced_from: { block_id: id } } }] }),
          'body.children[0].synced_block.synced_from.block_id',
        )
      }
    })
  })

  it('403 restricted_resource without the capability to insert content, before the body is validated', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [page] })
    for (const id of [page, randomUUID()]) {
      const response = await caller.call('appendBlockChildren', { path: { block_id: id }, body: 'no object' })
      expectError(response, 403, 'restricted_resource')
      expect(response.body['additional_data']).toStrictEqual({ required_capability: 'insert_content' })
    }
  })

  it('200 with partial blocks, and without siblings, when the caller may not read content', async () => {
    const page = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [page] })
    const { body } = await appendTo(page, { children: [paragraph('secret'), { divider: {} }] }, caller)
    expect(resultsOf(body).map((one) => Object.keys(one))).toStrictEqual([
      ['object', 'id'],
      ['object', 'id'],
    ])
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['secret', 'divider'])
    const ahead = await appendTo(page, { children: [paragraph('first')], position: { type: 'start' } }, caller)
    expect([resultsOf(ahead.body).length, ahead.body['has_more'], ahead.body['next_cursor']]).toStrictEqual([1, false, null])
  })

  it('404 object_not_found when the parent is missing or not shared', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    for (const id of [randomUUID(), exampleWorkspace.pages.checklist])
      expectNotFound(await appendTo(id, { children: [paragraph('x')] }, caller), id)
  })

  it('401 unauthorized without a token', async () => {
    expectError(await appendTo(exampleWorkspace.pages.checklist, { children: [] }, server.caller(undefined)), 401, 'unauthorized')
  })

  it('200 with the blocks of 20 concurrent requests kept', async () => {
    const page = await makePage(server.owner)
    await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        append(server.owner, page, [paragraph(String(index))], { position: { type: index % 2 ? 'start' : 'end' } }),
      ),
    )
    expect((await textsBelow(page)).toSorted((a, b) => Number(a) - Number(b))).toStrictEqual(
      Array.from({ length: 20 }, (_none, index) => String(index)),
    )
  })
})
