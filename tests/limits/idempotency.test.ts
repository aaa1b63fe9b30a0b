import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import { betas, flagOf } from '../../server/contract/betas.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { isPending } from '../../server/handlers/pending.ts'
import type { Answer } from '../harness/answers.ts'
import type { CallParts } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { appendOne, children, makePage, paragraph, text } from '../harness/content.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { at, idOf } from '../harness/json.ts'
import { form } from '../harness/files.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const FLAGS = betas.map(flagOf)
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Calls an operation with an idempotency key. */
function keyed(key: string, id: OperationId, parts: CallParts, caller = server.owner): Promise<Answer> {
  return caller.call(id, { ...parts, headers: { 'Idempotency-Key': key, ...parts.headers } })
}

const pageBody = (parent: string, title = 'Sail plan'): object => ({
  parent: { page_id: parent },
  properties: { title: { title: [text(title)] } },
})

/** A fresh page, and the number of blocks below it. */
async function place(): Promise<{ parent: string; count: () => Promise<number> }> {
  const parent = await makePage(server.owner)
  return { parent, count: async () => (await children(server.owner, parent)).length }
}

function expectReplay(repeat: Answer, first: Answer): void {
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(repeat.status).toBe(first.status)
  expect(repeat.text).toBe(first.text)
  expect(repeat.headers['x-service-request-id']).not.toBe(first.headers['x-service-request-id'])
  expect(first.headers['idempotency-replayed']).toBeUndefined()
}

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
    '%s 200 gives the stored answer byte for byte, with the id of the first request in its body, and does nothing',
    async (id, parts) => {
      const { parent, count } = await place()
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

  it('200 for what only reads, too', async () => {
    const request = { body: { query: 'keel' } }
    const first = await keyed('reading', 'search', request)
    expect(first.status).toBe(200)
    expectReplay(await keyed('reading', 'search', request), first)
  })

  it('200 for whatever came between: the target changed, trashed or no longer shared', async () => {
    const { parent } = await place()
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

  it('200 without a key does everything again', async () => {
    const { parent, count } = await place()
    for (let times = 0; times < 2; times += 1) await server.owner.call('createPage', { body: pageBody(parent) })
    expect(await count()).toBe(2)
  })
})

describe('what makes two requests the same', () => {
  const sameRequests: readonly [string, (block: string) => [first: () => Promise<Answer>, repeat: () => Promise<Answer>]][] = [
    [
      'the key quoted or bare',
      (block) => [
        () => keyed('"same-1"', 'deleteBlock', { path: { block_id: block } }),
        () => keyed('same-1', 'deleteBlock', { path: { block_id: block } }),
      ],
    ],
    [
      'order of members, blanks and escapes in JSON',
      (block) => [
        () =>
          raw(
            'PATCH',
            `/v1/blocks/${block}`,
            'same-2',
            '{"type":"paragraph","paragraph":{"rich_text":[{"text":{"content":"é"},"type":"text"}],"color":"red"}}',
          ),
        () =>
          raw(
            'PATCH',
            `/v1/blocks/${block}`,
            'same-2',
            '{ "paragraph": {"color": "red", "rich_text": [{"type":"text", "text": {"content":"\\u00e9"}}]},\n "type": "paragraph" }',
          ),
      ],
    ],
    [
      'the spelling of ids in the path, and a slash at its end',
      (block) => [
        () => raw('DELETE', `/v1/blocks/${block}`, 'same-3'),
        () => raw('DELETE', `/v1/blocks/${block.replaceAll('-', '').toUpperCase()}/`, 'same-3'),
      ],
    ],
    [
      'parameters of the content type',
      (block) => [
        () => raw('PATCH', `/v1/blocks/${block}`, 'same-4', '{"in_trash":true}'),
        () =>
          raw('PATCH', `/v1/blocks/${block}`, 'same-4', '{"in_trash":true}', {
            'Content-Type': 'Application/JSON; charset=UTF-8',
          }),
      ],
    ],
    [
      'order and encoding of the query',
      () => [
        () => raw('POST', '/v1/pages?filter_properties=title&filter_properties=a%20b', 'same-5', '{}'),
        () => raw('POST', '/v1/pages?filter_properties[]=a+b&filter_properties=%74itle&', 'same-5', '{}'),
      ],
    ],
    [
      'no body and an empty object',
      () => [
        () => raw('POST', '/v1/pages', 'same-6', undefined, { 'Content-Type': undefined }),
        () => raw('POST', '/v1/pages', 'same-6', '{}'),
      ],
    ],
    [
      'order of beta flags',
      (block) => [
        () => raw('DELETE', `/v1/blocks/${block}`, 'same-7', undefined, { 'Service-Beta': FLAGS.join(',') }),
        () => raw('DELETE', `/v1/blocks/${block}`, 'same-7', undefined, { 'Service-Beta': FLAGS.toReversed().join(' , ') }),
      ],
    ],
    [
      'the body of a DELETE',
      (block) => [
        () => raw('DELETE', `/v1/blocks/${block}`, 'same-8'),
        () => raw('DELETE', `/v1/blocks/${block}`, 'same-8', '{"anything":1}'),
      ],
    ],
  ]

  function raw(
    method: string,
    target: string,
    key: string,
    body?: string,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    return server.owner.send(method, target, {
      headers: { 'Idempotency-Key': key, ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }

  it.each(sameRequests)('200 replayed: %s', async (_what, make) => {
    const block = await appendOne(server.owner, await makePage(server.owner), paragraph('keel'))
    const [first, repeat] = make(block)
    const answer = await first()
    expect(answer.status).toBe(200)
    expectReplay(await repeat(), answer)
  })

  const first = { path: { block_id: '' }, body: { paragraph: { rich_text: [text('changed')] } } }
  const otherRequests: readonly [string, (block: string, other: string, key: string) => Promise<Answer>][] = [
    [
      'body',
      (block, _other, key) =>
        keyed(key, 'updateBlock', { path: { block_id: block }, body: { paragraph: { rich_text: [text('Changed')] } } }),
    ],
    ['path', (_block, other, key) => keyed(key, 'updateBlock', { ...first, path: { block_id: other } })],
    ['method', (block, _other, key) => keyed(key, 'deleteBlock', { path: { block_id: block } })],
    ['operation', (block, _other, key) => keyed(key, 'createPage', { body: pageBody(block) })],
    ['query', (block, _other, key) => keyed(key, 'updateBlock', { ...first, path: { block_id: block }, query: 'x=1' })],
    [
      'version',
      (block, _other, key) =>
        keyed(key, 'updateBlock', { ...first, path: { block_id: block }, headers: { 'Service-Version': '2025-09-03' } }),
    ],
    [
      'beta flags',
      (block, _other, key) =>
        keyed(key, 'updateBlock', { ...first, path: { block_id: block }, headers: { 'Service-Beta': FLAGS.join(',') } }),
    ],
    [
      'body, which is wrong too',
      (block, _other, key) => keyed(key, 'updateBlock', { path: { block_id: block }, body: { paragraph: 'no' } }),
    ],
    [
      'path, which names nothing',
      (_block, _other, key) => keyed(key, 'updateBlock', { ...first, path: { block_id: randomUUID() } }),
    ],
  ]

  it.each(otherRequests)('409 idempotency_key_reused: another %s', async (_what, repeat) => {
    const parent = await makePage(server.owner)
    const [block, other] = [
      await appendOne(server.owner, parent, paragraph('keel')),
      await appendOne(server.owner, parent, paragraph('mast')),
    ]
    const key = randomUUID()
    expect((await keyed(key, 'updateBlock', { ...first, path: { block_id: block } })).status).toBe(200)
    const answer = await repeat(block, other, key)
    expectError(answer, 409, 'idempotency_key_reused')
    expect(answer.body['message']).toBe(
      `Idempotency key \`${key}\` was first used for a different PATCH /v1/blocks/${block} request.`,
    )
    expect(answer.headers['retry-after']).toBeUndefined()
  })

  it('409 idempotency_key_reused: another value in the query', async () => {
    const request = { body: pageBody(await makePage(server.owner)) }
    const asking = (query: string): Promise<Answer> => keyed('values', 'createPage', { ...request, query })
    expect((await asking('filter_properties=title')).status).toBe(200)
    expectError(await asking('filter_properties=other'), 409, 'idempotency_key_reused')
  })

  it('200 the same key of another bot is unrelated', async () => {
    const { parent, count } = await place()
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'read_content'],
      grants: [story.workspace.id],
    })
    const [mine, theirs] = [
      await keyed('shared-key', 'createPage', { body: pageBody(parent) }),
      await keyed('shared-key', 'createPage', { body: pageBody(parent) }, caller),
    ]
    expect(theirs.headers['idempotency-replayed']).toBeUndefined()
    expect(idOf(theirs.body)).not.toBe(idOf(mine.body))
    expect(await count()).toBe(2)
    expectError(
      await keyed('shared-key', 'createPage', { body: pageBody(parent, 'Other') }, caller),
      409,
      'idempotency_key_reused',
    )
  })
})

describe('errors leave the key free', () => {
  it('200 after 400: the corrected request is carried out', async () => {
    const { parent, count } = await place()
    const append = (body: object): Promise<Answer> =>
      keyed('corrected', 'appendBlockChildren', { path: { block_id: parent }, body })
    expectInvalid(await append({ children: [{ paragraph: { rich_text: 'no' } }] }), 'body.children[0].paragraph.rich_text')
    expect(await count()).toBe(0)
    const answer = await append({ children: [paragraph('right')] })
    expect(answer.status).toBe(200)
    expect(answer.headers['idempotency-replayed']).toBeUndefined()
    expect(await count()).toBe(1)
  })

  it('200 after 404: the page was shared meanwhile (case 25b)', async () => {
    const { parent } = await place()
    const { caller, botId } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    const request = { path: { block_id: parent }, body: { children: [paragraph('late')] } }
    expectError(await keyed('shared-later', 'appendBlockChildren', request, caller), 404, 'object_not_found')
    await server.service.database.write((db) =>
      db.run(
        'insert into grants (workspace_id, bot_id, item_id, created_time) values (?, ?, ?, ?)',
        story.workspace.id,
        botId,
        parent,
        0,
      ),
    )
    expect((await keyed('shared-later', 'appendBlockChildren', request, caller)).status).toBe(200)
  })

  it('200 after a failure in the middle of the work, of which nothing is left', async () => {
    const { parent, count } = await place()
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

describe('how long an answer is kept', () => {
  it('200 replayed until 24 hours after the answer, then the key is new', async () => {
    const { parent, count } = await place()
    const request = { body: pageBody(parent) }
    const first = await keyed('day', 'createPage', request)
    server.clock.advance(24 * 3_600_000 - 1)
    expectReplay(await keyed('day', 'createPage', request), first)
    server.clock.advance(1)
    const anew = await keyed('day', 'createPage', { body: pageBody(parent, 'Another request') })
    expect(anew.status).toBe(200)
    expect(anew.headers['idempotency-replayed']).toBeUndefined()
    expect(await count()).toBe(2)
    expectError(await keyed('day', 'createPage', request), 409, 'idempotency_key_reused')
  })
})

describe('what comes before a replay', () => {
  it('401, 400, 403, 429 and 400 invalid_json are answered instead', async () => {
    const limited = await startTestServer({ RATE_LIMIT: '8/60' })
    try {
      const parent = await makePage(limited.owner)
      const { caller, token, connectionId } = await makeConnection(limited, {
        capabilities: ['insert_content', 'read_content'],
        grants: [story.workspace.id],
      })
      const request: CallParts = { body: pageBody(parent) }
      const send = (headers: Record<string, string> = {}): Promise<Answer> =>
        keyed('order', 'createPage', { ...request, headers }, caller)
      const first = await send()
      expectReplay(await send(), first)
      expect(first.headers['ratelimit']).toContain('"connection";r=7')
      expectError(await send({ 'Service-Version': 'x' }), 400, 'missing_version')
      expectError(await send({ 'Service-Beta': 'x' }), 400, 'invalid_beta')
      const broken = { headers: { ...JSON_TYPE, 'Idempotency-Key': 'order' }, body: '{' }
      expectError(await caller.send('POST', '/v1/pages', broken), 400, 'invalid_json')
      const setCapabilities = (list: string): Promise<unknown> =>
        limited.service.database.write((db) => db.run('update connections set capabilities = ? where id = ?', list, connectionId))
      await setCapabilities('["read_content"]')
      expectError(await send(), 403, 'restricted_resource')
      await setCapabilities('["insert_content","read_content"]')
      const replays = [await send(), await send(), await send(), await send()]
      for (const replay of replays) expectReplay(replay, first)
      expect(replays[3]?.headers['ratelimit']).toContain('"connection";r=0')
      expectError(await send(), 429, 'rate_limited')
      await limited.service.database.write((db) =>
        db.run('update tokens set revoked_time = 1 where connection_id = ?', connectionId),
      )
      expectError(
        await limited.caller(token).call('createPage', { ...request, headers: { 'Idempotency-Key': 'order' } }),
        401,
        'unauthorized',
      )
    } finally {
      await limited.stop()
    }
  })
})

describe('the key itself', () => {
  const LONGEST = 'k'.repeat(255)

  it.each<[string, string]>([
    ['one character', '!'],
    [
      'every character that is allowed',
      Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index))
        .filter((character) => character !== '"' && character !== '\\')
        .join(''),
    ],
    ['255 characters', LONGEST],
    ['255 characters in quotes', `"${LONGEST.replace('k', 'q')}"`],
    ['blanks around it, which HTTP takes away', ' padded\t'],
  ])('200 %s', async (_what, key) => {
    const { parent, count } = await place()
    for (let times = 0; times < 2; times += 1)
      expect((await keyed(key, 'createPage', { body: pageBody(parent) })).status).toBe(200)
    expect(await count()).toBe(1)
  })

  it.each<[string, string | string[], string]>([
    ['empty', '', 'Idempotency-Key header'],
    ['empty in quotes', '""', 'Idempotency-Key header'],
    ['one quote', '"', 'Idempotency-Key header'],
    ['a quote at one end', '"abc', 'Idempotency-Key header'],
    ['a quote inside', 'a"b', 'Idempotency-Key header'],
    ['a backslash', 'a\\b', 'Idempotency-Key header'],
    ['an escaped quote, as structured fields have it', '"a\\"b"', 'Idempotency-Key header'],
    ['parameters behind it', '"abc";v=1', 'Idempotency-Key header'],
    ['a space inside', 'a b', 'Idempotency-Key header'],
    ['a tab inside', 'a\tb', 'Idempotency-Key header'],
    ['a letter beyond ASCII', 'clé', 'Idempotency-Key header'],
    ['256 characters', `${LONGEST}k`, 'Idempotency-Key header.length'],
    ['256 characters in quotes', `"${LONGEST}k"`, 'Idempotency-Key header.length'],
    ['sent twice', ['a', 'b'], 'Idempotency-Key header'],
    ['the same sent twice', ['a', 'a'], 'Idempotency-Key header'],
  ])('400 %s', async (_what, key, place_) => {
    const { parent, count } = await place()
    const answer = await server.owner.call('createPage', { body: pageBody(parent), headers: { 'Idempotency-Key': key } })
    expectError(answer, 400, 'validation_error')
    expect(answer.body['message']).toMatch(
      new RegExp(`^Idempotency-Key header failed validation: ${place_.replace('.', '\\.')} should be `),
    )
    expect(await count()).toBe(0)
  })

  it('400 tells the length that was found', async () => {
    const answer = await keyed('k'.repeat(300), 'createPage', { body: {} })
    expect(answer.body['message']).toBe(
      'Idempotency-Key header failed validation: Idempotency-Key header.length should be ≤ `255`, instead was `300`.',
    )
  })

  it('400 a bad key comes behind a body that cannot be read, and before a value that is wrong', async () => {
    const bad = { 'Idempotency-Key': 'a b', ...JSON_TYPE }
    expectError(await server.owner.send('POST', '/v1/pages', { headers: bad, body: '{' }), 400, 'invalid_json')
    expectError(
      await server.owner.send('PATCH', '/v1/blocks/no-id', { headers: bad, body: '{}' }),
      400,
      'validation_error',
      'Idempotency-Key header',
    )
  })

  it('200 ignored on GET and HEAD, even when it is malformed', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answers = [
        await server.owner.send(method, '/v1/users/me', { headers: { 'Idempotency-Key': ['', 'b c'] } }),
        await server.owner.send(method, '/v1/users/me', { headers: { 'Idempotency-Key': 'get' } }),
      ]
      for (const { status, headers } of answers) expect([status, headers['idempotency-replayed']]).toStrictEqual([200, undefined])
    }
    expect((await keyed('get', 'createPage', { body: {} })).headers['idempotency-replayed']).toBeUndefined()
  })

  it('400 on every operation that takes a key, by the contract, and on no other', async () => {
    const headers = { 'Idempotency-Key': 'a b' }
    for (const operation of Object.values<Operation>(operations)) {
      const id = operation.id as OperationId
      if (operation.credentials !== 'bearer' || isPending(id)) continue
      const path = Object.fromEntries(operation.pathParameters.map((name) => [name, 'no-id']))
      const { bytes, headers: formHeaders } = form({ name: 'part_number', value: '1' })
      const answer = await server.owner.call(
        id,
        operation.requestTypes.includes('multipart/form-data')
          ? { path, bytes, headers: { ...headers, ...formHeaders } }
          : { path, headers, ...(operation.requestTypes.includes('application/json') ? { body: {} } : {}) },
      )
      const isRefused = String(answer.body['message']).startsWith('Idempotency-Key header failed validation')
      expect([id, isRefused]).toStrictEqual([id, operation.method !== 'get'])
    }
  })

  it('200 costs nothing where none is sent: no row is written', async () => {
    const count = async (): Promise<unknown> =>
      at(
        {
          rows: (await server.service.database.read((db) =>
            db.all({ n: 'integer' }, 'select count(*) as n from idempotency_keys'),
          )) as never,
        },
        'rows',
        0,
        'n',
      )
    const before = await count()
    await makePage(server.owner)
    expect(await count()).toBe(before)
  })
})
