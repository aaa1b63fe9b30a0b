import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { DEMO, makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const PERSONAL = '33333333-3333-3333-3333-333333333333'

const server = await serverOfFile()

const batch = (operations: unknown, caller = server.owner, headers = {}): Promise<TestResponse> =>
  caller.call('createAgentBatch', { body: operations === undefined ? {} : { operations }, headers })
const disable = (agent_id: string, status = 'disabled'): object => ({ action: 'update_status', agent_id, fields: { status } })
const limit = (agent_id: string, credit_limit: unknown): object => ({
  action: 'update_credit_limit',
  agent_id,
  fields: { credit_limit },
})
const drop = (agent_id: string): object => ({ action: 'delete', agent_id })

async function ended(accepted: TestResponse, caller: Caller): Promise<JsonObject> {
  expect(accepted.status).toBe(202)
  for (let times = 0; times < 400; times += 1) {
    const { body } = await caller.call('retrieveAsyncTask', { path: { task_id: idOf(accepted.body) } })
    if (body['status'] === 'succeeded' || body['status'] === 'failed') return body
    await pause(50)
  }
  throw new Error('the batch does not end')
}

async function resultOf(operations: unknown, caller = server.owner): Promise<Json | undefined> {
  const task = await ended(await batch(operations, caller), caller)
  expect(task).toMatchObject({ status: 'succeeded', result: { object: 'agent_batch_result' } })
  return at(task, 'result', 'results')
}

const error = (status: number, code: string, message = ''): object => ({
  outcome: 'error',
  error: { object: 'error', status, code, message: expect.stringContaining(message) as string },
})

describe('createAgentBatch', () => {
  it('202 with a queued task and `Retry-After`', async () => {
    const { status, body, headers } = await batch([drop(randomUUID())])
    expect([status, headers['retry-after'], body]).toMatchObject([
      202,
      '2',
      { object: 'async_task', status: 'queued', operation: { surface: 'rest', name: 'POST /v1/agents/batch' } },
    ])
  })

  it('202 with changes applied in order, by the rules of the single operations, even after an error', async () => {
    const [id, other] = [await makeAgent(server), await makeAgent(server)]
    const external = await makeAgent(server, { type: 'external' })
    const [hidden, missing] = [await makeAgent(server, {}, []), randomUUID()]
    const viewed = await makeAgent(server, {}, [[DEMO, 'view']])
    const time = new Date(server.clock.now()).toISOString()
    const results = await resultOf([
      disable(id),
      limit(id.replaceAll('-', '').toUpperCase(), 7),
      disable(id, 'active'),
      limit(other, -5),
      drop(id),
      disable(id),
      drop('service_ai'),
      limit(external, 3),
      drop(external),
      disable(hidden),
      disable(missing),
      disable(viewed),
      limit(other, null),
    ])
    expect(results).toMatchObject([
      {
        index: 0,
        action: 'update_status',
        agent_id: id,
        outcome: 'success',
        status: 'disabled',
        pause_reason: 'disabled_from_api',
        last_edited_time: time,
      },
      { index: 1, action: 'update_credit_limit', agent_id: id, outcome: 'success', credit_limit: 7, last_edited_time: time },
      { index: 2, agent_id: id, outcome: 'success', status: 'active', pause_reason: null },
      {
        index: 3,
        agent_id: other,
        ...error(400, 'invalid_credit_limit', 'operations[3].fields.credit_limit should be a non-negative integer'),
      },
      { index: 4, action: 'delete', agent_id: id, outcome: 'success', status: 'deleted', deleted_at: time },
      { index: 5, agent_id: id, ...error(409, 'agent_deleted', id) },
      { index: 6, agent_id: PERSONAL, ...error(403, 'restricted_resource') },
      { index: 7, agent_id: external, outcome: 'success', credit_limit: 3 },
      { index: 8, agent_id: external, ...error(400, 'validation_error') },
      { index: 9, agent_id: hidden, ...error(404, 'object_not_found', hidden) },
      { index: 10, agent_id: missing, ...error(404, 'object_not_found', missing) },
      { index: 11, agent_id: viewed, ...error(403, 'restricted_resource', 'edit access') },
      { index: 12, agent_id: other, outcome: 'success', credit_limit: null },
    ])
    const errorText = (index: number, id: string): string => JSON.stringify(at(results, index, 'error')).replaceAll(id, '<id>')
    expect(errorText(9, hidden)).toBe(errorText(10, missing))
    const { body } = await server.owner.call('retrieveAgent', { path: { agent_id: id } })
    expect(body).toMatchObject({ status: 'deleted', credit_limit: 7 })
  })

  it('202 with access checked for each change: edit for a status, full for a limit or deletion', async () => {
    const [viewed, edited, owned] = [
      await makeAgent(server, {}, [[DEMO, 'view']]),
      await makeAgent(server, {}, [[DEMO, 'edit']]),
      await makeAgent(server),
    ]
    const all = [disable, (id: string) => limit(id, 5), drop].flatMap((make) => [viewed, edited, owned].map((id) => make(id)))
    const refused = (level: string): object => error(403, 'restricted_resource', `${level} access`)
    const done = { outcome: 'success' }
    expect(await resultOf(all)).toMatchObject([
      ...[refused('edit'), done, done],
      ...[refused('full'), refused('full'), done],
      ...[refused('full'), refused('full'), done],
    ])
  })

  it('202 with a task that succeeds even if every change fails, as each change of the personal agent does', async () => {
    const ines = await makeMember(server, exampleWorkspace.people[0].id)
    const operations = [drop('service_ai'), disable(PERSONAL), limit('service_ai', 5)]
    expect(await resultOf(operations, ines)).toMatchObject(
      operations.map((_operation, index) => ({ index, agent_id: PERSONAL, ...error(400, 'validation_error') })),
    )
  })

  it('202 for 100 changes, although each change of a deleted agent fails', async () => {
    const id = await makeAgent(server)
    await server.owner.call('deleteAgent', { path: { agent_id: id } })
    const operations = [disable(id), limit(id, 5), drop(id)]
    const results = await resultOf([...operations, ...Array.from({ length: 97 }, () => drop(id))])
    expect(results).toMatchObject(Array.from({ length: 100 }, (_, index) => ({ index, ...error(409, 'agent_deleted', id) })))
  })

  it('202 with errors that point at the id of the agent', async () => {
    const external = await makeAgent(server, { type: 'external' })
    expect(await resultOf([drop(external)])).toMatchObject([error(400, 'validation_error', 'body.operations[0].agent_id')])
    const ines = await makeMember(server, exampleWorkspace.people[0].id)
    const operations = [disable(PERSONAL), limit(PERSONAL, 5), drop(PERSONAL)]
    expect(await resultOf(operations, ines)).toMatchObject(
      operations.map((_operation, index) => error(400, 'validation_error', `body.operations[${index}].agent_id`)),
    )
  })

  it('400 without a body', async () => {
    expectInvalid(await server.owner.call('createAgentBatch'), 'body.operations')
  })

  it('202 with the same task for a repeated idempotency key, and 409 if the body differs', async () => {
    const id = await makeAgent(server)
    const headers = { 'Idempotency-Key': randomUUID() }
    const first = await batch([disable(id)], server.owner, headers)
    const second = await batch([disable(id)], server.owner, headers)
    expect([second.status, second.body['id']]).toEqual([202, first.body['id']])
    expectError(await batch([drop(id)], server.owner, headers), 409, 'idempotency_key_reused')
  })

  it.each<[string, unknown, string]>([
    ['no operations', undefined, 'body.operations'],
    ['an empty list', [], 'body.operations.length'],
    ['101 changes', Array.from({ length: 101 }, () => drop(PERSONAL)), 'body.operations.length'],
    [
      'an unknown action',
      [drop(PERSONAL), drop(PERSONAL), drop(PERSONAL), { action: 'rename', agent_id: PERSONAL }],
      'body.operations[3].action',
    ],
    ['missing fields', [{ action: 'update_status', agent_id: PERSONAL }], 'body.operations[0].fields'],
    ['a status that cannot be set', [disable(PERSONAL, 'deleted')], 'body.operations[0].fields.status'],
    ['a limit that is not a number', [limit(PERSONAL, '5')], 'body.operations[0].fields.credit_limit'],
    ['a limit that is a boolean', [limit(PERSONAL, true)], 'body.operations[0].fields.credit_limit'],
    ['a malformed id', [drop('agent')], 'body.operations[0].agent_id'],
  ])('400 for %s', async (_name, operations, location) => {
    expectInvalid(await batch(operations), location)
  })

  it('403 without the capability to update content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await batch([drop(PERSONAL)], caller), 403, 'restricted_resource', 'update_content')
  })
})
