import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { AgentLevel } from '../../../server/domain/agents/agent.ts'
import { changeAgent, DEMO, makeAgent, setTerms, spend } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile, startTestServer } from '../../harness/server.ts'

const server = await serverOfFile()

const update = (id: string, limit: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateAgentCreditLimit', { path: { agent_id: id }, body: limit === undefined ? {} : { credit_limit: limit } })
const retrieve = async (id: string): Promise<TestResponse['body']> =>
  (await server.owner.call('retrieveAgent', { path: { agent_id: id } })).body
const now = (): string => new Date(server.clock.now()).toISOString()

describe('updateAgentCreditLimit', () => {
  it('200 when the limit is set or cleared; an equal limit keeps the time of the last change', async () => {
    const id = await makeAgent(server)
    server.clock.advance(1_000)
    const set = { agent_id: id, credit_limit: 600, last_edited_time: now() }
    expect(await update(id, 600)).toMatchObject({ status: 200, body: set })
    server.clock.advance(1_000)
    expect((await update(id, 600)).body).toMatchObject(set)
    expect(await retrieve(id)).toMatchObject({ credit_limit: 600, last_edited_time: set.last_edited_time })
    expect((await update(id, null)).body).toMatchObject({ agent_id: id, credit_limit: null, last_edited_time: now() })
    expect(await retrieve(id)).toMatchObject({ credit_limit: null })
    expect((await update(id, 1_000_000_000)).status).toBe(200)
  })

  it("200 with the agent's own limit, while reads return the enforced one", async () => {
    const id = await makeAgent(server)
    await setTerms(server, { defaultAgentLimit: 50 })
    expect((await update(id, 30)).body).toMatchObject({ credit_limit: 30 })
    expect((await update(id, null)).body).toMatchObject({ credit_limit: null })
    expect(await retrieve(id)).toMatchObject({ credit_limit: 50 })
    expectError(await update(id, 51), 400, 'invalid_credit_limit', 'body.credit_limit')
    expect((await update(id, 50)).status).toBe(200)
    await setTerms(server, { defaultAgentLimit: null })
  })

  it('200 for a limit below the usage, which disables the agent, and for one above, which enables it again', async () => {
    const id = await makeAgent(server)
    await spend(server, id, 10_000)
    expect((await update(id, 10)).body).toMatchObject({ credit_limit: 10 })
    expect(await retrieve(id)).toMatchObject({ status: 'disabled', pause_reason: 'credit_limit' })
    await update(id, 9)
    expect(await retrieve(id)).toMatchObject({ status: 'disabled', pause_reason: 'credit_limit' })
    await update(id, 11)
    expect(await retrieve(id)).toMatchObject({ status: 'active', pause_reason: null })
    await update(id, 10)
    await update(id, null)
    expect(await retrieve(id)).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('200 for a higher limit, which ends a pause for runaway usage, but not for an unavailable tool', async () => {
    const id = await makeAgent(server)
    await changeAgent(server, id, { pauseReason: 'runaway_credit_usage' })
    await update(id, 500)
    expect(await retrieve(id)).toMatchObject({ status: 'active' })
    await changeAgent(server, id, { pauseReason: 'tool_unavailable' })
    await update(id, 600)
    expect(await retrieve(id)).toMatchObject({ status: 'disabled', pause_reason: 'tool_unavailable' })
  })

  it('200 for a limit of 0, which disables the agent, even in the next period', async () => {
    const own = await startTestServer()
    try {
      const id = await makeAgent(own)
      await own.owner.call('updateAgentCreditLimit', { path: { agent_id: id }, body: { credit_limit: 0 } })
      own.clock.advance(40 * 86_400_000)
      const { body } = await own.owner.call('retrieveAgent', { path: { agent_id: id } })
      expect(body).toMatchObject({ status: 'disabled', pause_reason: 'credit_limit' })
    } finally {
      await own.stop()
    }
  })

  it('200 for external agents', async () => {
    expect((await update(await makeAgent(server, { type: 'external' }), 3)).body).toMatchObject({ credit_limit: 3 })
  })

  it.each([-5, 2.5, 1_000_000_001, 1e300, -0.1])('400 invalid_credit_limit for %d', async (limit) => {
    const id = await makeAgent(server)
    expectError(await update(id, limit), 400, 'invalid_credit_limit', 'body.credit_limit')
    expect(await retrieve(id)).toMatchObject({ credit_limit: null })
  })

  it.each(['5', undefined, true, [5]])('400 validation_error for %j', async (limit) => {
    expectInvalid(await update(exampleWorkspace.agents.partsScout, limit), 'body.credit_limit')
  })

  it('400 for the personal agent', async () => {
    expectInvalid(await update('service_ai', 5, await makeMember(server, exampleWorkspace.people[0].id)), 'path.agent_id')
  })

  it.each<AgentLevel>(['view', 'edit'])('403 with %s access', async (level) => {
    const id = await makeAgent(server, {}, [[DEMO, level]])
    // Access is checked first: only callers with the right learn that a limit is invalid.
    for (const limit of [5, -5]) expectError(await update(id, limit), 403, 'restricted_resource', id)
  })

  it('404 when the agent is not shared with the caller', async () => {
    for (const id of [randomUUID(), await makeAgent(server, {}, [])]) expectNotFound(await update(id, -5), id)
  })

  it('409 agent_deleted, before the limit is validated', async () => {
    const id = await makeAgent(server)
    await server.owner.call('deleteAgent', { path: { agent_id: id } })
    expectError(await update(id, -5), 409, 'agent_deleted', id)
  })

  it('403 without the capability to update content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await update(randomUUID(), 5, caller), 403, 'restricted_resource', 'update_content')
  })
})
