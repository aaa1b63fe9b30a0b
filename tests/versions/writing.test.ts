import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { releaseDates } from '../../server/versions/index.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, children, makePage, paragraph, plainTexts, snapshot, text } from '../harness/content.ts'
import { expectInvalid, expectNotFound } from '../harness/expectations.ts'
import { at, idOf, isObject, resultsOf, type Json, type JsonObject } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { anyBlock, readAt, without, writtenAt } from './blocks.ts'

const server = await serverOfFile()

const at2021 = ['2021-05-11', '2021-05-13'] as const

/** Everything below a page, without ids and times, which differ between pages of equal content. */
async function contentBelow(page: string): Promise<Json> {
  const level = await children(server.owner, page)
  return Promise.all(
    level.map(async (one): Promise<Json> => [
      without(one, 'id', 'parent', 'request_id', 'created_time', 'last_edited_time'),
      one['has_children'] === true ? await contentBelow(idOf(one)) : [],
    ]),
  )
}

describe('records written at one version and read at another', () => {
  it('have the same content for children of an append and of a new page, whichever version wrote them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { minLength: 1, maxLength: 4 }), async (blocks) => {
        const reference = await makePage(server.owner, 'Reference', undefined, blocks)
        const expected = await contentBelow(reference)
        for (const version of releaseDates) {
          const caller = server.caller(TOKEN, version)
          const page = await makePage(server.owner)
          const appended = await caller.call('appendBlockChildren', {
            path: { block_id: page },
            body: { children: writtenAt(version, blocks) },
          })
          const created = await caller.call('createPage', {
            body: { properties: { title: [text('Copy')] }, children: writtenAt(version, blocks) },
          })
          expect([version, appended.status, created.status]).toStrictEqual([version, 200, 200])
          expect(await contentBelow(page)).toStrictEqual(expected)
          expect(await contentBelow(idOf(created.body))).toStrictEqual(expected)
        }
      }),
      { numRuns: 6 },
    )
  })

  it.each(releaseDates.flatMap((writes) => releaseDates.map((reads) => ({ writes, reads }))))(
    'have the same content when written at $writes and read at $reads',
    async ({ writes, reads }) => {
      const [writer, reader] = [server.caller(TOKEN, writes), server.caller(TOKEN, reads)]
      const page = await makePage(server.owner)
      const [todo] = await append(server.owner, page, [{ to_do: { rich_text: [text('old')], checked: false, color: 'blue' } }])
      const path = { block_id: idOf(todo) }
      const updated = await writer.call('updateBlock', {
        path,
        body: writtenAt(writes, { to_do: { rich_text: [{ text: { content: 'new' } }], checked: true } }),
      })
      expect(updated.status).toBe(200)
      const { body } = await reader.call('retrieveBlock', { path })
      const newest = await server.owner.call('retrieveBlock', { path })
      expect(plainTexts([newest.body])).toStrictEqual(['new'])
      expect(at(newest.body, 'to_do')).toMatchObject({ checked: true, color: 'blue' })
      expect(without(body, 'request_id')).toStrictEqual(readAt(reads, without(newest.body, 'request_id')))
      expect(without(updated.body, 'request_id')).toStrictEqual(readAt(writes, without(newest.body, 'request_id')))
    },
  )

  it.each(releaseDates.filter((version) => version < '2026-03-11'))(
    'can be sent as new ones after they were read: blocks at %s',
    async (version) => {
      const caller = server.caller(TOKEN, version)
      const page = await makePage(server.owner)
      await append(server.owner, page, [{ to_do: { rich_text: [text('again')], checked: true } }, { divider: {} }])
      const { body } = await caller.call('listBlockChildren', { path: { block_id: page } })
      const copy = await makePage(server.owner)
      expect(
        (await caller.call('appendBlockChildren', { path: { block_id: copy }, body: { children: body['results'] } })).status,
      ).toBe(200)
      expect(await contentBelow(copy)).toStrictEqual(await contentBelow(page))
    },
  )
})

describe('F1 after', () => {
  it.each(releaseDates.filter((version) => version < '2026-03-11'))(
    '%s appends after the named block, or otherwise at the end',
    async (version) => {
      const caller = server.caller(TOKEN, version)
      const page = await makePage(server.owner)
      const [first] = await append(server.owner, page, [paragraph('a'), paragraph('c')])
      const body = (content: string, more: object): Json =>
        writtenAt(version, { children: [{ paragraph: { rich_text: [{ text: { content } }] } }], ...more })
      expect(
        (await caller.call('appendBlockChildren', { path: { block_id: page }, body: body('b', { after: idOf(first) }) })).status,
      ).toBe(200)
      expect((await caller.call('appendBlockChildren', { path: { block_id: page }, body: body('d', {}) })).status).toBe(200)
      expect(
        (await caller.call('appendBlockChildren', { path: { block_id: page }, body: body('0', { position: { type: 'start' } }) }))
          .status,
      ).toBe(200)
      expect(plainTexts(await children(server.owner, page))).toStrictEqual(['0', 'a', 'b', 'c', 'd'])
    },
  )

  it('names the key `after` in the error when the block is refused', async () => {
    const page = await makePage(server.owner)
    const before = await snapshot(server.owner, page)
    const response = await server
      .caller(TOKEN, '2025-09-03')
      .call('appendBlockChildren', { path: { block_id: page }, body: { children: [{ divider: {} }], after: page } })
    expectInvalid(response, 'body.after')
    expect(response.text).not.toContain('position')
    expect(await snapshot(server.owner, page)).toBe(before)
  })
})

describe('F2 archived', () => {
  const flags: [string, JsonObject][] = [
    ['archived', { archived: true }],
    ['in_trash', { in_trash: true }],
    ['both', { archived: true, in_trash: true }],
  ]
  it.each(flags)('%s moves to the trash and restores', async (_name, flag) => {
    const caller = server.caller(TOKEN, '2022-06-28')
    const page = await makePage(server.owner)
    const [made] = await append(server.owner, page, [paragraph('x')])
    const back = Object.fromEntries(Object.keys(flag).map((key) => [key, false]))
    for (const [operation, path] of [
      ['updateBlock', { block_id: idOf(made) }],
      ['updatePage', { page_id: page }],
    ] as const) {
      const trashed = await caller.call(operation, { path, body: flag })
      expect([trashed.status, trashed.body['archived'], trashed.body['in_trash']]).toStrictEqual([200, true, true])
      const restored = await caller.call(operation, { path, body: back })
      expect([restored.status, restored.body['archived'], restored.body['in_trash']]).toStrictEqual([200, false, false])
    }
  })
})

describe('B3 the response of appending', () => {
  it.each(at2021)('is the parent block at %s, with the new children', async (version) => {
    const caller = server.caller(TOKEN, version)
    const page = await makePage(server.owner)
    const [toggle] = await append(server.owner, page, [{ toggle: { rich_text: [text('holder')] } }])
    for (const id of [idOf(toggle), page]) {
      const { status, body } = await caller.call('appendBlockChildren', {
        path: { block_id: id },
        body: { children: [{ divider: {} }] },
      })
      const parent = await caller.call('retrieveBlock', { path: { block_id: id } })
      expect(status).toBe(200)
      expect(body).toMatchObject({ object: 'block', id, has_children: true })
      expect(without(body, 'request_id')).toStrictEqual(without(parent.body, 'request_id'))
    }
  })

  it("is only the parent's id for a caller without the read content capability", async () => {
    const page = await makePage(server.owner)
    const { token } = await makeConnection(server, { capabilities: ['insert_content'], grants: [page] })
    const { body } = await server
      .caller(token, '2021-05-13')
      .call('appendBlockChildren', { path: { block_id: page }, body: { children: [{ divider: {} }] } })
    expect(without(body, 'request_id')).toStrictEqual({ object: 'block', id: page })
    expect(await children(server.owner, page)).toHaveLength(1)
  })

  it('is the error when the append fails, and no block is created', async () => {
    const caller = server.caller(TOKEN, '2021-05-13')
    const page = await makePage(server.owner)
    const [divider] = await append(server.owner, page, [{ divider: {} }])
    expectInvalid(
      await caller.call('appendBlockChildren', { path: { block_id: idOf(divider) }, body: { children: [{ divider: {} }] } }),
      'body.children',
    )
    const unknown = randomUUID()
    expectNotFound(
      await caller.call('appendBlockChildren', { path: { block_id: unknown }, body: { children: [{ divider: {} }] } }),
      unknown,
    )
    const nested = { children: [{ toggle: { text: [], children: [{ link_to_page: { page_id: unknown } }] } }] }
    expectNotFound(await caller.call('appendBlockChildren', { path: { block_id: page }, body: nested }), unknown)
    expect(await children(server.owner, page)).toHaveLength(1)
  })

  it('is returned with the same bytes for a repeat with the same key, which appends once', async () => {
    const caller = server.caller(TOKEN, '2021-05-13')
    const page = await makePage(server.owner)
    const request = {
      path: { block_id: page },
      body: { children: [{ paragraph: { text: [text('once')] } }] },
      headers: { 'Idempotency-Key': 'append-at-2021-05-13' },
    }
    const first = await caller.call('appendBlockChildren', request)
    const second = await caller.call('appendBlockChildren', request)
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['once'])
    const other = await server.caller(TOKEN, '2021-08-16').call('appendBlockChildren', request)
    expect([other.status, other.body['code']]).toStrictEqual([409, 'idempotency_key_reused'])
  })
})

describe('domain errors name locations as the caller sent them', () => {
  it('inside nested blocks', async () => {
    const page = await makePage(server.owner)
    const caller = server.caller(TOKEN, '2021-08-16')
    const crowded = {
      children: [
        { divider: {} },
        { toggle: { text: [], children: [{ paragraph: { text: [], icon: { type: 'emoji', emoji: '⛵' } } }] } },
      ],
    }
    expectInvalid(
      await caller.call('appendBlockChildren', { path: { block_id: page }, body: crowded }),
      'body.children[1].toggle.children[0].paragraph.icon',
    )
    const { body } = await caller.call('listBlockChildren', { path: { block_id: page } })
    expect(resultsOf(body)).toStrictEqual([])
  })

  it('in several places at once', async () => {
    const page = await makePage(server.owner)
    const wrong = { children: [{ paragraph: { text: [{ text: { content: 7 } }] } }, { to_do: { text: 'x' } }] }
    const response = await server
      .caller(TOKEN, '2021-08-16')
      .call('appendBlockChildren', { path: { block_id: page }, body: wrong })
    expectInvalid(response, 'body.children[0].paragraph.text[0].text.content')
    const data = response.body['additional_data']
    expect(isObject(data) ? data['failed_paths'] : []).toStrictEqual([
      'body.children[0].paragraph.text[0].text.content',
      'body.children[1].to_do.text',
    ])
  })
})
