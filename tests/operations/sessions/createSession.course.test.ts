import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { RunInput } from '../../../server/domain/agents/runtime.ts'
import { deleteAgentAccess, setAgentAccess } from '../../../server/store/agent_access.ts'
import { changeAgent, makeAgent } from '../../harness/agents.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { children, makePage, plainTexts } from '../../harness/content.ts'
import { upload } from '../../harness/files.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { startTestServer, TestClock, type TestServer } from '../../harness/server.ts'
import {
  decision,
  eventsOf,
  openStream,
  outline,
  proposing,
  ScriptedAgents,
  stopped,
  talk,
  wholeStream,
} from '../../harness/sessions.ts'

/** The course of turns: their input, their output, and what ends them. */

const agents = new ScriptedAgents()
const seen: RunInput[] = []
agents.add('Look', async function* (input) {
  seen.push(input)
  yield { type: 'message', text: 'Seen.' }
  await Promise.resolve()
})
let gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})
agents.add('Begin', async function* () {
  yield { type: 'partial', text: 'I wou' }
  await gate.promise
  yield { type: 'failed', code: 'runtime_unavailable', message: 'Away.', retryable: true }
})
let spent = 0
agents.add('Type', async function* () {
  const began = performance.now()
  for (let count = 1; count <= 60; count += 1) {
    yield { type: 'partial', text: 'x'.repeat(count) }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  spent = performance.now() - began
  yield { type: 'message', text: 'x'.repeat(60) }
})
let page: string
agents.add(
  'Write',
  proposing(() => page, 'a line'),
)

const held = Promise.withResolvers<void>()
/** Pauses for long after writing. */
agents.add('Ponder', async function* (input, signal) {
  if (input.settled.length > 0) await held.promise
  yield* proposing(() => page, 'a line')(input, signal)
})

const clock = new TestClock()
let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, clock, agents)
  agent = await makeAgent(server)
  page = await makePage(server.owner)
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
  agents.onWritten = () => Promise.resolve()
})
afterAll(async () => {
  gate.resolve()
  held.resolve()
  await server.stop()
})

/** A connection that may see and run the agent. */
async function guest(): Promise<TestConnection> {
  const made = await makeConnection(server, { capabilities: ['read_content', 'insert_content'] })
  const access = { agentId: agent, subjectId: made.botId, level: 1, sharedBy: null } as const
  await server.service.database.write((db) => setAgentAccess(db, exampleWorkspace.workspace.id, access, clock.now()))
  return made
}
const withdraw = ({ botId }: TestConnection): Promise<boolean> =>
  server.service.database.write((db) => deleteAgentAccess(db, exampleWorkspace.workspace.id, agent, botId))

describe('a turn of an agent', () => {
  it('uses the instructions and the model published at its start, while the session names its first model', async () => {
    const own = await makeAgent(server, { instructions: 'First.', model: { mode: 'pinned', id: 'oak' } })
    const { id } = await talk(server.owner, { agent_id: own, message: 'Look' })
    const models = { type: 'pinned', ids: ['oak'] }
    const next = { settings: { instructions: 'Second.', model: { mode: 'auto' } } } as const
    await changeAgent(server, own, next)
    const draft = await talk(server.owner, { session_id: String(id), message: 'Look again' })
    await changeAgent(server, own, { publish: true })
    const published = await talk(server.owner, { session_id: String(id), message: 'Look once more' })
    expect(seen.slice(-3).map((input) => input.agent.instructions)).toStrictEqual(['First.', 'First.', 'Second.'])
    expect([draft, published]).toMatchObject([
      { models, agent_version: { number: 1 } },
      { models, agent_version: { number: 2 } },
    ])
  })

  it('may use a pinned model without a name', async () => {
    const own = await makeAgent(server, { model: { mode: 'pinned', id: null } })
    expect(await talk(server.owner, { agent_id: own, message: 'Look' })).toMatchObject({
      models: { type: 'pinned', ids: [null] },
    })
  })

  it('hides the `prompt_context` of its message from later turns and from readers', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Look', prompt_context: 'A whisper' })
    await talk(server.owner, { session_id: String(id), message: 'Look again' })
    const [first, second] = seen.slice(-2)
    expect([first?.message.promptContext, second?.message.promptContext]).toStrictEqual(['A whisper', undefined])
    expect(JSON.stringify([second, await eventsOf(server.owner, String(id))])).not.toContain('A whisper')
  })

  it('accepts a message of maximum size in every member', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}`.padStart(64, 'k'), 'v'.repeat(512)]))
    const message = `Look${'⛵'.repeat(9_996)}`
    const file_upload = { id: await upload(server.owner, 'M20', 'bolts.txt') }
    const attachments = Array.from({ length: 100 }, () => ({ file_upload }))
    const body = { agent_id: agent, message, prompt_context: 'x'.repeat(10_000), metadata, attachments }
    const { id } = await talk(server.owner, body)
    expect(seen.at(-1)?.message.attachments).toHaveLength(100)
    const [first] = await eventsOf(server.owner, String(id))
    expect(first).toMatchObject({ metadata })
    expect(textAt(first ?? {}, 'content', 0, 'text')).toBe(message)
    expect(first?.['content']).toHaveLength(101)
  })
})

describe('the stream of a turn', () => {
  it('names the files of a message by id, after the text and in order, with metadata', async () => {
    const files = [await upload(server.owner, 'M20', 'bolts.txt'), await upload(server.owner, 'M16', 'nuts.txt')]
    const attachments = files.map((id) => ({ file_upload: { id } }))
    const stream = await wholeStream(server.url, {
      agent_id: agent,
      message: 'Look',
      attachments,
      metadata: { user_id: 'crm-1' },
    })
    expect(stream.committed[0]).toMatchObject({
      type: 'user.message',
      content: [{ type: 'text', text: 'Look' }, ...files.map((file_id) => ({ type: 'file', file_id }))],
      metadata: { user_id: 'crm-1' },
    })
    const plain = await wholeStream(server.url, { agent_id: agent, message: 'Look' })
    expect(plain.committed[0]).not.toHaveProperty('metadata')
  })

  it("contains usage and artifacts, which lists omit; its last event sets the session's update time", async () => {
    const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
    clock.advance(60_000)
    const stream = await wholeStream(server.url, decision(session, 'approve'))
    const last = stream.committed.at(-1)
    expect(last).toMatchObject({ status: 'completed', usage: { total_tokens: 0 }, artifacts: [{ type: 'page' }] })
    const listed = (await eventsOf(server.owner, String(session['id']))).at(-1)
    expect(listed).toMatchObject({ id: last?.['id'], status: 'completed', created_at: last?.['created_at'] })
    for (const name of ['usage', 'artifacts']) expect(listed).not.toHaveProperty(name)
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ updated_at: last?.['created_at'] })
  })

  it('announces the use of a tool under the id of the later event', async () => {
    const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
    const stream = await wholeStream(server.url, decision(session, 'approve'))
    const [announced] = stream.frames.filter(({ type }) => type === 'event.provisional')
    const use = stream.committed.find(({ type }) => type === 'agent.tool_use')
    expect(announced).toMatchObject({ event: { id: use?.['id'], type: 'agent.tool_use', tool_name: 'write' } })
  })

  it('drops the text of a turn that failed while writing', async () => {
    const stream = await openStream(server.url, { agent_id: agent, message: 'Begin' })
    const shown = await until(() => Promise.resolve(stream.frames.find(({ type }) => type === 'event.provisional')))
    gate.resolve()
    await stream.ended
    expect(shown).toMatchObject({ event: { content: [{ text: 'I wou' }] } })
    const id = String(stream.committed[0]?.['session_id'])
    const listed = await eventsOf(server.owner, id)
    expect(outline(listed)).toStrictEqual(['user.message Begin', 'session.status failed'])
    const replayed = await wholeStream(server.url, { session_id: id, continue_from: '0' })
    expect(replayed.frames.filter(({ type }) => type === 'event.provisional')).toStrictEqual([])
    expect(replayed.committed.at(-1)).toMatchObject({ error: { code: 'runtime_unavailable', retryable: true } })
  })

  it('sends growing text at most five times a second, and then as a whole', async () => {
    const stream = await wholeStream(server.url, { agent_id: agent, message: 'Type' })
    const shown = stream.frames.filter(({ type }) => type === 'event.provisional')
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.length).toBeLessThanOrEqual(1 + spent / 200)
    expect(stream.committed.at(-2)).toMatchObject({ content: [{ text: 'x'.repeat(60) }] })
  })
})

describe('querySessions after a change of access', () => {
  it('200 without totals for a session whose creator has lost access to the agent; a further message gets 404', async () => {
    const caller = await guest()
    const { id } = await talk(caller.caller, { agent_id: agent, message: 'Look' })
    await withdraw(caller)
    const path = { session_id: String(id) }
    expect((await caller.caller.call('retrieveSession', { path })).body).toMatchObject({ id, message_count: null })
    expect(resultsOf((await caller.caller.call('querySessions')).body)).toMatchObject([{ id }])
    expect(await eventsOf(caller.caller, String(id))).toHaveLength(3)
    expect(await caller.caller.call('createSession', { body: { session_id: String(id), message: 'Look' } })).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining(agent) as string },
    })
  })
})

describe('the end of a turn', () => {
  it('comes before the next step when the agent is no longer shared with the caller', async () => {
    const caller = await guest()
    const { body } = await caller.caller.call('createSession', { body: { agent_id: agent, message: 'Wait' } })
    const id = idOf(body)
    await until(async () => ((await eventsOf(server.owner, id)).length === 2 ? true : undefined))
    await withdraw(caller)
    gate.resolve()
    expect(await stopped(server.owner, id)).toMatchObject({ status: 'terminated', error: { retryable: false } })
    expect(outline(await eventsOf(server.owner, id))).not.toContain('agent.message At last.')
  })

  it('does not come while a person decides, however long that takes', async () => {
    const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
    clock.advance(3_600_000)
    await server.owner.call('createSession', { body: decision(session, 'approve') })
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'completed' })
  })

  it('waits, after a cancellation, for a write in progress, which is kept as a whole', async () => {
    page = await makePage(server.owner)
    const writing = Promise.withResolvers<void>()
    agents.onWritten = async () => {
      writing.resolve()
      await gate.promise
    }
    const session = await talk(server.owner, { agent_id: agent, message: 'Ponder' })
    await server.owner.call('createSession', { body: decision(session, 'approve') })
    await writing.promise
    const response = server.owner.call('cancelSession', { path: { session_id: String(session['id']) } })
    // The cancellation may come before or after the end of the write, but its response never comes in between.
    gate.resolve()
    const { status, body } = await response
    expect([status, body['status']]).toStrictEqual([200, 'canceled'])
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['a line'])
    const kinds = (await eventsOf(server.owner, String(session['id']))).slice(-3).map((event) => outline([event])[0])
    expect(kinds).toStrictEqual(['agent.tool_use write', 'agent.tool_result write', 'session.status canceled'])
  })
})

it('createSession: 400 for an invalid decision beside a valid one, and both stay open', async () => {
  const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
  const action_id = textAt(session, 'required_actions', 0, 'action_id')
  const actions = [
    { action_id, option_id: 'approve' },
    { action_id: exampleWorkspace.workspace.id, option_id: 'approve' },
  ]
  const body: JsonObject = { session_id: String(session['id']), actions }
  const response = await server.owner.call('createSession', { body })
  expect(response).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('body.actions[1].action_id') as string },
  })
  // An invalid decision leaves the others undecided.
  const { body: after } = await server.owner.call('retrieveSession', { path: { session_id: String(session['id']) } })
  expect(after).toMatchObject({ status: 'requires_action', required_actions: [{ action_id }] })
})
