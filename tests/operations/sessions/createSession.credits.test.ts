import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { requestHigherLimit } from '../../../server/domain/agents/administration/agents.ts'
import { undashed } from '../../../server/kernel/ids.ts'
import { setRole } from '../../../server/store/members.ts'
import { changeAgent, DEMO, makeAgent, setTerms, share, spend } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError } from '../../harness/expectations.ts'
import { resultsOf, type JsonObject } from '../../harness/json.ts'
import { ScriptedAgents } from '../../harness/scripted_agents.ts'
import { talk } from '../../harness/sessions.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const agents = new ScriptedAgents()
const look = { callId: 'look', tool: 'look', arguments: {} }
agents.add('Spend and look', async function* () {
  yield { type: 'usage', inputTokens: 20_000, outputTokens: 0 }
  yield { type: 'read', call: look, settle: () => undefined }
  yield { type: 'message', text: 'Seen.' }
  await Promise.resolve()
})

let server: TestServer
let ines: Caller
let tomas: Caller
const [INES, TOMAS] = exampleWorkspace.people.map(({ id }) => id) as [string, string]
beforeAll(async () => {
  server = await startTestServer({}, undefined, agents)
  ;[ines, tomas] = [await makeMember(server, INES), await makeMember(server, TOMAS)]
})
afterAll(() => server.stop())
beforeEach(() => setTerms(server, { credits: null, defaultAgentLimit: null }))

const run = (agent_id: string, caller = server.owner, message = 'Hello'): Promise<TestResponse> =>
  caller.call('createSession', { body: { agent_id, message } })
const statusOf = async (id: string): Promise<unknown[]> => {
  const { body } = await server.owner.call('retrieveAgent', { path: { agent_id: id } })
  return [body['status'], body['pause_reason']]
}

/** The details of a credit error. */
function recovery(response: TestResponse, code: string): unknown {
  expectError(response, 403, code)
  const { tool_error_code, tool_error_class, tool_error_retryable, ...rest } = response.body['additional_data'] as JsonObject
  expect([tool_error_code, tool_error_class, tool_error_retryable]).toEqual([code, 'entitlement_required', 'false'])
  return rest
}

const WORKSPACE = 'workspace_credits_exhausted'
const AGENT = 'agent_credit_limit_reached'

/** The target of the link to the settings. */
async function settingsPage(target: string): Promise<string> {
  const { status, headers, text } = await server.caller(undefined, undefined).page(target)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  return text
}

describe('403 workspace_credits_exhausted', () => {
  it('advising owners to open the credit settings, and others to contact an owner', async () => {
    const id = await makeAgent(server, {}, [
      [DEMO, 'full'],
      [{ everybody: true }, 'full'],
    ])
    await setTerms(server, { credits: 0 })
    expect(recovery(await run(id, ines), WORKSPACE)).toEqual({
      recovery_kind: 'open_workspace_credit_settings',
      recovery_url: `${server.url}/settings/credits`,
    })
    expect(await settingsPage('/settings/credits')).toContain('workspace-service workspace update --credits')
    for (const caller of [tomas, server.owner])
      expect(recovery(await run(id, caller), WORKSPACE)).toEqual({ recovery_kind: 'contact_workspace_owner' })
    // The personal agent also spends the workspace's credits.
    expect(recovery(await run('service_ai', tomas), WORKSPACE)).toEqual({ recovery_kind: 'contact_workspace_owner' })
  })

  it('before the limit of the agent is checked', async () => {
    const id = await makeAgent(server, { creditLimit: 0 })
    await setTerms(server, { credits: 0 })
    expectError(await run(id), 403, WORKSPACE)
    await setTerms(server, { credits: null })
    expectError(await run(id), 403, AGENT)
  })
})

describe('403 agent_credit_limit_reached', () => {
  it("advising callers with full access to open the agent's settings, and others to request a higher limit once", async () => {
    const id = await makeAgent(server, { creditLimit: 2 }, [
      [DEMO, 'full'],
      [{ personId: INES }, 'full'],
      [{ personId: TOMAS }, 'edit'],
    ])
    expect((await run(id, ines)).status).toBe(200)
    await spend(server, id, 2_000)
    expect(recovery(await run(id, ines), AGENT)).toEqual({
      recovery_kind: 'open_agent_settings',
      recovery_url: `${server.url}/settings/agents/${undashed(id)}`,
    })
    expect(await settingsPage(`/settings/agents/${undashed(id)}`)).toContain(
      `workspace-service agent update ${id} --credit-limit`,
    )
    expect((await server.caller(undefined, undefined).page('/settings/agents/x')).status).toBe(400)
    for (const level of ['edit', 'view'] as const) {
      await share(server, id, { personId: TOMAS }, level)
      expect(recovery(await run(id, tomas), AGENT)).toEqual({ recovery_kind: 'request_agent_limit_increase' })
    }
    await server.service.database.write((db) =>
      requestHigherLimit(db, exampleWorkspace.workspace.id, id, TOMAS, server.clock.now()),
    )
    expect(recovery(await run(id, tomas), AGENT)).toEqual({ recovery_kind: 'request_pending' })
    // A new limit resolves the request for a higher limit, even if the new limit is too low.
    await server.owner.call('updateAgentCreditLimit', { path: { agent_id: id }, body: { credit_limit: 1 } })
    expect(recovery(await run(id, tomas), AGENT)).toEqual({ recovery_kind: 'request_agent_limit_increase' })
  })

  it('advising a connection to contact a workspace owner, if the workspace has an owner', async () => {
    const id = await makeAgent(server, { creditLimit: 0 })
    expect(recovery(await run(id), AGENT)).toEqual({ recovery_kind: 'contact_workspace_owner' })
    const { database } = server.service
    await database.write((db) => setRole(db, exampleWorkspace.workspace.id, INES, 'member'))
    expect(recovery(await run(id), AGENT)).toEqual({ recovery_kind: 'none' })
    await database.write((db) => setRole(db, exampleWorkspace.workspace.id, INES, 'owner'))
  })

  it('until the limit or the workspace default is raised, or the month ends', async () => {
    const own = await startTestServer()
    try {
      const id = await makeAgent(own)
      const status = async (): Promise<number> =>
        (await own.owner.call('createSession', { body: { agent_id: id, message: 'Hello' } })).status
      await spend(own, id, 2_000)
      await setTerms(own, { defaultAgentLimit: 2 })
      expect(await status()).toBe(403)
      await setTerms(own, { defaultAgentLimit: 3 })
      expect(await status()).toBe(200)
      await own.owner.call('updateAgentCreditLimit', { path: { agent_id: id }, body: { credit_limit: 1 } })
      expect(await status()).toBe(403)
      own.clock.advance(Date.parse('2026-06-01T00:00:00.000Z') - own.clock.now())
      expect(await status()).toBe(200)
    } finally {
      await own.stop()
    }
  })
})

describe('createSession checks in order', () => {
  it('capability, existence, deletion, workspace credits, agent limit, other reasons', async () => {
    const id = await makeAgent(server, { creditLimit: 0 })
    await changeAgent(server, id, { pauseReason: 'needs_user_review' })
    const reader = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await run(id, reader.caller), 403, 'restricted_resource', 'insert_content')
    const stranger = await makeConnection(server, { capabilities: ['insert_content'] })
    await setTerms(server, { credits: 0 })
    expectError(await run(id, stranger.caller), 404, 'object_not_found', id)
    expectError(await run(id), 403, WORKSPACE)
    await setTerms(server, { credits: null })
    expectError(await run(id), 403, AGENT)
    await server.owner.call('updateAgentCreditLimit', { path: { agent_id: id }, body: { credit_limit: null } })
    expectError(await run(id), 403, 'restricted_resource', 'needs_user_review')
    await setTerms(server, { credits: 0 })
    await server.owner.call('deleteAgent', { path: { agent_id: id } })
    expectError(await run(id), 409, 'agent_deleted', id)
  })

  it('everything before a session starts or credits are spent', async () => {
    const id = await makeAgent(server, { creditLimit: 0 })
    await run(id)
    const { body } = await server.owner.call('querySessions', {
      body: { filter: { property: 'agent_id', string: { equals: id } } },
    })
    expect(resultsOf(body)).toEqual([])
    expect((await server.owner.call('retrieveAgentInsights', { path: { agent_id: id } })).body).toMatchObject({
      total_credits_used: 0,
    })
  })
})

describe('a turn', () => {
  it.each([
    [AGENT, 'credit_limit', { creditLimit: 20 }, {}],
    [WORKSPACE, 'workspace_credit_limit', {}, { credits: 100 }],
  ] as const)(
    'ends with %s before its next step when the credits run out, and its agent is paused for %s',
    async (code, reason, options, terms) => {
      const own = await startTestServer({}, undefined, agents)
      try {
        const id = await makeAgent(own, options)
        await setTerms(own, terms)
        if (code === WORKSPACE) await spend(own, await makeAgent(own), 80_000)
        const looked = agents.executed.length
        const session = await talk(own.owner, { agent_id: id, message: 'Spend and look' })
        expect(session).toMatchObject({ status: 'failed', error: { code, retryable: false } })
        expect(agents.executed).toHaveLength(looked)
        const { body } = await own.owner.call('retrieveAgent', { path: { agent_id: id } })
        expect(body).toMatchObject({ status: 'disabled', pause_reason: reason })
        expect((await own.owner.call('retrieveAgentInsights', { path: { agent_id: id } })).body).toMatchObject({
          runs_completed: 0,
        })
      } finally {
        await own.stop()
      }
    },
  )

  it("sets its agent's last_run_at but not last_edited_time, and counts as a run once completed", async () => {
    const id = await makeAgent(server)
    const made = new Date(server.clock.now()).toISOString()
    server.clock.advance(5_000)
    await talk(server.owner, { agent_id: id, message: 'Hello' })
    const { body } = await server.owner.call('retrieveAgent', { path: { agent_id: id } })
    expect(body).toMatchObject({ last_edited_time: made, last_run_at: new Date(server.clock.now()).toISOString() })
    expect((await server.owner.call('retrieveAgentInsights', { path: { agent_id: id } })).body).toMatchObject({
      runs_completed: 1,
    })
    expect(await statusOf(id)).toEqual(['active', null])
  })
})
