import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { restoreAgent } from '../../../server/domain/agents/administration/agents.ts'
import type { AgentLevel } from '../../../server/domain/agents/agent.ts'
import { changeAgent, DEMO, makeAgent, spend } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const drop = (id: string, caller = server.owner): Promise<TestResponse> => caller.call('deleteAgent', { path: { agent_id: id } })
const retrieve = async (id: string): Promise<TestResponse['body']> =>
  (await server.owner.call('retrieveAgent', { path: { agent_id: id } })).body

describe('deleteAgent', () => {
  it('200 for an active and a disabled agent, which an administrator can restore unchanged', async () => {
    for (const pauseReason of [undefined, 'needs_user_review'] as const) {
      const id = await makeAgent(server)
      if (pauseReason !== undefined) await changeAgent(server, id, { pauseReason })
      server.clock.advance(1_000)
      const deleted_at = new Date(server.clock.now()).toISOString()
      expect(await drop(id)).toMatchObject({ status: 200, body: { agent_id: id, status: 'deleted', deleted_at } })
      expect(await retrieve(id)).toMatchObject({ status: 'deleted', pause_reason: null, last_edited_time: deleted_at })
      await server.service.database.write((db) => restoreAgent(db, exampleWorkspace.workspace.id, id, server.clock.now()))
      expect(await retrieve(id)).toMatchObject({
        status: pauseReason === undefined ? 'active' : 'disabled',
        pause_reason: pauseReason ?? null,
      })
    }
  })

  it("200; the agent's insights remain readable", async () => {
    const id = await makeAgent(server)
    await spend(server, id, 1_000)
    await drop(id)
    const { status, body } = await server.owner.call('retrieveAgentInsights', { path: { agent_id: id } })
    expect([status, body]).toMatchObject([
      200,
      { status: 'deleted', pause_reason: null, total_credits_used: 1, runs_completed: 1 },
    ])
  })

  it('409 agent_deleted when the agent is already deleted', async () => {
    const id = await makeAgent(server)
    await drop(id)
    expectError(await drop(id), 409, 'agent_deleted', id)
  })

  it('400 for the personal agent and external agents, which are not deleted', async () => {
    expectInvalid(await drop('service_ai', await makeMember(server, exampleWorkspace.people[0].id)), 'path.agent_id')
    const id = await makeAgent(server, { type: 'external' })
    expectInvalid(await drop(id), 'path.agent_id')
    expect(await retrieve(id)).toMatchObject({ status: 'active' })
  })

  it.each<AgentLevel>(['view', 'edit'])('403 with %s access', async (level) => {
    const id = await makeAgent(server, {}, [[DEMO, level]])
    const response = await drop(id)
    expectError(response, 403, 'restricted_resource', id)
    expect(response.body['message']).toMatch(/full access/)
    expect(await retrieve(id)).toMatchObject({ status: 'active' })
  })

  it('404 when the agent is not shared with the caller', async () => {
    for (const id of [randomUUID(), await makeAgent(server, {}, [])]) expectNotFound(await drop(id), id)
  })

  it('403 without the capability to update content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await drop(randomUUID(), caller), 403, 'restricted_resource', 'update_content')
  })
})
