import { afterAll, describe, expect, it } from 'vitest'
import {
  SeedError,
  UnknownAgent,
  assertAgentTurn,
  type ScriptedTurn,
  type ScriptStep,
  type SeedAgent,
} from '../../testkit/src/index.ts'
import { startControl } from '../../testkit/src/control/start_control.ts'
import { useTestServer } from '../../testkit/src/vitest.ts'
import { at, idOf, type JsonObject } from '../harness/json.ts'
import { decision } from '../harness/sessions.ts'
import { call } from './support/responses.ts'
import { callControl } from './support/control.ts'

const server = await useTestServer({ port: 'none', time: '2026-05-16T04:30:00Z', seed: 'agents' })
const control = await startControl(server, { host: '127.0.0.1', port: 0 }, () => undefined)
const { workspace } = server
afterAll(() => control.closeAtOnce())

/** Creates an agent with one scripted turn: with the kit, a seed, and the control API. */
const MAKERS: Readonly<Record<string, (agent: SeedAgent) => Promise<string>>> = {
  'the kit': (agent) => server.createAgent(agent),
  'a seed': async (agent) => (await server.seed({ agents: [agent] })).agents[agent.name] ?? '',
  'the control API': async (agent) => idOf((await callControl(control.url, 'createAgent', { json: agent })).body),
}

/** Sends a message, or a decision, and waits for the turn. @returns the session */
async function talk(body: object): Promise<JsonObject> {
  const response = await call(workspace, 'createSession', { body })
  expect(response.status, response.text).toBe(200)
  await server.settled()
  return (await call(workspace, 'retrieveSession', { path: { session_id: idOf(response.body) } })).body
}

async function eventsOf(session: JsonObject): Promise<string[]> {
  const { body } = await call(workspace, 'querySessionEvents', { path: { session_id: idOf(session) }, body: {} })
  return (body['results'] as JsonObject[]).map(({ type }) => String(type))
}

const agentOf = (...steps: ScriptStep[]): SeedAgent => ({ name: 'Tide Watch', credits: 10, turns: [{ steps }] })
const harbour = { properties: { title: [{ text: { content: 'Harbour' } }] } }
const makeHarbour = async (): Promise<string> => idOf((await call(workspace, 'createPage', { body: harbour })).body)
const start = (agentId: string): Promise<JsonObject> => talk({ agent_id: agentId, message: 'When is low water?' })

describe.each(Object.entries(MAKERS))('an agent that %s creates', (_name, make) => {
  it('writes a text', async () => {
    const id = await make(agentOf({ type: 'text', text: 'Low water is at nine.' }))
    const session = await start(id)
    expect(session['status']).toBe('completed')
    expect(server).toHaveAgentTurn(id, {
      message: /low water/,
      steps: [{ type: 'text', text: 'Low water is at nine.' }],
      times: 1,
    })
  })

  it('calls a tool with the rights of the agent', async () => {
    const page = await makeHarbour()
    const call: ScriptStep = { type: 'tool_call', tool: 'search_workspace', arguments: { terms: ['harbour'] } }
    const [id, other] = [await make(agentOf(call)), await makeHarbour()]
    const session = await start(id)
    expect(await eventsOf(session)).toEqual(expect.arrayContaining(['agent.tool_use', 'agent.tool_result']))
    const [turn] = server.agentTurns
    const found = JSON.stringify(turn?.steps)
    expect([found.includes(page), found.includes(other), turn?.steps[0]?.type]).toEqual([true, true, 'tool_call'])
  })

  it.each(['approve', 'reject'] as const)('waits for a decision and continues after %s', async (option) => {
    await makeHarbour()
    const write: ScriptStep = { type: 'approval', tool: 'create_page', arguments: { title: 'Tides', parent: 'Harbour' } }
    const id = await make(agentOf({ type: 'text', text: 'May I?' }, write, { type: 'text', text: 'Thank you.' }))
    const session = await start(id)
    expect(session['status']).toBe('requires_action')
    expect(server.agentTurns[0]?.steps).toMatchObject([{ text: 'May I?' }, { type: 'approval', decision: null, result: null }])
    expect((await talk(decision(session, option)))['status']).toBe('completed')
    const made = at((await call(workspace, 'search', { body: { query: 'Tides' } })).body, 'results')
    expect(made).toHaveLength(option === 'approve' ? 1 : 0)
    expect(server).toHaveAgentTurn(id, {
      steps: [
        { text: 'May I?' },
        { type: 'approval', tool: 'create_page', decision: option, isError: false },
        { text: 'Thank you.' },
      ],
    })
  })

  it('fails with an error', async () => {
    const id = await make(agentOf({ type: 'error', code: 'runtime_timeout', message: 'Too slow.', retryable: true }))
    const session = await start(id)
    expect(session).toMatchObject({ status: 'failed', error: { code: 'runtime_timeout', message: 'Too slow.', retryable: true } })
    expect(server).toHaveAgentTurn(id, { steps: [{ type: 'error', code: 'runtime_timeout' }] })
  })

  it('reaches its credit limit and is disabled', async () => {
    const id = await make(
      agentOf({ type: 'text', text: 'One moment.' }, { type: 'credit_limit' }, { type: 'text', text: 'Never said.' }),
    )
    const session = await start(id)
    expect(session).toMatchObject({ status: 'failed', error: { code: 'agent_credit_limit_reached' } })
    expect(server).toHaveAgentTurn(id, { steps: [{ text: 'One moment.' }, { type: 'credit_limit' }] })
    const again = await call(workspace, 'createSession', { body: { agent_id: id, message: 'Again' } })
    expect([again.status, again.body['code']]).toEqual([403, 'agent_credit_limit_reached'])
    const agent = await call(workspace, 'retrieveAgent', { path: { agent_id: id } })
    expect(agent.body).toMatchObject({ status: 'disabled', pause_reason: 'credit_limit' })
  })
})

describe('agents of a test server', () => {
  const said = (text: string): ScriptedTurn[] => [{ steps: [{ type: 'text', text }] }]

  it('run scripted turns in order, and respond without a script afterwards', async () => {
    const id = await server.createAgent({ name: 'Tide Watch', turns: said('One') })
    expect(await server.scriptTurns(id, said('Two'))).toBe(2)
    for (let count = 0; count < 3; count += 1) await start(id)
    const texts = server.agentTurns.map(({ steps }) => steps.flatMap((step) => (step.type === 'text' ? step.text : [])))
    expect(texts).toEqual([['One'], ['Two'], ['No shared page mentions: low, water']])
  })

  it('are restored from a snapshot with their scripts and turns', async () => {
    const id = await server.createAgent({ name: 'Tide Watch', turns: [...said('One'), ...said('Two')] })
    await start(id)
    await server.snapshot('one turn')
    await start(id)
    await server.restore('one turn')
    expect(server.agentTurns).toHaveLength(1)
    await start(id)
    expect(server).toHaveAgentTurn(id, { steps: [{ text: 'Two' }], times: 1 })
    expect(() => assertAgentTurn(server, id, { steps: [{ text: 'Three' }] })).toThrow(/expected at least one, found 0/)
  })

  it('may do what their role allows on the pages of their seed', async () => {
    const steps: ScriptStep[] = [
      { type: 'tool_call', tool: 'read_page', arguments: { page: 'Harbour' } },
      { type: 'tool_call', tool: 'read_page', arguments: { page: 'Shipyard' } },
      { type: 'approval', tool: 'create_page', arguments: { title: 'Tides', parent: 'Harbour' } },
      { type: 'text', text: 'I could not write.' },
    ]
    const titled = (title: string): object => ({ name: title, properties: { title: [{ text: { content: title } }] } })
    const { agents } = await server.seed({
      pages: [titled('Harbour'), titled('Shipyard')],
      agents: [{ name: 'Tide Watch', role: 'reader', pages: ['Harbour'], turns: [{ steps }] }],
    })
    expect((await start(agents['Tide Watch'] ?? ''))['status']).toBe('completed')
    expect(server).toHaveAgentTurn(agents['Tide Watch'] ?? '', {
      steps: [{ isError: false }, { isError: true }, { type: 'approval', isError: true, decision: null }, { type: 'text' }],
    })
  })

  it('fail at a scripted credit limit if they have no limit, like the personal agent', async () => {
    const turns = [{ steps: [{ type: 'credit_limit' }] }] as const
    const id = await server.createAgent({ name: 'Tide Watch', turns })
    expect(await start(id)).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
    await server.scriptTurns('service_ai', turns)
    const headers = { Authorization: `Bearer ${workspace.owner.token}` }
    const { body } = await call(workspace, 'createSession', { headers, body: { agent_id: 'service_ai', message: 'Now?' } })
    await server.settled()
    const session = await call(workspace, 'retrieveSession', { headers, path: { session_id: idOf(body) } })
    expect(session.body).toMatchObject({
      status: 'failed',
      error: { message: 'This agent has no credit limit, so it cannot exceed one.' },
    })
  })

  it.each([
    [{ name: '' }, 'agents[0].name.length should be ≥ `1`, instead was `0`.'],
    [{ name: 'x', role: 'captain' }, 'agents[0].role should be'],
    [{ name: 'x', credits: -1 }, 'agents[0].credits should be ≥ `0`, instead was `-1`.'],
    [{ name: 'x', color: 'red' }, 'agents[0].color should be not present'],
    [{ name: 'x', pages: ['log'] }, 'agents[0]: the seed contains no page "log".'],
    [{ name: 'x', turns: [{ steps: [] }] }, 'agents[0].turns[0].steps.length should be ≥ `1`'],
    [{ name: 'x', turns: [{ steps: [{ type: 'dance' }] }] }, 'agents[0].turns[0].steps[0].type should be'],
    [{ name: 'x', turns: [{ steps: [{ type: 'text' }] }] }, 'agents[0].turns[0].steps[0].text should be defined'],
    [{ name: 'x', turns: [{ steps: [{ type: 'error', code: 'boom' }] }] }, 'agents[0].turns[0].steps[0].code should be'],
  ])('are refused with the location of the error: %j', async (agent, message) => {
    const failure: unknown = await server.seed({ agents: [agent as SeedAgent] }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SeedError)
    expect((failure as SeedError).message).toContain(message)
    expect((await call(workspace, 'listAgents')).body['results']).toEqual([])
  })

  it('are refused in a seed if two of them have the same name', async () => {
    const twice = server.seed({ agents: [{ name: 'Tide Watch' }, { name: 'Tide Watch' }] })
    await expect(twice).rejects.toThrow('agents[1]: the seed contains another agent "Tide Watch".')
  })

  it('propose several writes at once, and continue after refusals', async () => {
    await makeHarbour()
    const write = (parent: string): ScriptStep => ({
      type: 'approval',
      tool: 'create_page',
      arguments: { title: 'Tides', parent },
    })
    const steps: ScriptStep[] = [write('Nowhere'), write('Harbour'), write('Harbour'), { type: 'text', text: 'Done.' }]
    const id = await server.createAgent({ name: 'Tide Watch', turns: [{ steps: [...steps, write('Harbour')] }] })
    const session = await start(id)
    expect(session['required_actions']).toHaveLength(2)
    const both = [0, 1].flatMap((index) => at(decision(session, index === 0 ? 'approve' : 'reject', index), 'actions'))
    const again = await talk({ session_id: idOf(session), actions: both })
    expect(again['status']).toBe('requires_action')
    expect((await talk(decision(again, 'approve')))['status']).toBe('completed')
    const decisions = [null, 'approve', 'reject'].map((made) => ({ type: 'approval', decision: made }))
    expect(server).toHaveAgentTurn(id, { steps: [...decisions, { text: 'Done.' }, { decision: 'approve' }], times: 1 })
  })

  it('cannot be scripted if they do not exist', async () => {
    await expect(server.scriptTurns('nobody', said('One'))).rejects.toThrow(UnknownAgent)
    await expect(server.scriptTurns('service_ai', [{ steps: [] }])).rejects.toThrow('body.turns[0].steps.length should be')
  })
})
