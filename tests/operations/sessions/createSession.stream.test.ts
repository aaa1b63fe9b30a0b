import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAgent } from '../../harness/agents.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { eventsOf, openStream, outline, stopped, talk, wholeStream, type SessionStream } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
let gate = Promise.withResolvers<void>()
agents.add('Think', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  yield { type: 'read', call: { callId: 'a', tool: 'look', arguments: {} }, settle: () => undefined }
  yield { type: 'partial', text: 'It' }
  await gate.promise
  yield { type: 'message', text: 'It is there.' }
})
agents.add(
  'Ask',
  proposing(() => randomUUID(), 'a line'),
)
agents.add('Much', async function* () {
  for (let count = 0; count < 250; count += 1) yield { type: 'message', text: `${count}` }
  await Promise.resolve()
})

const LARGE = 'x'.repeat(40_000)
agents.add('Flood', async function* () {
  for (let count = 0; count < 220; count += 1) yield { type: 'message', text: LARGE }
  await Promise.resolve()
})

let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: '8' }, undefined, agents)
  agent = await makeAgent(server)
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
})
afterAll(() => server.stop())

const numbers = (stream: SessionStream): unknown[] => stream.committed.map(({ sequence }) => sequence)
const kinds = (stream: SessionStream): string[] => stream.frames.map(({ type }) => type)

describe('createSession with a stream', () => {
  it('200 with the snapshot, each committed event, provisional text, and the end', async () => {
    gate.resolve()
    const stream = await wholeStream(server.url, { agent_id: agent, message: 'Think' })
    expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toStrictEqual([
      200,
      'text/event-stream',
      'no-store',
    ])
    expect(stream.frames[0]).toMatchObject({ type: 'session.snapshot', session: { agent_id: agent, title: 'Think' } })
    expect(outline(stream.committed)).toStrictEqual([
      'user.message Think',
      'session.status queued',
      'session.status in_progress',
      'agent.tool_use look',
      'agent.tool_result look',
      'agent.message It is there.',
      'session.status completed',
    ])
    // Thoughts are not streamed, but they are numbered.
    expect(numbers(stream)).toStrictEqual([1, 2, 3, 5, 6, 7, 8])
    expect(stream.committed.at(-1)?.['usage']).toStrictEqual({ total_tokens: 0, input_tokens: 0, output_tokens: 0 })
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed', last_sequence: 8 })
  })

  it('200 with the text so far under the id of the message that follows', async () => {
    const stream = await openStream(server.url, { agent_id: agent, message: 'Think' })
    const shown = await until(() =>
      Promise.resolve(stream.frames.find((frame) => frame.type === 'event.provisional' && frame.event.type === 'agent.message')),
    )
    expect(shown).toMatchObject({ event: { content: [{ type: 'text', text: 'It' }] } })
    expect(shown).not.toHaveProperty('event.sequence')
    gate.resolve()
    await stream.ended
    const written = stream.committed.find(({ type }) => type === 'agent.message')
    expect(shown).toMatchObject({ event: { id: written?.['id'] } })
    expect(
      (await eventsOf(server.owner, String(written?.['session_id']))).filter(({ type }) => type === 'agent.message'),
    ).toHaveLength(1)
  })

  it.each(['text/event-stream;q=0.9, application/json', 'application/json, text/event-stream'])(
    '200 with a stream for `Accept: %s`, and with a session otherwise',
    async (accept) => {
      const body = { agent_id: agent, message: 'Ahoy' }
      const stream = await wholeStream(server.url, body, { Accept: accept })
      expect([stream.headers['content-type'], kinds(stream).at(-1)]).toStrictEqual(['text/event-stream', 'stream.end'])
      const json = await server.owner.call('createSession', { body, headers: { Accept: 'application/json, */*' } })
      expect(json.body).toMatchObject({ object: 'session', status: 'queued' })
    },
  )

  it('200 with a stream that starts at the new message when it continues a session', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    const stream = await wholeStream(server.url, { session_id: String(id), message: 'Again' })
    expect(stream.frames[0]).toMatchObject({ type: 'session.snapshot', session: { id, title: 'Ahoy', status: 'queued' } })
    expect([numbers(stream), outline(stream.committed)[0]]).toStrictEqual([[6, 7, 8, 9, 10], 'user.message Again'])
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed', last_sequence: 10 })
  })

  it('200 with a stream that ends when the agent asks for a decision', async () => {
    const stream = await wholeStream(server.url, { agent_id: agent, message: 'Ask' })
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'requires_action' })
    expect(stream.committed.at(-1)).toMatchObject({ required_actions: [{ title: 'Write a line' }] })
  })

  it('400 as JSON when the message is refused', async () => {
    await expect(openStream(server.url, { agent_id: agent, message: '' })).rejects.toThrow('body.message.length')
    await expect(openStream(server.url, { agent_id: randomUUID(), message: 'x' })).rejects.toThrow('object_not_found')
  })

  it('200 with a turn that continues when the stream is disconnected', async () => {
    const stream = await openStream(server.url, { agent_id: agent, message: 'Think' })
    const [snapshot] = await until(() => Promise.resolve(stream.frames.length > 0 ? stream.frames : undefined))
    stream.drop()
    gate.resolve()
    const id = snapshot?.type === 'session.snapshot' ? snapshot.session.id : ''
    expect(await stopped(server.owner, id)).toMatchObject({ status: 'completed' })
  })
})

describe('following a session', () => {
  it('replays the events after a given one, by id or number, and ends at once when the session has stopped', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    await talk(server.owner, { session_id: String(id), message: 'Again' })
    const all = await wholeStream(server.url, { session_id: String(id), continue_from: '0' })
    expect(numbers(all)).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(all.frames[0]).toMatchObject({ type: 'session.snapshot', session: { status: 'completed' } })
    for (const from of ['7', String(all.committed[6]?.['id'])]) {
      const rest = await wholeStream(server.url, { session_id: String(id), continue_from: from })
      expect(numbers(rest)).toStrictEqual([8, 9, 10])
    }
    const nothing = await wholeStream(server.url, { session_id: String(id), continue_from: '10' })
    expect(kinds(nothing)).toStrictEqual(['session.snapshot', 'stream.end'])
    expect(nothing.frames[1]).toMatchObject({ status: 'completed', last_sequence: 10 })
    for (const continue_from of ['11', randomUUID()])
      await expect(openStream(server.url, { session_id: String(id), continue_from })).rejects.toThrow('body.continue_from')
  })

  it('sends the committed events to the first stream, and those after `continue_from` to a later one', async () => {
    const first = await openStream(server.url, { agent_id: agent, message: 'Think' })
    await until(() => Promise.resolve(first.committed.length >= 5 ? true : undefined))
    const id = String(first.committed[0]?.['session_id'])
    const second = await openStream(server.url, { session_id: id, continue_from: '3' })
    gate.resolve()
    await Promise.all([first.ended, second.ended])
    expect(numbers(first)).toStrictEqual([1, 2, 3, 5, 6, 7, 8])
    expect(numbers(second)).toStrictEqual([5, 6, 7, 8])
  })

  it('neither loses nor repeats events that arrive at the same time', async () => {
    const live = await openStream(server.url, { agent_id: agent, message: 'Much' })
    await live.ended
    const replayed = await wholeStream(server.url, { session_id: String(live.committed[0]?.['session_id']), continue_from: '0' })
    const expected = Array.from({ length: 254 }, (_, index) => index + 1)
    expect(numbers(live)).toStrictEqual(expected)
    expect(numbers(replayed)).toStrictEqual(expected)
  })
})

it('a client that pauses reading receives the whole stream later', async () => {
  const slow = await openStream(server.url, { agent_id: agent, message: 'Flood' })
  slow.pause()
  await until(async () => {
    const { body } = await server.owner.call('querySessions', { body: { query: 'flood' } })
    return resultsOf(body)[0]?.['status'] === 'completed' ? true : undefined
  })
  slow.resume()
  await slow.ended
  expect(numbers(slow)).toStrictEqual(Array.from({ length: 224 }, (_, index) => index + 1))
})

it('a repeat with the same key opens a new stream of the same session, without a second turn', async () => {
  const [headers, body] = [{ 'Idempotency-Key': randomUUID() }, { agent_id: agent, message: 'Ahoy' }]
  const first = await wholeStream(server.url, body, headers)
  const second = await wholeStream(server.url, body, headers)
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toStrictEqual([undefined, 'true'])
  expect(numbers(second)).toStrictEqual(numbers(first))
  expect(second.frames[0]).toMatchObject({ session: { id: first.committed[0]?.['session_id'], status: 'completed' } })
  const json = await server.owner.call('createSession', { body, headers })
  expect([json.headers['idempotency-replayed'], idOf(json.body)]).toStrictEqual(['true', first.committed[0]?.['session_id']])
})

it('open streams do not count toward the limit of requests in flight', async () => {
  const open: SessionStream[] = []
  while (open.length < 12) open.push(await openStream(server.url, { agent_id: agent, message: 'Think' }))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(/workspace_open_streams (\d+)/.exec(metrics)?.[1]).toBe('12')
  expect((await server.owner.call('retrieveMe')).status).toBe(200)
  gate.resolve()
  await Promise.all(open.map(({ ended }) => ended))
})

it('a silent stream sends heartbeats, and ends at its time limit while the turn continues', async () => {
  const brief = await startTestServer({ STREAM_SECONDS_MAX: '3', STREAM_HEARTBEAT_SECONDS: '1' }, undefined, agents)
  const stream = await wholeStream(brief.url, { agent_id: await makeAgent(brief), message: 'Think' })
  const id = String(stream.committed[0]?.['session_id'])
  expect(stream.heartbeats).toBeGreaterThan(0)
  expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.timeout', session_id: id })
  gate.resolve()
  const rest = await wholeStream(brief.url, { session_id: id, continue_from: String(stream.committed.at(-1)?.['id']) })
  expect(rest.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
  expect(numbers(stream).concat(numbers(rest))).toStrictEqual([1, 2, 3, 5, 6, 7, 8])
  await brief.stop()
})
