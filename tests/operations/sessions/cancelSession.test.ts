import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setAgentAccess } from '../../../server/store/agent_access.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { children, makePage, plainTexts } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { decision, eventsOf, openStream, outline, talk } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
let gate = Promise.withResolvers<void>()
let hasCounted = Promise.withResolvers<void>()
let wasStopped = Promise.withResolvers<void>()
agents.add('Wait', async function* (_input, signal) {
  signal.addEventListener('abort', () => wasStopped.resolve())
  yield { type: 'thinking', text: 'Hm.' }
  yield { type: 'usage', inputTokens: 1_500, outputTokens: 500 }
  hasCounted.resolve()
  await gate.promise
  yield { type: 'message', text: 'Too late.' }
})
let page: string
agents.add(
  'Write',
  proposing(() => page, 'a line'),
)

let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({}, undefined, agents)
  agent = await makeAgent(server)
  page = await makePage(server.owner)
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
  hasCounted = Promise.withResolvers<void>()
  wasStopped = Promise.withResolvers<void>()
})
afterAll(() => server.stop())

const cancel = (id: string, body?: JsonObject, caller = server.owner): Promise<TestResponse> =>
  caller.call('cancelSession', { path: { session_id: id }, ...(body === undefined ? {} : { body }) })

/** A session with a running turn. */
async function thinking(): Promise<string> {
  const { body } = await server.owner.call('createSession', { body: { agent_id: agent, message: 'Wait' } })
  await until(async () => ((await eventsOf(server.owner, idOf(body))).length === 2 ? true : undefined))
  return idOf(body)
}

describe('cancelSession', () => {
  it('200 with the usage before the cancellation charged once', async () => {
    const id = await thinking()
    await hasCounted.promise
    expect((await cancel(id)).status).toBe(200)
    const creditsOf = async (): Promise<unknown> =>
      (await server.owner.call('retrieveSession', { path: { session_id: id } })).body['credits_used']
    await until(async () => ((await creditsOf()) === 0 ? undefined : true))
    await talk(server.owner, { session_id: id, message: 'Ahoy' })
    expect(await creditsOf()).toBe(2.02)
  })

  it('200 with the session; the turn writes nothing afterwards, and the runtime stops', async () => {
    const id = await thinking()
    const { status, body } = await cancel(id)
    expect([status, body]).toMatchObject([200, { object: 'session', id, status: 'canceled' }])
    const before = await eventsOf(server.owner, id)
    expect(outline(before)).toStrictEqual(['user.message Wait', 'agent.thinking Hm.', 'session.status canceled'])
    await wasStopped.promise
    gate.resolve()
    // The next turn runs once this one has released the session.
    await talk(server.owner, { session_id: id, message: 'Ahoy' })
    expect(outline((await eventsOf(server.owner, id)).slice(3))).toStrictEqual([
      'user.message Ahoy',
      'agent.message Echo: Ahoy',
      'session.status completed',
    ])
  })

  it('200 and the streams of the turn end', async () => {
    const stream = await openStream(server.url, { agent_id: agent, message: 'Wait' })
    await until(() => Promise.resolve(stream.committed.length >= 3 ? true : undefined))
    await cancel(String(stream.committed[0]?.['session_id']))
    await stream.ended
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'canceled' })
  })

  it('200 with pending proposals withdrawn, and 409 for a later approval', async () => {
    const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
    const response = await cancel(String(session['id']), {})
    expect(response.body).toMatchObject({ status: 'canceled' })
    expect(response.body).not.toHaveProperty('required_actions')
    expectError(await server.owner.call('createSession', { body: decision(session, 'approve') }), 409, 'conflict_error')
    expect(plainTexts(await children(server.owner, page))).toStrictEqual([])
  })

  it('200 for an event of the turn, and for a session that is already canceled', async () => {
    const id = await thinking()
    const [message] = await eventsOf(server.owner, id)
    for (let times = 0; times < 2; times += 1)
      expect((await cancel(id, { event_id: String(message?.['id']) })).body).toMatchObject({ status: 'canceled' })
    expect(await eventsOf(server.owner, id)).toHaveLength(3)
  })
})

describe('cancelSession of other turns', () => {
  it('409 when the turn has stopped, or the event belongs to an earlier turn', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    expectError(await cancel(String(id)), 409, 'conflict_error', '`completed`')
    const [earlier] = await eventsOf(server.owner, String(id))
    await server.owner.call('createSession', { body: { session_id: String(id), message: 'Wait' } })
    expectError(await cancel(String(id), { event_id: String(earlier?.['id']) }), 409, 'conflict_error')
    expect((await cancel(String(id))).body).toMatchObject({ status: 'canceled' })
  })

  it('400 when the session does not contain the event', async () => {
    const id = await thinking()
    for (const event_id of [randomUUID(), 'none', '1']) expectInvalid(await cancel(id, { event_id }), 'body.event_id')
    await cancel(id)
  })

  it('404 when the session is missing or not shared, and 403 without the capability to insert content', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    const stranger = await makeConnection(server, { capabilities: ['insert_content'] })
    for (const one of [randomUUID(), String(id)]) expectNotFound(await cancel(one, {}, stranger.caller), one)
    const reader = await makeConnection(server, { capabilities: ['read_content'] })
    await server.service.database.write((db) =>
      setAgentAccess(db, exampleWorkspace.workspace.id, { agentId: agent, subjectId: reader.botId, level: 3, sharedBy: null }, 0),
    )
    expectError(await cancel(String(id), {}, reader.caller), 403, 'restricted_resource')
  })
})
