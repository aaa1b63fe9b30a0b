import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { pauseAgent } from '../../../server/domain/agents/pause_agent.ts'
import { setAgentAccess } from '../../../server/store/agent_access.ts'
import { setAgentState } from '../../../server/store/agent_states.ts'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { makeAgent } from '../../harness/agents.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { startTestServer, TestClock, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { decision, eventsOf, openStream, outline, stopped, talk, wholeStream } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
let gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})
agents.add('Fail', async function* () {
  yield { type: 'usage', inputTokens: 7, outputTokens: 2 }
  yield { type: 'failed', code: 'output_limit', message: 'Too long.', retryable: false }
  await Promise.resolve()
})
let breaks = 0
agents.add('Break', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  breaks += 1
  throw new Error('a fault of the runtime')
})
agents.add('Stumble', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  yield { type: 'read', call: { callId: 'a', tool: 'look', arguments: {} }, settle: () => undefined }
  yield { type: 'message', text: 'First.' }
  breaks += 1
  if (breaks === 1) throw new Error('a fault of the runtime')
  yield { type: 'message', text: 'Second.' }
})
agents.add('Spend', async function* () {
  yield { type: 'usage', inputTokens: 1_500, outputTokens: 500 }
  yield { type: 'message', text: 'Dear.' }
  await Promise.resolve()
})
agents.add(
  'Ask',
  proposing(() => '', 'a line'),
)

const clock = new TestClock()
let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, clock, agents)
  agent = await makeAgent(server)
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
  breaks = 0
})
afterAll(async () => {
  gate.resolve()
  await server.stop()
})

/** A session with a running turn. */
async function thinking(message = 'Wait', caller = server.owner, agentId = agent): Promise<string> {
  const { body } = await caller.call('createSession', { body: { agent_id: agentId, message } })
  await until(async () => ((await eventsOf(server.owner, idOf(body))).length === 2 ? true : undefined))
  return idOf(body)
}

/** Advances the clock until the turn has stopped, since retries wait. */
async function stoppedInTime(id: string): Promise<JsonObject> {
  for (;;) {
    const { body } = await server.owner.call('retrieveSession', { path: { session_id: id } })
    if (body['status'] !== 'queued' && body['status'] !== 'in_progress') return body
    clock.advance(1_000)
    await pause(20)
  }
}

describe('a turn that fails', () => {
  it('returns the reason and its usage, and its session accepts another message', async () => {
    const stream = await wholeStream(server.url, { agent_id: agent, message: 'Fail' })
    const error = { code: 'output_limit', message: 'Too long.', retryable: false }
    expect(stream.committed.at(-1)).toMatchObject({ status: 'failed', error, usage: { total_tokens: 9 } })
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'failed' })
    const id = String(stream.committed[0]?.['session_id'])
    expect(await stopped(server.owner, id)).toMatchObject({ status: 'failed', error, runs_completed: 0, credits_used: 0.01 })
    const next = await talk(server.owner, { session_id: id, message: 'Ahoy' })
    expect(next).toMatchObject({ status: 'completed', runs_completed: 1 })
    expect(next).not.toHaveProperty('error')
  })

  it('has the error agent_error when no runtime has the model of the agent', async () => {
    const strange = await makeAgent(server, { model: { mode: 'pinned', id: 'nobody-serves-this' } })
    expect(await talk(server.owner, { agent_id: strange, message: 'Ahoy' })).toMatchObject({
      status: 'failed',
      error: { code: 'agent_error', retryable: false },
      models: { type: 'pinned', ids: ['nobody-serves-this'] },
    })
  })

  it('has the retryable error agent_error after two interruptions', async () => {
    const { body } = await server.owner.call('createSession', { body: { agent_id: agent, message: 'Break' } })
    expect(await stoppedInTime(idOf(body))).toMatchObject({ status: 'failed', error: { code: 'agent_error', retryable: true } })
    expect(breaks).toBe(2)
  })

  it('continues after one interruption from its last committed step, and repeats nothing', async () => {
    agents.executed.length = 0
    const { body } = await server.owner.call('createSession', { body: { agent_id: agent, message: 'Stumble' } })
    expect(await stoppedInTime(idOf(body))).toMatchObject({ status: 'completed', tool_call_count: 1, message_count: 3 })
    expect(outline(await eventsOf(server.owner, idOf(body)))).toStrictEqual([
      'user.message Stumble',
      'agent.thinking Hm.',
      'agent.tool_use look',
      'agent.tool_result look',
      'agent.message First.',
      'agent.message Second.',
      'session.status completed',
    ])
    expect(agents.executed).toStrictEqual(['look'])
  })
})

describe('the time limit of a turn', () => {
  const SECOND = 1_000

  /**
   * Advances the clock to just before a limit, and then by the last millisecond.
   * @returns the session before and after
   */
  async function passing(id: string, milliseconds: number): Promise<[status: unknown, after: JsonObject]> {
    const read = async (): Promise<JsonObject> => (await server.owner.call('retrieveSession', { path: { session_id: id } })).body
    clock.advance(milliseconds - 1)
    // All due jobs run now, including this turn.
    await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    const before = (await read())['status']
    clock.advance(1)
    return [before, await until(async () => ((await read())['status'] === 'failed' ? read() : undefined))]
  }

  it('is exactly 300 seconds in the queue', async () => {
    const id = await thinking()
    // As if no process had claimed the turn, or would claim it soon.
    await server.service.database.write(async (db) => {
      await db.run(`update sessions set status = 'queued' where id = ?`, id)
      await db.run(`update jobs set due_time = due_time + 86400000 where kind = 'session turn'`)
    })
    const [before, session] = await passing(id, 300 * SECOND)
    expect([before, session]).toMatchObject(['queued', { error: { code: 'service_unavailable', retryable: true } }])
  })

  it('is exactly 600 seconds of work', async () => {
    const [before, session] = await passing(await thinking(), 600 * SECOND)
    expect([before, session]).toMatchObject(['in_progress', { error: { code: 'runtime_timeout', retryable: true } }])
  })

  it('is exactly 24 hours for a decision', async () => {
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ask' })
    const [before, session] = await passing(String(id), 24 * 3_600 * SECOND)
    expect([before, session]).toMatchObject(['requires_action', { error: { code: 'action_expired' } }])
    expect(session).not.toHaveProperty('required_actions')
  })
})

describe('a turn whose agent or caller loses access', () => {
  it('ends as terminated when the agent is disabled, after which the session accepts no message', async () => {
    const own = await makeAgent(server)
    const change = { workspaceId: exampleWorkspace.workspace.id, agentId: own, now: clock.now() }
    const stream = await openStream(server.url, { agent_id: own, message: 'Wait' })
    await until(() => Promise.resolve(stream.committed.length >= 3 ? true : undefined))
    await server.service.database.write((db) => pauseAgent(db, { ...change, reason: 'disabled_from_agent_settings' }))
    await stream.ended
    expect(stream.committed.at(-1)).toMatchObject({ status: 'terminated', error: { code: 'agent_disabled', retryable: false } })
    const state = { pauseReason: null, pauseEndTime: null, deletedTime: null, creditLimit: null, lastEditedTime: 0 }
    await server.service.database.write((db) => setAgentState(db, exampleWorkspace.workspace.id, own, state))
    const body = { session_id: String(stream.committed[0]?.['session_id']), message: 'Ahoy' }
    expectError(await server.owner.call('createSession', { body }), 409, 'conflict_error', '`terminated`')
  })

  it('ends as terminated when the sender of the message loses access', async () => {
    const caller = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    await server.service.database.write((db) =>
      setAgentAccess(db, exampleWorkspace.workspace.id, { agentId: agent, subjectId: caller.botId, level: 1, sharedBy: null }, 0),
    )
    const id = await thinking('Wait', caller.caller)
    await server.service.database.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, caller.botId, clock.now()))
    gate.resolve()
    expect(await stopped(server.owner, id)).toMatchObject({ status: 'terminated' })
    expect(outline(await eventsOf(server.owner, id)).at(-2)).toBe('agent.thinking Hm.')
  })

  it('ends as terminated, without the approved write, when the sender has no access at the decision', async () => {
    const caller = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    await server.service.database.write((db) =>
      setAgentAccess(db, exampleWorkspace.workspace.id, { agentId: agent, subjectId: caller.botId, level: 1, sharedBy: null }, 0),
    )
    const session = await talk(caller.caller, { agent_id: agent, message: 'Ask' })
    expect(session['status']).toBe('requires_action')
    await server.service.database.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, caller.botId, clock.now()))
    agents.executed.length = 0
    await server.owner.call('createSession', { body: decision(session, 'approve') })
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'terminated' })
    expect(agents.executed).toStrictEqual([])
  })

  it('fails with the code for credits when they run out during the turn', async () => {
    const own = await makeAgent(server, { creditLimit: 1 })
    const session = await talk(server.owner, { agent_id: own, message: 'Spend' })
    expect(session).toMatchObject({
      status: 'failed',
      error: { code: 'agent_credit_limit_reached', retryable: false },
      credits_used: 2,
      message_count: 1,
    })
    expectError(
      await server.owner.call('createSession', { body: { agent_id: own, message: 'x' } }),
      403,
      'agent_credit_limit_reached',
    )
  })
})
