import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import type { TestResponse } from '../harness/responses.ts'
import type { CallParts } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { appendOne, paragraph, text } from '../harness/content.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { serverOfFile } from '../harness/server.ts'
import { callKeyed, expectReplay, freshPage, pageBody } from './support/keyed.ts'

const server = await serverOfFile()

const keyed = (key: string, id: OperationId, parts: CallParts, caller = server.owner): Promise<TestResponse> =>
  callKeyed(caller, key, id, parts)

describe('a repeat of a successful request', () => {
  const writes: readonly [OperationId, (block: string, parent: string) => CallParts][] = [
    ['createPage', (_block, parent) => ({ body: pageBody(parent) })],
    [
      'updatePage',
      (_block, parent) => ({ path: { page_id: parent }, body: { properties: { title: { title: [text('Renamed')] } } } }),
    ],
    [
      'appendBlockChildren',
      (_block, parent) => ({ path: { block_id: parent }, body: { children: [paragraph('reef'), paragraph('knot')] } }),
    ],
    ['updateBlock', (block) => ({ path: { block_id: block }, body: { paragraph: { rich_text: [text('changed')] } } })],
    ['deleteBlock', (block) => ({ path: { block_id: block } })],
  ]

  it.each(writes)(
    '%s: 200 with the stored response, byte for byte and with the id of the first request, and no second change',
    async (id, parts) => {
      const { parent, count } = await freshPage(server.owner)
      const block = await appendOne(server.owner, parent, paragraph('keel'))
      const [key, request] = [randomUUID(), parts(block, parent)]
      const first = await keyed(key, id, request)
      expect(first.status).toBe(200)
      const [blocks, page] = [await count(), (await server.owner.call('retrievePage', { path: { page_id: parent } })).body]
      server.clock.advance(90_000)
      for (const repeat of [await keyed(key, id, request), await keyed(key, id, request)]) expectReplay(repeat, first)
      expect(await count()).toBe(blocks)
      expect((await server.owner.call('retrievePage', { path: { page_id: parent } })).body).toStrictEqual({
        ...page,
        request_id: expect.any(String) as string,
      })
    },
  )

  it('200 even for operations that only read', async () => {
    const request = { body: { query: 'keel' } }
    const first = await keyed('reading', 'search', request)
    expect(first.status).toBe(200)
    expectReplay(await keyed('reading', 'search', request), first)
  })

  it('200 even if the target was changed, trashed or no longer shared in between', async () => {
    const { parent } = await freshPage(server.owner)
    const { caller, botId } = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [parent] })
    const request = { path: { page_id: parent }, body: { properties: { title: { title: [text('First')] } } } }
    const first = await keyed('between', 'updatePage', request, caller)
    await server.owner.call('updatePage', { path: { page_id: parent }, body: { in_trash: true } })
    expectReplay(await keyed('between', 'updatePage', request, caller), first)
    await server.service.database.write((db) => db.run('delete from grants where bot_id = ?', botId))
    expectReplay(await keyed('between', 'updatePage', request, caller), first)
    expectError(
      await keyed('between', 'updatePage', { ...request, body: { in_trash: false } }, caller),
      409,
      'idempotency_key_reused',
    )
    expectError(await keyed('another', 'updatePage', request, caller), 404, 'object_not_found')
  })

  it('200 and a second execution when the repeat has no key', async () => {
    const { parent, count } = await freshPage(server.owner)
    for (let times = 0; times < 2; times += 1) await server.owner.call('createPage', { body: pageBody(parent) })
    expect(await count()).toBe(2)
  })
})

describe('the key of a failed request', () => {
  it('200 for the corrected request after 400', async () => {
    const { parent, count } = await freshPage(server.owner)
    const append = (body: object): Promise<TestResponse> =>
      keyed('corrected', 'appendBlockChildren', { path: { block_id: parent }, body })
    expectInvalid(await append({ children: [{ paragraph: { rich_text: 'no' } }] }), 'body.children[0].paragraph.rich_text')
    expect(await count()).toBe(0)
    const response = await append({ children: [paragraph('right')] })
    expect(response.status).toBe(200)
    expect(response.headers['idempotency-replayed']).toBeUndefined()
    expect(await count()).toBe(1)
  })

  it('200 after 404, once the page is shared', async () => {
    const { parent } = await freshPage(server.owner)
    const { caller, botId } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    const request = { path: { block_id: parent }, body: { children: [paragraph('late')] } }
    expectError(await keyed('shared-later', 'appendBlockChildren', request, caller), 404, 'object_not_found')
    await server.service.database.write((db) =>
      db.run(
        'insert into grants (workspace_id, bot_id, item_id, created_time) values (?, ?, ?, ?)',
        exampleWorkspace.workspace.id,
        botId,
        parent,
        0,
      ),
    )
    expect((await keyed('shared-later', 'appendBlockChildren', request, caller)).status).toBe(200)
  })

  it('200 after a failure during the work, which was rolled back', async () => {
    const { parent, count } = await freshPage(server.owner)
    const nested = { toggle: { rich_text: [], children: [paragraph('in')] } }
    const foreign = { synced_block: { synced_from: { block_id: randomUUID() } } }
    expectError(
      await keyed('middle', 'appendBlockChildren', { path: { block_id: parent }, body: { children: [nested, foreign] } }),
      404,
      'object_not_found',
    )
    expect(await count()).toBe(0)
    expect(
      (await keyed('middle', 'appendBlockChildren', { path: { block_id: parent }, body: { children: [nested] } })).status,
    ).toBe(200)
    expect(await count()).toBe(1)
  })
})

describe('lifetime of a stored response', () => {
  it('200 with the stored response for 24 hours, and then with a new execution', async () => {
    const { parent, count } = await freshPage(server.owner)
    const request = { body: pageBody(parent) }
    const first = await keyed('day', 'createPage', request)
    server.clock.advance(24 * 3_600_000 - 1)
    expectReplay(await keyed('day', 'createPage', request), first)
    server.clock.advance(1)
    const later = await keyed('day', 'createPage', { body: pageBody(parent, 'Another request') })
    expect(later.status).toBe(200)
    expect(later.headers['idempotency-replayed']).toBeUndefined()
    expect(await count()).toBe(2)
    expectError(await keyed('day', 'createPage', request), 409, 'idempotency_key_reused')
  })
})
