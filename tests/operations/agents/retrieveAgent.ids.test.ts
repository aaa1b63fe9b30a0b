import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/** The agent id in paths: its forms, and the responses for unknown ids. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const OPERATIONS = [
  ['retrieveAgent', undefined],
  ['retrieveAgentInsights', undefined],
  ['updateAgentStatus', { status: 'disabled' }],
  ['updateAgentCreditLimit', { credit_limit: 5 }],
  ['deleteAgent', undefined],
] as const satisfies readonly (readonly [OperationId, object | undefined])[]

describe.each(OPERATIONS)('%s', (operation, body) => {
  const call = (agent_id: string): Promise<TestResponse> =>
    server.owner.call(operation, { path: { agent_id }, ...(body === undefined ? {} : { body }) })

  it.each(['agent', 'SERVICE_AI', '3333', `${randomUUID()}0`, '00000000-0000-1000-8000-000000000000', 'a b'])(
    '400 for the malformed id %j',
    async (id) => {
      const response = await call(id)
      expectInvalid(response, 'path.agent_id')
      expect(response.body['message']).toContain('should be a valid uuid or `service_ai`')
    },
  )

  it('404 with the same message when the agent is missing, not shared, not an agent, or purged', async () => {
    const [hidden, missing, gone] = [await makeAgent(server, {}, []), randomUUID(), await makeAgent(server)]
    await server.owner.call('deleteAgent', { path: { agent_id: gone } })
    await server.service.database.write((db) => db.run('update agents set deleted_time = 1 where id = ?', gone))
    const messages = new Set<string>()
    for (const id of [hidden, missing, gone, exampleWorkspace.pages.checklist]) {
      const response = await call(id)
      expectNotFound(response, id)
      messages.add(String(response.body['message']).replace(id, '<id>'))
    }
    expect(messages.size).toBe(1)
  })

  it('403 for the personal agent when the token does not act for a person', async () => {
    for (const id of ['service_ai', '33333333-3333-3333-3333-333333333333'])
      expectError(await call(id), 403, 'restricted_resource')
  })

  it('200 for any spelling of the id', async () => {
    for (const spell of [(id: string) => id.toUpperCase(), (id: string) => id.replaceAll('-', '')]) {
      const id = await makeAgent(server)
      expect(await call(spell(id))).toMatchObject({ status: 200 })
    }
  })
})

it('400 invalid_request_url when a fixed path segment, such as query, is sent as an id', async () => {
  for (const [method, path] of [
    ['GET', '/v1/agents/query'],
    ['DELETE', '/v1/agents/batch'],
    ['GET', '/v1/sessions/query'],
    ['GET', '/v1/blocks/meeting_notes'],
    ['PATCH', '/v1/blocks/meeting_notes'],
  ] as const)
    expectError(await server.owner.send(method, path), 400, 'invalid_request_url')
})
