import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { betas, flagOf } from '../../server/contract/betas.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import type { TestResponse } from '../harness/responses.ts'
import type { CallParts } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { expectError } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { callKeyed, expectReplay, freshPage, pageBody } from './support/keyed.ts'

const server = await serverOfFile()

const FLAGS = betas.map(flagOf)
const JSON_TYPE = { 'Content-Type': 'application/json' }

const keyed = (key: string, id: OperationId, parts: CallParts, caller = server.owner): Promise<TestResponse> =>
  callKeyed(caller, key, id, parts)

describe('idempotency keys: equality of requests', () => {
  const sameRequests: readonly [
    string,
    (block: string) => [first: () => Promise<TestResponse>, repeat: () => Promise<TestResponse>],
  ][] = [
    [
      'quotes around the key',
      (block) => [
        () => keyed('"same-1"', 'deleteBlock', { path: { block_id: block } }),
        () => keyed('same-1', 'deleteBlock', { path: { block_id: block } }),
      ],
    ],
    [
      'order of members, spaces and escapes in JSON',
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
      'the spelling of ids in the path, and a trailing slash',
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
      'an empty body in place of none',
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
  ): Promise<TestResponse> {
    return server.owner.send(method, target, {
      headers: { 'Idempotency-Key': key, ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }

  it.each(sameRequests)('200 with the stored response when the repeat differs only in %s', async (_what, make) => {
    const block = await appendOne(server.owner, await makePage(server.owner), paragraph('keel'))
    const [first, repeat] = make(block)
    const response = await first()
    expect(response.status).toBe(200)
    expectReplay(await repeat(), response)
  })

  const first = { path: { block_id: '' }, body: { paragraph: { rich_text: [text('changed')] } } }
  const otherRequests: readonly [string, (block: string, other: string, key: string) => Promise<TestResponse>][] = [
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
      'body, even an invalid one',
      (block, _other, key) => keyed(key, 'updateBlock', { path: { block_id: block }, body: { paragraph: 'no' } }),
    ],
    [
      'path, even that of a missing block',
      (_block, _other, key) => keyed(key, 'updateBlock', { ...first, path: { block_id: randomUUID() } }),
    ],
  ]

  it.each(otherRequests)('409 idempotency_key_reused for another %s', async (_what, repeat) => {
    const parent = await makePage(server.owner)
    const [block, other] = [
      await appendOne(server.owner, parent, paragraph('keel')),
      await appendOne(server.owner, parent, paragraph('mast')),
    ]
    const key = randomUUID()
    expect((await keyed(key, 'updateBlock', { ...first, path: { block_id: block } })).status).toBe(200)
    const response = await repeat(block, other, key)
    expectError(response, 409, 'idempotency_key_reused')
    expect(response.body['message']).toBe(
      `Idempotency key \`${key}\` was first used for a different PATCH /v1/blocks/${block} request.`,
    )
    expect(response.headers['retry-after']).toBeUndefined()
  })

  it('409 idempotency_key_reused for another value in the query', async () => {
    const request = { body: pageBody(await makePage(server.owner)) }
    const create = (query: string): Promise<TestResponse> => keyed('values', 'createPage', { ...request, query })
    expect((await create('filter_properties=title')).status).toBe(200)
    expectError(await create('filter_properties=other'), 409, 'idempotency_key_reused')
  })

  it('200 for the same key of another bot, which is independent', async () => {
    const { parent, count } = await freshPage(server.owner)
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'read_content'],
      grants: [exampleWorkspace.workspace.id],
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
