import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeAgent, makeAgent } from '../../harness/agents.ts'
import { idOf } from '../../harness/json.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { stopped, talk } from '../../harness/sessions.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const agents = new ScriptedAgents()
const gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'thinking', text: 'Waiting.' }
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})
agents.add(
  'Propose',
  proposing(() => 'nowhere', 'x'),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({}, undefined, agents)
})
afterAll(async () => {
  gate.resolve()
  await server.stop()
})

const WAYS: readonly (readonly [string, string, (id: string) => Promise<unknown>])[] = [
  [
    'updateAgentStatus',
    'agent_disabled',
    (id) => server.owner.call('updateAgentStatus', { path: { agent_id: id }, body: { status: 'disabled' } }),
  ],
  ['an administrator', 'agent_disabled', (id) => changeAgent(server, id, { pauseReason: 'disabled_by_service' })],
  ['deleteAgent', 'agent_deleted', (id) => server.owner.call('deleteAgent', { path: { agent_id: id } })],
]

it.each(WAYS)('%s ends turns that run or wait as terminated, with %s, and others stay', async (_way, code, stop) => {
  const id = await makeAgent(server)
  const over = await talk(server.owner, { agent_id: id, message: 'Hello' })
  const waiting = await talk(server.owner, { agent_id: id, message: 'Propose a page' })
  expect(waiting['status']).toBe('requires_action')
  const running = await server.owner.call('createSession', { body: { agent_id: id, message: 'Wait' } })
  await stop(id)
  for (const session of [idOf(waiting), idOf(running.body)])
    expect(await stopped(server.owner, session)).toMatchObject({ status: 'terminated', error: { code, retryable: false } })
  expect(await stopped(server.owner, idOf(over))).toMatchObject({ status: 'completed' })
})
