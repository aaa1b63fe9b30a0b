import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { Caller } from '../../harness/caller.ts'
import { children, plainTexts } from '../../harness/content.ts'
import { makeMember } from '../../harness/connections.ts'
import { callsTools, MODEL_KEY, respondsWith, startModelServer, status, type ModelServer } from '../../harness/model_server.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { decision, eventsOf, stopped, talk } from '../../harness/sessions.ts'

/** Agents whose responses an external model generates. */

let model: ModelServer
let server: TestServer
let ines: Caller
beforeAll(async () => {
  model = await startModelServer()
  server = await startTestServer({
    AGENT_MODEL_URL: model.endpoint.url,
    AGENT_MODEL_NAME: 'house-model=remote/model-1',
    AGENT_MODEL_KEY: MODEL_KEY,
  })
  ines = await makeMember(server, exampleWorkspace.people[0].id)
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

it('a model at an endpoint receives tool results, and its response is stored under its public name', async () => {
  model.respond(callsTools({ tool: 'search_workspace', arguments: { terms: ['launch'] } }), respondsWith('On the morning tide.'))
  const session = await talk(ines, { message: 'When is the launch?' })
  expect(session).toMatchObject({ status: 'completed', tool_types: ['search_workspace'] })
  const events = await eventsOf(ines, String(session['id']))
  expect(events.map(({ type }) => type)).toStrictEqual([
    'user.message',
    'agent.tool_use',
    'agent.tool_result',
    'agent.message',
    'session.status',
  ])
  expect(events[3]).toMatchObject({ content: [{ text: 'On the morning tide.' }], metadata: { model: 'house-model' } })
  const messages = model.requests.at(-1)?.body['messages'] as { role: string; content: string }[]
  expect(messages.at(-1)?.content).toContain('Launch day plan')
  // Only the model sees the input and results of tools.
  expect(JSON.stringify(events)).not.toContain('Launch day plan')
})

it('a write proposed by a model waits for approval, and the turn continues with the result', async () => {
  const append = { tool: 'append_blocks', arguments: { page: exampleWorkspace.pages.checklist, text: 'Two buckets' } }
  model.respond(
    callsTools(append, { ...append, arguments: { page: exampleWorkspace.pages.checklist, text: 'One mop' } }),
    respondsWith('Noted.'),
  )
  const session = await talk(ines, { message: 'Put two buckets and a mop on the checklist.' })
  expect(session['required_actions']).toMatchObject([
    { title: expect.stringContaining('Append "Two buckets" to') as string },
    { title: expect.stringContaining('Append "One mop" to') as string },
  ])
  const [first, second] = session['required_actions'] as { action_id: string }[]
  const actions = [
    { action_id: first?.action_id ?? '', option_id: 'approve' },
    { action_id: second?.action_id ?? '', option_id: 'reject' },
  ]
  await ines.call('createSession', { body: { ...decision(session, 'approve'), actions } })
  expect(await stopped(ines, String(session['id']))).toMatchObject({ status: 'completed' })
  expect(plainTexts(await children(ines, exampleWorkspace.pages.checklist)).at(-1)).toBe('Two buckets')
  const messages = model.requests.at(-1)?.body['messages'] as { role: string; content: string }[]
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  expect(results).toEqual([expect.stringContaining('"url"'), 'rejected by the user'])
})

it("a refused key ends the turn without revealing the endpoint's message", async () => {
  model.respond(status(401))
  const session = await talk(ines, { message: 'Are you there?' })
  const error = { code: 'runtime_unauthorized', message: 'The model endpoint refused the key of this service.', retryable: false }
  expect(session).toMatchObject({ status: 'failed', error })
  expect(JSON.stringify(await eventsOf(ines, String(session['id'])))).not.toMatch(/secret words|key-of/)
})

it('a model that repeatedly calls tools with errors ends the turn with tool_failed', async () => {
  const wrong = callsTools({ tool: 'search_workspace', arguments: { terms: 'ferry' } })
  model.respond(wrong, wrong, wrong)
  const session = await talk(ines, { message: 'Which ferry?' })
  expect(session).toMatchObject({ status: 'failed', error: { code: 'tool_failed', retryable: false } })
})

it('a model that never finishes is called at most twelve times', async () => {
  const before = model.requests.length
  const call = callsTools({ tool: 'search_workspace', arguments: { terms: ['ferry'] } })
  model.respond(...Array.from({ length: 12 }, () => call))
  const session = await talk(ines, { message: 'Search on and on.' })
  expect(session).toMatchObject({ status: 'failed', error: { code: 'output_limit', retryable: false }, tool_call_count: 12 })
  expect(model.requests.length - before).toBe(12)
})

it('an agent keeps the embedded model if pinned to it, and fails if pinned to an unknown model', async () => {
  const before = model.requests.length
  const run = async (id: string): Promise<unknown> => {
    const agent_id = await makeAgent(server, { model: { mode: 'pinned', id } }, [[{ everybody: true }, 'full']])
    return talk(ines, { agent_id, message: 'Where is the submarine?' })
  }
  expect(await run('embedded-extractive-1')).toMatchObject({ status: 'completed' })
  expect(await run('remote/model-1')).toMatchObject({ status: 'failed', error: { code: 'agent_error' } })
  expect(model.requests).toHaveLength(before)
})
