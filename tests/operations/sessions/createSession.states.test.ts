import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { expectError } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { eventsOf, ScriptedAgents, stopped, talk } from '../../harness/sessions.ts'

/** The allowed requests in each status of a session. */

const STATUSES = ['queued', 'in_progress', 'requires_action', 'completed', 'failed', 'canceled', 'terminated'] as const
type Status = (typeof STATUSES)[number]

let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, undefined, new ScriptedAgents())
  agent = await makeAgent(server)
})
afterAll(() => server.stop())

/** A session in a given status, without a process that works on it. */
async function sessionIn(status: Status): Promise<string> {
  const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
  const error = JSON.stringify({ code: 'agent_error', message: 'It broke.', retryable: false })
  await server.service.database.write((db) =>
    db.run(
      'update sessions set status = ?, error = ? where workspace_id = ? and id = ?',
      status,
      status === 'failed' || status === 'terminated' ? error : null,
      exampleWorkspace.workspace.id,
      String(id),
    ),
  )
  return String(id)
}

const send = (body: JsonObject): Promise<TestResponse> => server.owner.call('createSession', { body })
const retrieve = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveSession', { path: { session_id: id } })).body
/** A session as read by callers, without request ids. */
const shown = async (id: string): Promise<unknown> => [
  { ...(await retrieve(id)), request_id: null },
  await eventsOf(server.owner, id),
]

describe('createSession with a message', () => {
  it.each(['completed', 'failed', 'canceled'] as const)('200 with a new turn in a session that is %s', async (status) => {
    const id = await sessionIn(status)
    const { status: code, body } = await send({
      session_id: id,
      agent_id: agent.replaceAll('-', '').toUpperCase(),
      message: 'On',
    })
    expect([code, body]).toMatchObject([200, { id, status: 'queued', title: 'Ahoy' }])
    expect(body).not.toHaveProperty('error')
    const session = await stopped(server.owner, id)
    expect(session).toMatchObject({ status: 'completed', message_count: 4, runs_completed: 2 })
    expect(session).not.toHaveProperty('error')
  })

  it.each(['queued', 'in_progress', 'requires_action', 'terminated'] as const)(
    '409, and no change, in a session that is %s',
    async (status) => {
      const id = await sessionIn(status)
      const before = await shown(id)
      expectError(await send({ session_id: id, message: 'On' }), 409, 'conflict_error', `\`${status}\``)
      expect(await shown(id)).toStrictEqual(before)
    },
  )
})

it.each(STATUSES.filter((status) => status !== 'requires_action'))(
  'createSession: 409 for decisions on a session that is %s',
  async (status) => {
    const id = await sessionIn(status)
    const actions = [{ action_id: exampleWorkspace.workspace.id, option_id: 'approve' }]
    expectError(await send({ session_id: id, actions }), 409, 'conflict_error', `\`${status}\``)
  },
)

describe('cancelSession', () => {
  const cancel = (id: string): Promise<TestResponse> => server.owner.call('cancelSession', { path: { session_id: id } })

  it.each(['queued', 'in_progress', 'requires_action'] as const)(
    '200 for a session that is %s, which becomes canceled',
    async (status) => {
      const id = await sessionIn(status)
      expect(await cancel(id)).toMatchObject({ status: 200, body: { id, status: 'canceled' } })
      expect((await eventsOf(server.owner, id)).at(-1)).toMatchObject({ type: 'session.status', status: 'canceled' })
    },
  )

  it('200 without change for a canceled session', async () => {
    const id = await sessionIn('canceled')
    const before = await shown(id)
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'canceled' } })
    expect(await shown(id)).toStrictEqual(before)
  })

  it.each(['completed', 'failed', 'terminated'] as const)('409 for a session that is %s', async (status) => {
    const id = await sessionIn(status)
    const before = await shown(id)
    expectError(await cancel(id), 409, 'conflict_error', `\`${status}\``)
    expect(await shown(id)).toStrictEqual(before)
  })
})

describe('disabling an agent', () => {
  const update = async (status: 'queued' | 'in_progress' | 'requires_action' | 'completed'): Promise<string> => {
    const id = await sessionIn(status)
    const [own, path] = [await makeAgent(server), { session_id: id }]
    // The agent of the other tests stays unchanged.
    await server.service.database.write((db) =>
      db.run('update sessions set agent_id = ? where workspace_id = ? and id = ?', own, exampleWorkspace.workspace.id, id),
    )
    const body = { status: 'disabled' } as const
    expect((await server.owner.call('updateAgentStatus', { path: { agent_id: own }, body })).status).toBe(200)
    return idOf((await server.owner.call('retrieveSession', { path })).body)
  }

  it.each(['queued', 'in_progress', 'requires_action'] as const)('terminates a session whose status is %s', async (status) => {
    const id = await update(status)
    expect(await retrieve(id)).toMatchObject({ status: 'terminated', error: { code: 'agent_disabled', retryable: false } })
    expect((await eventsOf(server.owner, id)).at(-1)).toMatchObject({ type: 'session.status', status: 'terminated' })
  })

  it('does not change a finished session', async () => {
    expect(await retrieve(await update('completed'))).toMatchObject({ status: 'completed' })
  })
})

it.each(STATUSES)(
  'retrieveSession: a session that is %s has an error only if failed or terminated, and actions only while waiting',
  async (status) => {
    const body = await retrieve(await sessionIn(status))
    expect([body['status'], 'error' in body, 'required_actions' in body]).toStrictEqual([
      status,
      status === 'failed' || status === 'terminated',
      status === 'requires_action',
    ])
  },
)

it("createSession responds with a session's short form, and retrieveSession with the long form", async () => {
  const short = ['object', 'id', 'agent_id', 'title', 'status', 'created_at', 'updated_at', 'request_id']
  const { body } = await send({ agent_id: agent, message: 'Ahoy' })
  expect(Object.keys(body).sort()).toStrictEqual(short.toSorted())
  const sums = ['tool_types', 'tool_call_count', 'credits_used', 'runs_completed', 'message_count']
  const about = ['created_by', 'agent_version', 'models', 'trigger_type', 'type_labels', 'chat_user_emails']
  const session = await stopped(server.owner, idOf(body))
  expect(Object.keys(session).sort()).toStrictEqual([...short, ...about, ...sums].sort())
})
