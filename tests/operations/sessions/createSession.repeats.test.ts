import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { makeAgent } from '../../harness/agents.ts'
import { expectError } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { openStream, ScriptedAgents, stopped, wholeStream } from '../../harness/sessions.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Repeating a message with its key. */

const gate = Promise.withResolvers<void>()
const agents = new ScriptedAgents()
let runs = 0
agents.add('Wait', async function* () {
  runs += 1
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})

const server = await serverOfFile({}, undefined, agents)
const agent = await makeAgent(server)
afterAll(() => gate.resolve())

it('a repeated message opens another stream during its turn and starts no second turn; other messages are refused', async () => {
  const headers = { 'Idempotency-Key': randomUUID() }
  const body = { agent_id: agent, message: 'Wait for the tide' }
  const first = await openStream(server.url, body, headers)
  const repeats = [await openStream(server.url, body, headers), await openStream(server.url, body, headers)]
  expect(repeats.map(({ status }) => status)).toEqual([200, 200])
  const json = await server.owner.call('createSession', { body, headers })
  expect([json.status, json.headers['idempotency-replayed']]).toEqual([200, 'true'])
  const other = await server.owner.call('createSession', { body: { ...body, message: 'Wait for the crew' }, headers })
  expectError(other, 409, 'idempotency_key_reused')
  gate.resolve()
  const streams = [first, ...repeats]
  await Promise.all(streams.map(({ ended }) => ended))
  expect(await stopped(server.owner, idOf(json.body))).toMatchObject({ status: 'completed', runs_completed: 1 })
  expect(runs).toBe(1)
  for (const { frames } of streams) {
    expect(frames[0]).toMatchObject({ type: 'session.snapshot', session: { id: idOf(json.body) } })
    expect(frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
  }
  const numbers = streams.map(({ committed }) => committed.map(({ sequence }) => sequence))
  expect(numbers[1]).toEqual(numbers[0])
  expect(numbers[2]).toEqual(numbers[0])
})

it('a repeated message opens a stream that begins with the message, even after the session has continued', async () => {
  const headers = { 'Idempotency-Key': randomUUID() }
  const body = { agent_id: agent, message: 'Ahoy' }
  const first = await wholeStream(server.url, body, headers)
  const session_id = String(first.committed[0]?.['session_id'])
  await wholeStream(server.url, { session_id, message: 'Ahoy again' })
  const repeat = await wholeStream(server.url, body, headers)
  expect(repeat.committed[0]).toEqual(first.committed[0])
  expect(repeat.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
})
