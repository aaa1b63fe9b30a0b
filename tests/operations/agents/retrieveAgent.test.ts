import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { AgentLevel } from '../../../server/domain/agents/agent.ts'
import { sweep } from '../../harness/sweeps.ts'
import { changeAgent, DEMO, makeAgent, setRun, setTerms, share } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { authorize, makeClient } from '../../harness/oauth.ts'
import { serverOfFile, startTestServer } from '../../harness/server.ts'

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const [INES, TOMAS, AIKO] = exampleWorkspace.people.map(({ id }) => id) as [string, string, string]

const server = await serverOfFile()

const retrieve = (id: string, caller = server.owner, query: Record<string, string> = {}): Promise<TestResponse> =>
  caller.call('retrieveAgent', { path: { agent_id: id }, query })

const CONNECTED = {
  connections: [
    { type: 'workspace', name: 'Yard', account: null, permissions: [] },
    { type: 'slack', name: 'Chat', account: null, permissions: [] },
    {
      type: 'mcp_server',
      name: 'Tides',
      account: { type: 'mcp_server', server_host: 'tides.example' },
      enabled_tools: null,
      run_tools_automatically: { read: true, write: false },
    },
    { type: 'gmail', name: 'Mail', account: 'yard@example.org', permissions: [] },
  ],
}

describe('retrieveAgent', () => {
  it('200 with an agent of the demo workspace', async () => {
    const { status, body } = await retrieve(exampleWorkspace.agents.partsScout)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'agent',
      id: exampleWorkspace.agents.partsScout,
      agent_type: 'custom_agent',
      name: 'Parts Scout',
      icon: { type: 'icon', icon: { name: 'gear', color: 'blue' } },
      model: { mode: 'auto' },
      status: 'active',
      pause_reason: null,
      created_by: { object: 'user', type: 'user', id: INES },
      agent_version: { number: 1 },
      has_unpublished_changes: false,
      last_run_time: null,
      last_run_at: null,
      credit_limit: 500,
    })
    expect(body['version']).toStrictEqual(body['agent_version'])
    expect(body).not.toHaveProperty('instructions')
  })

  it('200 with instructions when verbose is set, and null if they are on a page', async () => {
    expect((await retrieve(exampleWorkspace.agents.partsScout, server.owner, { verbose: 'true' })).body['instructions']).toMatch(
      /^Look into/,
    )
    const { body } = await retrieve(exampleWorkspace.agents.logbookKeeper, server.owner, { verbose: 'true' })
    expect(body).toMatchObject({ instructions: null, instructions_page_id: exampleWorkspace.pages.checklist })
    expect((await retrieve(exampleWorkspace.agents.partsScout, server.owner, { verbose: 'false' })).body).not.toHaveProperty(
      'instructions',
    )
  })

  it.each<[AgentLevel, string, string]>([
    ['view', 'hidden', 'hidden'],
    ['edit', 'shown', 'hidden'],
    ['full', 'shown', 'shown'],
  ])('200 to a connection with %s access, with edit details %s and the credit limit %s', async (level, edit, full) => {
    const id = await makeAgent(server, { ...CONNECTED, creditLimit: 7 }, [[DEMO, level]])
    await setRun(server, id, server.clock.now())
    const { body } = await retrieve(id)
    const time = new Date(server.clock.now()).toISOString()
    const seen = edit === 'shown'
    expect(body).toMatchObject({
      has_unpublished_changes: seen ? false : 'hidden',
      last_run_at: seen ? time : 'hidden',
      last_run_time: seen ? time : 'hidden',
      credit_limit: full === 'shown' ? 7 : 'hidden',
      connections: [
        { type: 'workspace', account: null },
        // Whether there is an account is hidden as well.
        { type: 'slack', account: seen ? null : 'hidden' },
        {
          type: 'mcp_server',
          account: seen ? { type: 'mcp_server', server_host: 'tides.example' } : 'hidden',
          enabled_tools: seen ? null : 'hidden',
          run_tools_automatically: { read: true, write: false },
        },
        { type: 'gmail', account: seen ? 'yard@example.org' : 'hidden' },
      ],
    })
  })

  it('200 with the credit limit "hidden" below full access, even for an agent without a limit', async () => {
    const id = await makeAgent(server, {}, [[DEMO, 'edit']])
    expect((await retrieve(id)).body).toMatchObject({ credit_limit: 'hidden', last_run_at: null })
  })

  it("200 with the smaller of the agent's credit limit and the workspace default", async () => {
    const [own, none] = [await makeAgent(server, { creditLimit: 30 }), await makeAgent(server)]
    const limits = async (): Promise<unknown[]> => [
      (await retrieve(own)).body['credit_limit'],
      (await retrieve(none)).body['credit_limit'],
    ]
    expect(await limits()).toEqual([30, null])
    for (const [defaultAgentLimit, expected] of [
      [20, [20, 20]],
      [40, [30, 40]],
      [null, [30, null]],
    ] as const) {
      await setTerms(server, { defaultAgentLimit })
      expect(await limits()).toEqual(expected)
    }
  })

  it('200 with unpublished edits, and the next version after they are published', async () => {
    const id = await makeAgent(server, { instructions: 'first' })
    server.clock.advance(1_000)
    await changeAgent(server, id, { settings: { instructions: 'second' } })
    expect((await retrieve(id)).body).toMatchObject({ has_unpublished_changes: true, agent_version: { number: 1 } })
    await changeAgent(server, id, { publish: true })
    const published_at = new Date(server.clock.now()).toISOString()
    expect((await retrieve(id)).body).toMatchObject({
      has_unpublished_changes: false,
      agent_version: { number: 2, published_at },
      last_edited_time: published_at,
    })
    const draft = await makeAgent(server, { versionId: null })
    expect((await retrieve(draft)).body).toMatchObject({ agent_version: null, version: null, has_unpublished_changes: true })
  })

  it('200 for the personal agent by its alias and its reserved id, for tokens that act for a person', async () => {
    const ines = await makeMember(server, INES)
    const client = await makeClient(server)
    const oauth = await authorize(server, client)
    for (const caller of [ines, server.caller(oauth.accessToken)]) {
      for (const id of ['service_ai', PERSONAL, PERSONAL.replaceAll('-', '')]) {
        const { status, body } = await retrieve(id, caller, { verbose: 'true' })
        expect([status, body]).toMatchObject([
          200,
          {
            id: PERSONAL,
            agent_type: 'service_ai',
            name: 'Service Agent',
            status: 'active',
            created_by: null,
            credit_limit: null,
          },
        ])
        expect(body).not.toHaveProperty('created_time')
      }
    }
  })

  it('403 for the personal agent when the connection does not act for a person', async () => {
    for (const id of ['service_ai', PERSONAL]) expectError(await retrieve(id), 403, 'restricted_resource')
  })

  it("200 with the member's own level of access, or that of all members if the member has none", async () => {
    const [tomas, aiko] = [await makeMember(server, TOMAS), await makeMember(server, AIKO)]
    const id = await makeAgent(server, {}, [
      [{ everybody: true }, 'edit'],
      [{ personId: TOMAS }, 'view'],
    ])
    expect((await retrieve(id, tomas)).body).toMatchObject({ has_unpublished_changes: 'hidden' })
    expect((await retrieve(id, aiko)).body).toMatchObject({ has_unpublished_changes: false, credit_limit: 'hidden' })
    await share(server, id, { everybody: true }, null)
    expectNotFound(await retrieve(id, aiko), id)
    expectNotFound(await retrieve(id), id)
  })

  it('200 to an OAuth token while its person has access, and 404 afterwards', async () => {
    const oauth = await authorize(server, await makeClient(server))
    const caller = server.caller(oauth.accessToken)
    const id = await makeAgent(server, {}, [[{ personId: INES }, 'edit']])
    expect((await retrieve(id, caller)).body).toMatchObject({ id, has_unpublished_changes: false })
    await share(server, id, { personId: INES }, null)
    expectNotFound(await retrieve(id, caller), id)
  })

  it('200 to a connection with at most the access of the member who shared the agent', async () => {
    const id = await makeAgent(server, { creditLimit: 5 }, [[{ personId: TOMAS }, 'full']])
    await share(server, id, DEMO, 'full', TOMAS)
    expect((await retrieve(id)).body).toMatchObject({ credit_limit: 5 })
    await share(server, id, { personId: TOMAS }, 'edit')
    expect((await retrieve(id)).body).toMatchObject({ credit_limit: 'hidden', has_unpublished_changes: false })
    await share(server, id, { personId: TOMAS }, 'view')
    expect((await retrieve(id)).body).toMatchObject({ has_unpublished_changes: 'hidden' })
    await share(server, id, { personId: TOMAS }, null)
    expectNotFound(await retrieve(id), id)
  })

  it('200 for a deleted agent for 30 days, then 404, even before it is swept', async () => {
    const own = await startTestServer()
    try {
      const id = await makeAgent(own, { name: 'Old Salt' })
      await own.owner.call('deleteAgent', { path: { agent_id: id } })
      const again = (): Promise<TestResponse> => own.owner.call('retrieveAgent', { path: { agent_id: id } })
      expect((await again()).body).toMatchObject({ status: 'deleted', pause_reason: null, name: 'Old Salt' })
      own.clock.advance(30 * 86_400_000 - 1)
      await sweep(own.service.database, own.clock.now())
      expect((await again()).status).toBe(200)
      own.clock.advance(1)
      expectNotFound(await again(), id)
      await sweep(own.service.database, own.clock.now())
      const left = await own.service.database.read((db) =>
        db.all({ id: 'text' }, 'select agent_id as id from agent_versions where agent_id = ?', id),
      )
      expect(left).toEqual([])
    } finally {
      await own.stop()
    }
  })

  it('400 when the id is malformed', async () => {
    for (const id of ['agent', 'service', `${randomUUID()}0`]) {
      const response = await retrieve(id)
      expectInvalid(response, 'path.agent_id')
      expect(response.body['message']).toMatch(/a valid uuid or `service_ai`/)
    }
  })

  it('404 with the same message when the agent is missing or not shared', async () => {
    const hidden = await makeAgent(server, {}, [])
    const missing = randomUUID()
    const [first, second] = [await retrieve(hidden), await retrieve(missing)]
    expectNotFound(first, hidden)
    expectNotFound(second, missing)
    expect(String(first.body['message']).replace(hidden, missing)).toBe(second.body['message'])
  })

  it('403 without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'] })
    expectError(await retrieve(exampleWorkspace.agents.partsScout, caller), 403, 'restricted_resource', 'read_content')
  })
})
