import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { recordUsage } from '../../../server/domain/agents/credits.ts'
import { DEMO, makeAgent, setTerms, spend } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile, startTestServer } from '../../harness/server.ts'

const server = await serverOfFile()

type Query = Record<string, string | number>
const insights = (id: string, query: Query = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('retrieveAgentInsights', { path: { agent_id: id }, query })

describe('retrieveAgentInsights', () => {
  it('200 with zeros for an agent without runs', async () => {
    const { status, body } = await insights(exampleWorkspace.agents.partsScout)
    expect([status, { ...body, request_id: null }]).toEqual([
      200,
      {
        object: 'agent_insights',
        id: exampleWorkspace.agents.partsScout,
        name: 'Parts Scout',
        agent_type: 'custom_agent',
        status: 'active',
        pause_reason: null,
        created_by: { type: 'user', id: exampleWorkspace.people[0].id },
        total_credits_used: 0,
        credit_limit: 500,
        runs_completed: 0,
        request_id: null,
      },
    ])
  })

  it('200 with one credit for 1,000 tokens, rounded up to at least 0.01 for each turn, and only completed turns as runs', async () => {
    const id = await makeAgent(server)
    const costs = []
    for (const [tokens, completed] of [
      [1_000, true],
      [1, true],
      [0, false],
      [1_001, false],
      [12_345, true],
    ] as const)
      costs.push(await spend(server, id, tokens, completed))
    expect(costs).toEqual([1, 0.01, 0.01, 1.01, 12.35])
    expect((await insights(id)).body).toMatchObject({ total_credits_used: 14.38, runs_completed: 3 })
  })

  it('200 with one run for all steps of a turn', async () => {
    const id = await makeAgent(server)
    const turn = {
      workspaceId: exampleWorkspace.workspace.id,
      agentId: id,
      sessionId: randomUUID(),
      turn: 1,
      now: server.clock.now(),
    }
    for (const [tokens, completed, cost] of [
      [4, false, 0.01],
      [4, false, 0.01],
      [4, true, 0.02],
    ] as const)
      expect(await server.service.database.write((db) => recordUsage(db, { ...turn, tokens, completed }))).toBe(cost)
    expect((await insights(id)).body).toMatchObject({ total_credits_used: 0.02, runs_completed: 1 })
  })

  it('200 for the month in UTC, or between two times', async () => {
    const own = await startTestServer()
    try {
      const id = await makeAgent(own)
      const insights = async (query: Query = {}): Promise<unknown> => {
        const { body } = await own.owner.call('retrieveAgentInsights', { path: { agent_id: id }, query })
        return [body['total_credits_used'], body['runs_completed']]
      }
      const seconds = (text: string): number => Date.parse(text) / 1000
      await spend(own, id, 1_000)
      own.clock.advance(Date.parse('2026-05-31T23:59:59.999Z') - own.clock.now())
      await spend(own, id, 2_000)
      expect(await insights()).toEqual([3, 2])
      own.clock.advance(1)
      expect(await insights()).toEqual([0, 0])
      await spend(own, id, 4_000)
      expect(await insights()).toEqual([4, 1])
      const may = { start_time: seconds('2026-05-01'), end_time: seconds('2026-06-01') }
      expect(await insights(may)).toEqual([3, 2])
      expect(await insights({ ...may, end_time: 99_999_999_999_999 })).toEqual([7, 3])
      expect(await insights({ start_time: may.end_time, end_time: may.end_time })).toEqual([0, 0])
      // A window needs both ends.
      expect(await insights({ start_time: may.start_time })).toEqual([4, 1])
      expect(await insights({ end_time: may.end_time })).toEqual([4, 1])
    } finally {
      await own.stop()
    }
  })

  it('200 with the enforced limit for callers with full access', async () => {
    const id = await makeAgent(server, { creditLimit: 80 })
    await setTerms(server, { defaultAgentLimit: 70 })
    expect((await insights(id)).body).toMatchObject({ credit_limit: 70 })
    await setTerms(server, { defaultAgentLimit: null })
    const edited = await makeAgent(server, {}, [[DEMO, 'edit']])
    expect((await insights(edited)).body).toMatchObject({ credit_limit: 'hidden' })
  })

  it('200 for an agent at its limit', async () => {
    const id = await makeAgent(server, { creditLimit: 20, type: 'autofill_custom_agent' })
    await spend(server, id, 20_570)
    expect((await insights(id)).body).toMatchObject({
      agent_type: 'autofill_custom_agent',
      status: 'disabled',
      pause_reason: 'credit_limit',
      total_credits_used: 20.57,
      credit_limit: 20,
      runs_completed: 1,
      created_by: null,
    })
  })

  it('400 for the personal agent and external agents', async () => {
    const ines = await makeMember(server, exampleWorkspace.people[0].id)
    expectInvalid(await insights('service_ai', {}, ines), 'path.agent_id')
    expectInvalid(await insights(await makeAgent(server, { type: 'external' })), 'path.agent_id')
  })

  it.each<[Query, string]>([
    [{ start_time: -1 }, 'query.start_time'],
    [{ start_time: 2, end_time: 1 }, 'query.start_time'],
    [{ start_time: 'May', end_time: 1 }, 'query.start_time'],
    [{ end_time: -1 }, 'query.end_time'],
    [{ end_time: '1.5' }, 'query.end_time'],
  ])('400 for %j', async (query, location) => {
    expectInvalid(await insights(exampleWorkspace.agents.partsScout, query), location)
  })

  it('404 when the agent is not shared with the caller', async () => {
    for (const id of [randomUUID(), await makeAgent(server, {}, [])]) expectNotFound(await insights(id), id)
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'] })
    expectError(await insights(randomUUID(), {}, caller), 403, 'restricted_resource', 'read_content')
  })
})
