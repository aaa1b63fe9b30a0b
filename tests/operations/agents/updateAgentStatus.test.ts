import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PauseReason } from '../../../generated/types.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { AgentLevel } from '../../../server/domain/agents/agent.ts'
import { changeAgent, DEMO, makeAgent, setTerms, share, spend } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile, startTestServer } from '../../harness/server.ts'

const [INES, TOMAS] = exampleWorkspace.people.map(({ id }) => id) as [string, string]

const server = await serverOfFile()

const update = (id: string, status: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateAgentStatus', { path: { agent_id: id }, body: status === undefined ? {} : { status } })
const retrieve = async (id: string): Promise<TestResponse['body']> =>
  (await server.owner.call('retrieveAgent', { path: { agent_id: id } })).body
const now = (): string => new Date(server.clock.now()).toISOString()

const OTHER_REASONS = [
  'run_limit',
  'credit_limit',
  'runaway_credit_usage',
  'workspace_credit_limit',
  'failure_limit',
  'mark_session_failed_autopause',
  'disabled_from_workspace_settings',
  'disabled_from_agent_settings',
  'disabled_due_to_no_members_with_access',
  'disabled_due_to_lack_of_editors',
  'disabled_by_service',
  'internal_error',
  'needs_user_review',
  'tool_unavailable',
] as const satisfies readonly PauseReason[]

describe('updateAgentStatus', () => {
  it('200 when a status is set; a change without effect keeps the time of the last change', async () => {
    const id = await makeAgent(server)
    const made = now()
    server.clock.advance(1_000)
    expect((await update(id, 'active')).body).toMatchObject({
      agent_id: id,
      status: 'active',
      pause_reason: null,
      last_edited_time: made,
    })
    const off = { agent_id: id, status: 'disabled', pause_reason: 'disabled_from_api', last_edited_time: now() }
    expect(await update(id, 'disabled')).toMatchObject({ status: 200, body: off })
    server.clock.advance(1_000)
    expect((await update(id, 'disabled')).body).toMatchObject(off)
    expect(await retrieve(id)).toMatchObject({
      status: 'disabled',
      pause_reason: 'disabled_from_api',
      last_edited_time: off.last_edited_time,
    })
    expect((await update(id, 'active')).body).toMatchObject({ status: 'active', pause_reason: null, last_edited_time: now() })
  })

  it.each(OTHER_REASONS)('403 status_change_not_allowed for either status while the agent is paused by %s', async (reason) => {
    const id = await makeAgent(server)
    await changeAgent(server, id, { pauseReason: reason })
    const before = await retrieve(id)
    expect(before).toMatchObject({ status: 'disabled', pause_reason: reason })
    for (const status of ['active', 'disabled']) expectError(await update(id, status), 403, 'status_change_not_allowed', reason)
    expect({ ...(await retrieve(id)), request_id: null }).toEqual({ ...before, request_id: null })
    await changeAgent(server, id, { pauseReason: null })
    expect(await retrieve(id)).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('200 for external agents', async () => {
    const id = await makeAgent(server, { type: 'external' })
    expect((await update(id, 'disabled')).body).toMatchObject({ status: 'disabled', pause_reason: 'disabled_from_api' })
  })

  it.each<[AgentLevel, number]>([
    ['view', 403],
    ['edit', 200],
    ['full', 200],
  ])('a caller with %s access gets the status %i', async (level, status) => {
    const id = await makeAgent(server, {}, [[DEMO, level]])
    const response = await update(id, 'disabled')
    expect(response.status).toBe(status)
    if (status === 200) return
    expectError(response, 403, 'restricted_resource', id)
    expect(response.body['message']).toMatch(/edit access/)
    expect(await retrieve(id)).toMatchObject({ status: 'active' })
  })

  it('403 to a connection when its sharer may not manage the agent', async () => {
    const id = await makeAgent(server, {}, [[{ personId: TOMAS }, 'view']])
    await share(server, id, DEMO, 'full', TOMAS)
    expectError(await update(id, 'disabled'), 403, 'restricted_resource', id)
  })

  it('409 agent_deleted, whatever the former status', async () => {
    const id = await makeAgent(server)
    await changeAgent(server, id, { pauseReason: 'needs_user_review' })
    await server.owner.call('deleteAgent', { path: { agent_id: id } })
    for (const status of ['active', 'disabled']) expectError(await update(id, status), 409, 'agent_deleted', id)
  })

  it('400 for the personal agent', async () => {
    expectInvalid(await update('service_ai', 'disabled', await makeMember(server, INES)), 'path.agent_id')
  })

  it('400 when the status is missing or cannot be set', async () => {
    const id = await makeAgent(server)
    for (const status of ['deleted', 'paused', null, true, undefined]) expectInvalid(await update(id, status), 'body.status')
    expectInvalid(await update('agent', 'active'), 'path.agent_id')
  })

  it('404 when the agent is not shared with the caller', async () => {
    for (const id of [randomUUID(), await makeAgent(server, {}, [])]) expectNotFound(await update(id, 'disabled'), id)
  })

  it('403 without the capability to update content, even if the agent is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'insert_content'] })
    for (const id of [exampleWorkspace.agents.partsScout, randomUUID()])
      expectError(await update(id, 'disabled', caller), 403, 'restricted_resource', 'update_content')
  })
})

describe('an agent that the service disables', () => {
  const month = 31 * 86_400_000

  it.each(['run_limit', 'credit_limit', 'workspace_credit_limit'] as const)(
    'for %s is enabled at the end of the billing period',
    async (reason) => {
      const own = await startTestServer()
      try {
        const id = await makeAgent(own, { creditLimit: 100 })
        await changeAgent(own, id, { pauseReason: reason })
        own.clock.advance(Date.parse('2026-06-01T00:00:00.000Z') - own.clock.now() - 1)
        const body = async (): Promise<unknown> => (await own.owner.call('retrieveAgent', { path: { agent_id: id } })).body
        expect(await body()).toMatchObject({ status: 'disabled', pause_reason: reason })
        own.clock.advance(1)
        expect(await body()).toMatchObject({ status: 'active', pause_reason: null, last_edited_time: '2026-06-01T00:00:00.000Z' })
        const filter = { property: 'status', status: { in: ['disabled'] } }
        const { body: disabled } = await own.owner.call('queryAgents', { body: { filter } })
        expect(JSON.stringify(disabled)).not.toContain(id)
        const response = await own.owner.call('updateAgentStatus', { path: { agent_id: id }, body: { status: 'disabled' } })
        expect(response.body).toMatchObject({ status: 'disabled', pause_reason: 'disabled_from_api' })
      } finally {
        await own.stop()
      }
    },
  )

  it('for other reasons stays disabled', async () => {
    const id = await makeAgent(server)
    await changeAgent(server, id, { pauseReason: 'failure_limit' })
    server.clock.advance(month)
    expect(await retrieve(id)).toMatchObject({ status: 'disabled', pause_reason: 'failure_limit' })
  })

  it('for lack of members or editors is enabled when the agent has them again', async () => {
    const id = await makeAgent(server, {}, [
      [DEMO, 'view'],
      [{ personId: INES }, 'edit'],
    ])
    await share(server, id, { personId: INES }, null)
    expect(await retrieve(id)).toMatchObject({ pause_reason: 'disabled_due_to_lack_of_editors' })
    await share(server, id, { personId: TOMAS }, 'full')
    expect(await retrieve(id)).toMatchObject({ status: 'active', pause_reason: null })
    await share(server, id, { personId: TOMAS }, null)
    await share(server, id, DEMO, null)
    // No remaining caller could request the agent.
    const stored = await server.service.database.read((db) =>
      db.get({ pause_reason: 'text?' }, 'select pause_reason from agents where id = ?', id),
    )
    expect(stored).toStrictEqual({ pause_reason: 'disabled_due_to_no_members_with_access' })
    await share(server, id, DEMO, 'edit')
    expect(await retrieve(id)).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('for lack of workspace credits is enabled when the workspace has credits again', async () => {
    const own = await startTestServer()
    try {
      const id = await makeAgent(own)
      const body = async (): Promise<unknown> => (await own.owner.call('retrieveAgent', { path: { agent_id: id } })).body
      await setTerms(own, { credits: 1 })
      await spend(own, id, 990)
      expect(await body()).toMatchObject({ status: 'active' })
      await spend(own, id, 1)
      expect(await body()).toMatchObject({ status: 'disabled', pause_reason: 'workspace_credit_limit' })
      await setTerms(own, { credits: 2 })
      expect(await body()).toMatchObject({ status: 'active', pause_reason: null })
    } finally {
      await own.stop()
    }
  })
})
