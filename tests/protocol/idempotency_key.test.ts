import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import type { TestResponse } from '../harness/responses.ts'
import type { CallParts } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { makePage } from '../harness/content.ts'
import { expectError } from '../harness/expectations.ts'
import { at } from '../harness/json.ts'
import { form } from '../harness/files.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'
import { callKeyed, expectReplay, freshPage, pageBody } from './support/keyed.ts'

const server = await serverOfFile()

const JSON_TYPE = { 'Content-Type': 'application/json' }

const keyed = (key: string, id: OperationId, parts: CallParts, caller = server.owner): Promise<TestResponse> =>
  callKeyed(caller, key, id, parts)

describe('a repeat with a key', () => {
  it('gets 400, 401, 403 and 429 from the checks that come before the stored response', async () => {
    const limited = await startTestServer({ RATE_LIMIT: '8/60' })
    try {
      const parent = await makePage(limited.owner)
      const { caller, token, connectionId } = await makeConnection(limited, {
        capabilities: ['insert_content', 'read_content'],
        grants: [exampleWorkspace.workspace.id],
      })
      const request: CallParts = { body: pageBody(parent) }
      const send = (headers: Record<string, string> = {}): Promise<TestResponse> =>
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

describe('the form of an idempotency key', () => {
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
    ['surrounding spaces, which HTTP removes', ' padded\t'],
  ])('200 for %s', async (_what, key) => {
    const { parent, count } = await freshPage(server.owner)
    for (let times = 0; times < 2; times += 1)
      expect((await keyed(key, 'createPage', { body: pageBody(parent) })).status).toBe(200)
    expect(await count()).toBe(1)
  })

  it.each<[string, string | string[], string]>([
    ['an empty key', '', 'Idempotency-Key header'],
    ['an empty key in quotes', '""', 'Idempotency-Key header'],
    ['one quote', '"', 'Idempotency-Key header'],
    ['a quote at one end', '"abc', 'Idempotency-Key header'],
    ['a quote inside', 'a"b', 'Idempotency-Key header'],
    ['a backslash', 'a\\b', 'Idempotency-Key header'],
    ['an escaped quote, as in structured fields', '"a\\"b"', 'Idempotency-Key header'],
    ['parameters after the key', '"abc";v=1', 'Idempotency-Key header'],
    ['a space inside', 'a b', 'Idempotency-Key header'],
    ['a tab inside', 'a\tb', 'Idempotency-Key header'],
    ['a letter beyond ASCII', 'clé', 'Idempotency-Key header'],
    ['256 characters', `${LONGEST}k`, 'Idempotency-Key header.length'],
    ['256 characters in quotes', `"${LONGEST}k"`, 'Idempotency-Key header.length'],
    ['two different keys', ['a', 'b'], 'Idempotency-Key header'],
    ['the same key twice', ['a', 'a'], 'Idempotency-Key header'],
  ])('400 for %s', async (_what, key, place_) => {
    const { parent, count } = await freshPage(server.owner)
    const response = await server.owner.call('createPage', { body: pageBody(parent), headers: { 'Idempotency-Key': key } })
    expectError(response, 400, 'validation_error')
    expect(response.body['message']).toMatch(
      new RegExp(`^Idempotency-Key header failed validation: ${place_.replace('.', '\\.')} should be `),
    )
    expect(await count()).toBe(0)
  })

  it('400 naming the length of the key', async () => {
    const response = await keyed('k'.repeat(300), 'createPage', { body: {} })
    expect(response.body['message']).toBe(
      'Idempotency-Key header failed validation: Idempotency-Key header.length should be ≤ `255`, instead was `300`.',
    )
  })

  it('400 for an unreadable body before a malformed key, and for a malformed key before an invalid value', async () => {
    const bad = { 'Idempotency-Key': 'a b', ...JSON_TYPE }
    expectError(await server.owner.send('POST', '/v1/pages', { headers: bad, body: '{' }), 400, 'invalid_json')
    expectError(
      await server.owner.send('PATCH', '/v1/blocks/no-id', { headers: bad, body: '{}' }),
      400,
      'validation_error',
      'Idempotency-Key header',
    )
  })

  it('200 for GET and HEAD, even if the key is malformed, since it is ignored', async () => {
    for (const method of ['GET', 'HEAD']) {
      const responses = [
        await server.owner.send(method, '/v1/users/me', { headers: { 'Idempotency-Key': ['', 'b c'] } }),
        await server.owner.send(method, '/v1/users/me', { headers: { 'Idempotency-Key': 'get' } }),
      ]
      for (const { status, headers } of responses)
        expect([status, headers['idempotency-replayed']]).toStrictEqual([200, undefined])
    }
    expect((await keyed('get', 'createPage', { body: {} })).headers['idempotency-replayed']).toBeUndefined()
  })

  // If you are here because an operation fails: it makes changes and its contract lacks the parameter `Idempotency-Key`, or it is a GET
  // that has it.
  it('400 for a malformed key in exactly the operations with a key in the contract', async () => {
    const headers = { 'Idempotency-Key': 'a b' }
    for (const operation of Object.values<Operation>(operations)) {
      const id = operation.id as OperationId
      if (operation.credentials !== 'bearer') continue
      const path = Object.fromEntries(operation.pathParameters.map((name) => [name, 'no-id']))
      const { bytes, headers: formHeaders } = form({ name: 'part_number', value: '1' })
      const response = await server.owner.call(
        id,
        operation.requestTypes.includes('multipart/form-data')
          ? { path, bytes, headers: { ...headers, ...formHeaders } }
          : { path, headers, ...(operation.requestTypes.includes('application/json') ? { body: {} } : {}) },
      )
      const isRefused = String(response.body['message']).startsWith('Idempotency-Key header failed validation')
      expect([id, isRefused]).toStrictEqual([id, operation.method !== 'get'])
    }
  })

  it('200 without writing a row for a request without a key', async () => {
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
