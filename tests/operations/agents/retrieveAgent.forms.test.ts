import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentConnection, AgentTrigger } from '../../../generated/types.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { storedFile } from '../../../server/domain/files/stored.ts'
import { DEMO, makeAgent, share } from '../../harness/agents.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeMember } from '../../harness/connections.ts'
import { publicContract } from '../../harness/contract.ts'
import { png, upload } from '../../harness/files.ts'
import { at, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/** The three response forms of agents, field by field, and all possible content of an agent. */

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const INES = exampleWorkspace.people[0].id

const CONNECTORS = at(
  publicContract().components.schemas as never,
  'ConnectorConnection',
  'properties',
  'type',
  'enum',
) as string[]

const SERVER = {
  account: { type: 'mcp_server', server_host: 'tides.example' },
  enabled_tools: [
    { name: 'list_tides', title: 'List tides' },
    { name: 'move_moon', title: null },
  ],
  run_tools_automatically: { read: true, write: false },
} as const

/** One of each kind, with each kind of target. */
const CONNECTIONS: readonly AgentConnection[] = [
  {
    type: 'workspace',
    name: 'Yard',
    account: null,
    permissions: [
      { target: { type: 'page', id: exampleWorkspace.pages.checklist }, scopes: ['reader'] },
      {
        target: { type: 'database_property', data_source_id: exampleWorkspace.pages.checklist, property_id: 'a%3Ab' },
        scopes: ['editor'],
      },
      { target: { type: 'agent', id: exampleWorkspace.agents.partsScout }, scopes: ['comment_only'] },
      { target: { type: 'workspace' }, scopes: ['read_and_write'] },
      { target: { type: 'owner_private_pages' }, scopes: ['reader'] },
      { target: { type: 'web_search', allowed_domains: ['tides.example'] }, scopes: ['allow'] },
      { target: { type: 'web_search', allowed_domains: null }, scopes: ['disallow'] },
      { target: { type: 'help_docs_search' }, scopes: ['allow'] },
    ],
  },
  {
    type: 'slack',
    name: 'Chat',
    account: { type: 'slack_workspace', team_id: 'T1' },
    permissions: [
      { target: { type: 'slack_channel', id: 'C1' }, scopes: ['read', 'write', 'reply_in_thread', 'react'] },
      { target: { type: 'slack_all_public_channels' }, scopes: ['read'] },
      { target: { type: 'slack_all_channels' }, scopes: ['react'] },
    ],
  },
  {
    type: 'discord',
    name: 'Crew',
    account: { type: 'discord_server', id: 'D1' },
    permissions: [
      { target: { type: 'discord_channel', id: 'C2' }, scopes: ['read', 'write'] },
      { target: { type: 'discord_all_channels' }, scopes: ['reply_in_thread'] },
    ],
  },
  { type: 'mcp_server', name: 'Tides', ...SERVER, enabled_tools: [...SERVER.enabled_tools] },
  { type: 'custom_mcp_server', name: 'Moon', ...SERVER, enabled_tools: null },
  ...CONNECTORS.map((type) => ({
    type: type as 'gmail',
    name: `Our ${type}`,
    account: 'yard@example.org',
    permissions: [{ target: { type: 'box', id: '7' }, scopes: ['open', 'close'] }],
  })),
]

const TRIGGERS: readonly AgentTrigger[] = [
  { type: 'workspace.agent.mentioned', enabled: false },
  { type: 'slack.reaction.added', enabled: true, config: { reaction: { name: 'wave', counts: [1, null, { deep: true }] } } },
  ...(['hour', 'day', 'year'] as const).map((frequency): AgentTrigger => ({
    type: 'recurrence',
    enabled: true,
    schedule: { frequency, interval: 2 },
  })),
  {
    type: 'recurrence',
    enabled: true,
    schedule: {
      frequency: 'week',
      interval: 1,
      weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      hour: 23,
      minute: 59,
      timezone: 'Europe/Oslo',
      start_date: '2026-05-01T00:00:00.000Z',
      end: { type: 'count', occurrences: 3 },
    },
  },
  {
    type: 'recurrence',
    enabled: true,
    schedule: {
      frequency: 'month',
      interval: 1,
      monthdays: [1, 31],
      week_numbers: [1, -1],
      end: { type: 'date', end_at: '2026-06-01T00:00:00.000Z' },
    },
  },
]

let server: TestServer
let ines: Caller
let full: string
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' })
  ines = await makeMember(server, INES)
  full = await makeAgent(server, {
    name: 'Of everything',
    description: 'All there is',
    instructions: 'Look.',
    connections: [...CONNECTIONS],
    triggers: [...TRIGGERS],
    createdBy: INES,
  })
  await share(server, full, { personId: INES }, 'view')
})
afterAll(() => server.stop())

const FORMS = ['retrieveAgent', 'listAgents', 'queryAgents'] as const
type Form = (typeof FORMS)[number]

async function read(form: Form, agent_id: string, caller = server.owner, verbose = false): Promise<JsonObject> {
  if (form === 'retrieveAgent') {
    const { body } = await caller.call(form, { path: { agent_id }, query: { verbose: String(verbose) } })
    const { request_id, ...agent } = body
    return agent
  }
  const parts = form === 'listAgents' ? { query: { verbose: String(verbose) } } : { body: { verbose } }
  const { body } = await caller.call(form, parts)
  const found = resultsOf(body).find(({ id }) => id === agent_id)
  if (!found) throw new Error(`${form} does not find ${agent_id}`)
  return found
}

/** Fields that all forms have. */
const COMMON = [
  ...['object', 'id', 'agent_type', 'name', 'description', 'instructions_page_id', 'icon', 'model', 'connections', 'status'],
  ...['created_by', 'agent_version', 'last_run_at'],
]
const TIMES = ['created_time', 'last_edited_time']
const OWN: Readonly<Record<Form, readonly string[]>> = {
  retrieveAgent: ['pause_reason', 'version', 'has_unpublished_changes', 'last_run_time', 'credit_limit', 'triggers'],
  listAgents: ['version', 'last_run_time'],
  queryAgents: ['pause_reason', 'credit_limit', 'triggers'],
}

describe.each(FORMS)('%s', (form) => {
  it("200 with exactly the fields of the agent's form, and instructions on request", async () => {
    const fields = [...COMMON, ...TIMES, ...OWN[form]]
    expect(Object.keys(await read(form, full)).sort()).toStrictEqual(fields.toSorted())
    const verbose = await read(form, full, server.owner, true)
    expect(Object.keys(verbose).sort()).toStrictEqual([...fields, 'instructions'].sort())
    expect(verbose['instructions']).toBe('Look.')
    if (form !== 'queryAgents')
      expect([verbose['version'], verbose['last_run_time']]).toStrictEqual([verbose['agent_version'], verbose['last_run_at']])
  })

  it('200 with all connections and triggers', async () => {
    const agent = await read(form, full)
    const shown = form === 'listAgents' ? CONNECTIONS.filter(({ type }) => type !== 'workspace') : CONNECTIONS
    expect(agent['connections']).toStrictEqual(shown)
    if (form !== 'listAgents') expect(agent['triggers']).toStrictEqual(TRIGGERS)
    expect(agent['created_by']).toStrictEqual({
      ...(form === 'queryAgents' ? {} : { object: 'user' }),
      type: 'user',
      id: INES,
    })
  })

  it('200 without accounts and tools of connections for callers below edit access', async () => {
    const { connections } = await read(form, full, ines)
    const hidden = CONNECTIONS.map((connection) => ({
      ...connection,
      ...(connection.type === 'workspace' ? {} : { account: 'hidden' }),
      ...('enabled_tools' in connection ? { enabled_tools: 'hidden' } : {}),
    }))
    expect(connections).toStrictEqual(form === 'listAgents' ? hidden.slice(1) : hidden)
  })

  it('200 with fixed values for the personal agent', async () => {
    const plain = {
      object: 'agent',
      id: PERSONAL,
      agent_type: 'service_ai',
      name: 'Service Agent',
      description: null,
      instructions_page_id: null,
      icon: expect.objectContaining({ type: 'icon' }) as unknown,
      model: { mode: 'auto' },
      connections: [],
      status: 'active',
      created_by: null,
      agent_version: null,
      last_run_at: null,
    }
    const own = {
      retrieveAgent: {
        pause_reason: null,
        version: null,
        has_unpublished_changes: false,
        last_run_time: null,
        credit_limit: null,
        triggers: [],
        instructions: null,
      },
      listAgents: { version: null, last_run_time: null, created_time: null, last_edited_time: null, instructions: null },
      queryAgents: { pause_reason: null, credit_limit: null, triggers: [], created_time: null, last_edited_time: null },
    }[form]
    expect(await read(form, PERSONAL, ines, true)).toStrictEqual({ ...plain, ...own })
  })

  it.each([
    { type: 'emoji', emoji: '⚓' },
    { type: 'external', external: { url: 'https://example.org/a.png' } },
    {
      type: 'custom_agent_avatar',
      custom_agent_avatar: { static_url: 'https://a.example/s', animated_url: 'https://a.example/a' },
    },
    { type: 'icon', icon: { name: 'gear', color: 'blue' } },
  ])('200 with the icon $type', async (icon) => {
    const id = await makeAgent(server, { icon })
    expect((await read(form, id))['icon']).toMatchObject(icon)
  })

  it('200 with a custom emoji or a workspace picture as its icon', async () => {
    const emoji = { id: randomUUID(), name: `burgee_${form}`, url: 'https://example.org/burgee.png' }
    await server.service.database.write((db) =>
      db.run(
        'insert into custom_emojis (workspace_id, id, name, url, created_time) values (?, ?, ?, ?, 1)',
        ...[exampleWorkspace.workspace.id, emoji.id, emoji.name, emoji.url],
      ),
    )
    const own = await makeAgent(server, { icon: { type: 'custom_emoji', custom_emoji: { id: emoji.id } } })
    expect((await read(form, own))['icon']).toStrictEqual({ type: 'custom_emoji', custom_emoji: emoji })
    const pictured = await makeAgent(server, { icon: storedFile(await upload(server.owner, png, 'badge.png')) })
    const { icon } = await read(form, pictured)
    expect(icon).toMatchObject({ type: 'file', file: { expiry_time: expect.any(String) as string } })
    expect((await fetch(textAt(icon ?? null, 'file', 'url'))).status).toBe(200)
  })

  it.each(['auto', 'pinned'] as const)('200 with a model that is %s and has no name', async (mode) => {
    const model = mode === 'auto' ? { mode } : { mode, id: null }
    const id = await makeAgent(server, { model }, [[DEMO, 'view']])
    expect((await read(form, id))['model']).toStrictEqual(model)
  })
})

it('the agents of these tests cover every connector', () => {
  expect(CONNECTORS).toHaveLength(35)
  expect(CONNECTORS).toContain('google_drive_oauth')
})
