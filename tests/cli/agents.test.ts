import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { InProcessCommandLine } from './support.ts'

const database = await databaseOfFile()
let server: TestServer
let cli: InProcessCommandLine
let folder: string
beforeAll(async () => {
  server = await startTestServer({ DATABASE_URL: database.url })
  cli = new InProcessCommandLine(database.url)
  folder = mkdtempSync(join(inject('scratchFolder'), 'agents-'))
})
afterAll(() => server.stop())

const INES = 'ines@northshore.example'
const [{ id: INES_ID }, { id: TOMAS_ID }] = exampleWorkspace.people

function written(content: unknown): string {
  const path = join(folder, 'agent.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const read = async (id: string, caller = server.owner): Promise<JsonObject> =>
  (await caller.call('retrieveAgent', { path: { agent_id: id }, query: { verbose: 'true' } })).body
const made = async (...words: string[]): Promise<string> => idOf(await cli.json('agent', 'create', ...words))
const shareWithDemo = (id: string, level = 'full'): Promise<JsonObject> =>
  cli.json('agent', 'share', id, '--connection', exampleWorkspace.connection.id, '--level', level)

describe('agent', () => {
  it('is created from a file and options, published, and readable through the API once shared', async () => {
    const file = written({
      description: 'Watches the tide',
      instructions: 'Look at the table.',
      icon: {
        type: 'custom_emoji',
        custom_emoji: { id: exampleWorkspace.emojis[0].id, name: 'rope_coil', url: 'https://example.org/a.png' },
      },
      model: { mode: 'pinned', id: 'workshop-chat' },
      connections: [
        {
          type: 'mcp_server',
          name: 'Tides',
          account: { type: 'mcp_server', server_host: 'tides.example:8443' },
          enabled_tools: null,
          run_tools_automatically: { read: true, write: false },
        },
      ],
      triggers: [{ type: 'recurrence', enabled: true, schedule: { frequency: 'day', interval: 1, hour: 7, minute: 0 } }],
    })
    const id = await made('Tide Clerk', '--file', file, '--created-by', INES, '--credit-limit', '20', '--model', 'auto')
    expect((await server.owner.call('retrieveAgent', { path: { agent_id: id } })).status).toBe(404)
    expect(await shareWithDemo(id)).toEqual({ id, level: 'full' })
    expect(await read(id)).toMatchObject({
      name: 'Tide Clerk',
      agent_type: 'custom_agent',
      description: 'Watches the tide',
      instructions: 'Look at the table.',
      icon: { type: 'custom_emoji', custom_emoji: { name: 'rope_coil' } },
      model: { mode: 'auto' },
      connections: [{ type: 'mcp_server', account: { server_host: 'tides.example:8443' } }],
      triggers: [{ schedule: { frequency: 'day' } }],
      created_by: { id: INES_ID },
      credit_limit: 20,
      agent_version: { number: 1 },
    })
  })

  it('keeps its other settings in an update, and keeps drafts until they are published', async () => {
    const id = await made(
      'Clerk',
      '--instructions',
      'One.',
      '--icon',
      '⚓',
      '--draft',
      '--id',
      'ABCDEFAB12344321ABCDABCDEFABCDEF',
    )
    expect(id).toBe('abcdefab-1234-4321-abcd-abcdefabcdef')
    await shareWithDemo(id)
    expect(await read(id)).toMatchObject({ agent_version: null, icon: { type: 'emoji', emoji: '⚓' } })
    expect(await cli.json('agent', 'update', id, '--name', 'Chief clerk', '--icon', '')).toEqual({ id, updated: true })
    expect(await read(id)).toMatchObject({ name: 'Chief clerk', icon: null, instructions: 'One.', agent_version: { number: 1 } })
    await cli.json('agent', 'update', id, '--instructions-page', exampleWorkspace.pages.checklist, '--draft')
    expect(await read(id)).toMatchObject({
      instructions: null,
      instructions_page_id: exampleWorkspace.pages.checklist,
      has_unpublished_changes: true,
      agent_version: { number: 1 },
    })
    await cli.json('agent', 'update', id, '--publish', '--credit-limit', 'none')
    expect(await read(id)).toMatchObject({ has_unpublished_changes: false, agent_version: { number: 2 }, credit_limit: null })
  })

  it('is paused for a reason and resumed', async () => {
    const id = await made('Sleeper')
    await shareWithDemo(id)
    await cli.json('agent', 'update', id, '--pause', 'disabled_by_service')
    expect(await read(id)).toMatchObject({ status: 'disabled', pause_reason: 'disabled_by_service' })
    await cli.json('agent', 'update', id, '--pause', 'needs_user_review')
    expect(await read(id)).toMatchObject({ status: 'disabled', pause_reason: 'needs_user_review' })
    await cli.json('agent', 'update', id, '--resume')
    expect(await read(id)).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('is shared with members, everybody and connections, and unshared', async () => {
    const id = await made('Shared')
    await cli.json('agent', 'share', id, '--member', INES, '--level', 'edit')
    await cli.json('agent', 'share', id, '--everybody', '--level', 'view')
    await cli.json('agent', 'share', id, '--connection', exampleWorkspace.connection.id, '--level', 'full', '--by', INES_ID)
    expect(await cli.json('agent', 'show', id)).toMatchObject({
      id,
      status: 'active',
      shares: expect.arrayContaining([
        { subject_id: INES_ID, level: 'edit', shared_by: null },
        { subject_id: exampleWorkspace.workspace.id, level: 'view', shared_by: null },
        { subject_id: exampleWorkspace.bot.id, level: 'full', shared_by: INES_ID },
      ]) as unknown,
    })
    expect((await cli.run(['agent', 'show', id])).output).toMatch(/^Name: +Shared\n/)
    expect(await read(id)).toMatchObject({ has_unpublished_changes: false, credit_limit: 'hidden' })
    await cli.json('agent', 'share', id, '--everybody', '--level', 'none')
    const tomas = await makeMember(server, TOMAS_ID)
    expect((await tomas.call('retrieveAgent', { path: { agent_id: id } })).status).toBe(404)
  })

  it('gives a recipient no more access than the sharing member has, and reports the reduced access', async () => {
    const id = await made('Passed on')
    const share = (...words: string[]): string[] => [
      'agent',
      'share',
      id,
      '--connection',
      exampleWorkspace.connection.id,
      ...words,
    ]
    const refused = await cli.run(share('--level', 'view', '--by', INES_ID))
    expect(refused.code).not.toBe(0)
    expect(refused.errors).toContain(
      `The member ${INES_ID} cannot share this agent without access to it. Share it with that member first.`,
    )
    expect((await server.owner.call('retrieveAgent', { path: { agent_id: id } })).status).toBe(404)

    await cli.json('agent', 'share', id, '--member', INES, '--level', 'edit')
    expect((await cli.run(share('--level', 'full', '--by', INES))).output).toBe(
      `Shared ${id} with edit access, because ${INES} has no more.\n`,
    )
    expect(await cli.json(...share('--level', 'view', '--by', INES))).toEqual({ id, level: 'view' })
    expect((await cli.run(share('--level', 'none', '--by', INES))).output).toBe(`Stopped sharing ${id}.\n`)

    await cli.json('agent', 'share', id, '--member', INES, '--level', 'none')
    await cli.json('agent', 'share', id, '--everybody', '--level', 'view')
    expect(await cli.json(...share('--level', 'full', '--by', INES))).toEqual({ id, level: 'view' })
  })

  it('is no longer shared with a connection that was removed', async () => {
    const { connectionId, caller } = await makeConnection(server, { capabilities: ['read_content'] })
    const id = await made('Guarded')
    await cli.json('agent', 'share', id, '--connection', connectionId, '--level', 'view')
    expect((await caller.call('retrieveAgent', { path: { agent_id: id } })).status).toBe(200)
    await cli.json('connection', 'delete', connectionId, '--yes')
    expect((await cli.json('agent', 'show', id))['shares']).toEqual([])
  })

  it('is deleted and restored', async () => {
    const id = await made('Passenger', '--type', 'external')
    await shareWithDemo(id)
    expect(await cli.json('agent', 'delete', id)).toEqual({ id, deleted: true })
    expect(await read(id)).toMatchObject({ status: 'deleted' })
    expect(await cli.refusal(['agent', 'delete', id], 1)).toMatch(/already deleted/)
    expect(await cli.refusal(['agent', 'update', id, '--resume'], 1)).toMatch(/Restore it first/)
    expect(await cli.json('agent', 'restore', id)).toEqual({ id, restored: true })
    expect(await cli.refusal(['agent', 'restore', id], 1)).toMatch(/not deleted/)
    expect(await read(id)).toMatchObject({ status: 'active' })
  })

  it('is listed by age, the oldest first', async () => {
    const listed = resultsOf(await cli.json('agent', 'list'))
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(exampleWorkspace.agents)))
    expect(listed[0]).toMatchObject({ name: 'Parts Scout', status: 'active', credit_limit: 500, version: 1 })
    expect((await cli.run(['agent', 'list'])).output).toMatch(
      /Logbook Keeper +autofill_custom_agent +disabled +disabled_from_api/,
    )
  })

  it('can be a favorite of a member', async () => {
    const id = await made('Liked')
    await cli.json('agent', 'share', id, '--member', INES, '--level', 'view')
    await cli.json('agent', 'update', id, '--favorite-of', INES, '--limit-request-of', INES)
    const ines = await makeMember(server, INES_ID)
    const filter = { property: 'favorited', checkbox: { equals: true } }
    const { body } = await ines.call('queryAgents', { body: { filter } })
    expect(resultsOf(body).map((agent) => textAt(agent, 'name'))).toEqual(['Liked'])
  })

  it.each<[string, unknown, RegExp]>([
    ['an unknown field', { color: 'red' }, /unknown field "color"/],
    [
      'a connection of an unknown kind',
      { connections: [{ type: 'telegraph' }] },
      /connections\[0\] is not a valid AgentConnection/,
    ],
    [
      'an unknown scope',
      {
        connections: [
          {
            type: 'slack',
            name: 'x',
            account: null,
            permissions: [{ target: { type: 'slack_all_channels' }, scopes: ['shout'] }],
          },
        ],
      },
      /connections\[0\].*scopes\/0/,
    ],
    [
      'a schedule without a frequency',
      { triggers: [{ type: 'recurrence', enabled: true, schedule: { interval: 1 } }] },
      /triggers\[0\].*frequency/,
    ],
    ['a malformed model', { model: { mode: 'best' } }, /model is not a valid AgentModel/],
    ['a name that is not text', { description: 5 }, /description: expected a string or null/],
    ['a file that is not an object', [1], /expected a JSON object/],
    ['a file that is not JSON', '{', /cannot be read as JSON/],
  ])('is not created from %s', async (_name, content, message) => {
    expect(await cli.refusal(['agent', 'create', 'Nobody', '--file', written(content)], 2)).toMatch(message)
  })

  it('is not created with the address of a tool server instead of its host, or with a hidden account', async () => {
    const tools = (account: unknown): string =>
      written({
        connections: [
          { type: 'mcp_server', name: 'x', account, enabled_tools: null, run_tools_automatically: { read: true, write: true } },
        ],
      })
    for (const server_host of ['https://a.example/?key=1', 'a.example/b', 'a b', ''])
      expect(await cli.refusal(['agent', 'create', 'N', '--file', tools({ type: 'mcp_server', server_host })], 1)).toMatch(
        /is not a host/,
      )
    expect(await cli.refusal(['agent', 'create', 'N', '--file', tools('hidden')], 1)).toMatch(/hidden/)
  })

  it.each<[string, string[], number, RegExp]>([
    ['with an empty name', ['create', ''], 1, /1 to 200 characters/],
    ['with an id in use', ['create', 'x', '--id', exampleWorkspace.agents.partsScout], 1, /already/],
    ['with an invalid limit', ['create', 'x', '--credit-limit', '-1'], 2, /whole number/],
    ['that names an unknown agent', ['update', exampleWorkspace.workspace.id, '--resume'], 1, /No agent of the workspace has/],
    ['without a change', ['update', exampleWorkspace.agents.partsScout], 2, /Nothing to change/],
    ['with an unknown reason', ['update', exampleWorkspace.agents.partsScout, '--pause', 'tired'], 2, /Allowed choices/],
    ['without a recipient', ['share', exampleWorkspace.agents.partsScout, '--level', 'view'], 2, /Give one of/],
    [
      'with an unknown recipient',
      ['share', exampleWorkspace.agents.partsScout, '--member', 'x@y.example', '--level', 'view'],
      1,
      /No member of the workspace has/,
    ],
  ])('refuses a command %s', async (_name, words, code, message) => {
    expect(await cli.refusal(['agent', ...words], code)).toMatch(message)
  })
})

describe('workspace update', () => {
  it('sets the credits of the workspace and the limit of each agent', async () => {
    const { id } = exampleWorkspace.workspace
    const set = { credits: 1000, default_agent_credit_limit: 300 }
    expect(await cli.json('workspace', 'update', id, '--credits', '1000', '--agent-credit-limit', '300')).toMatchObject(set)
    expect(await cli.json('workspace', 'show', id)).toMatchObject(set)
    expect(await read(exampleWorkspace.agents.partsScout)).toMatchObject({ credit_limit: 300 })
    await cli.json('workspace', 'update', id, '--agent-credit-limit', '0')
    expect(await read(exampleWorkspace.agents.partsScout)).toMatchObject({
      status: 'disabled',
      pause_reason: 'credit_limit',
      credit_limit: 0,
    })
    const none = { credits: null, default_agent_credit_limit: null }
    expect(await cli.json('workspace', 'update', id, '--credits', 'none', '--agent-credit-limit', 'none')).toMatchObject(none)
    expect(await read(exampleWorkspace.agents.partsScout)).toMatchObject({ status: 'active', credit_limit: 500 })
  })
})
