import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setWorkspaceSuspended } from '../../../server/domain/administration/workspaces.ts'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { expectError } from '../../harness/expectations.ts'
import { makeAgent, share } from '../../harness/agents.ts'
import { until } from '../../harness/process.ts'
import { ScriptedAgents } from '../../harness/scripted_agents.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { openStream, stopped, type SessionStream } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
let gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'message', text: 'First.' }
  await gate.promise
  yield { type: 'message', text: 'Second.' }
})

let server: TestServer
let agent: string
beforeAll(async () => {
  server = await startTestServer({ STREAM_HEARTBEAT_SECONDS: '1' }, undefined, agents)
  agent = await makeAgent(server)
})
beforeEach(() => {
  gate = Promise.withResolvers<void>()
})
afterAll(() => server.stop())

/** A session whose turn is waiting. */
async function waiting(): Promise<string> {
  const { body } = await server.owner.call('createSession', { body: { agent_id: agent, message: 'Wait' } })
  return String(body['id'])
}

/** A connection that the agent is shared with, and that has followed the session up to the wait. */
async function follower(session: string): Promise<TestConnection & { readonly stream: SessionStream }> {
  const connection = await makeConnection(server, { capabilities: ['read_content', 'insert_content'] })
  await share(server, agent, { connectionId: connection.connectionId }, 'view')
  const stream = await openStream(server.url, { session_id: session, continue_from: '0' }, {}, connection.token)
  await until(() => (stream.committed.some(({ type }) => type === 'agent.message') ? true : undefined))
  return { ...connection, stream }
}

const write = (sql: string, ...values: (string | number)[]): Promise<unknown> =>
  server.service.database.write((db) => db.run(sql, ...values))

const lossOf: Readonly<Record<string, (caller: TestConnection) => Promise<unknown>>> = {
  'its token is revoked': ({ botId }) =>
    server.service.database.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, botId, server.clock.now())),
  'its token expires': ({ botId }) => write('update tokens set expires_time = ? where user_id = ?', server.clock.now(), botId),
  'the agent is no longer shared with it': ({ connectionId }) => share(server, agent, { connectionId }, null),
  'its connection may no longer write': ({ connectionId }) =>
    write('update connections set capabilities = ? where id = ?', '["read_content"]', connectionId),
}

/** The last frame for a caller that has lost access. */
const REFUSAL = { type: 'stream.error', error: { code: 'agent_error', retryable: false } }

it('an open stream ends at the next heartbeat when its caller loses access, while others stay open', async () => {
  const session = await waiting()
  const staying = await follower(session)
  const losing = await Promise.all(Object.values(lossOf).map(() => follower(session)))
  for (const [index, lose] of Object.values(lossOf).entries()) await lose(losing[index] ?? staying)
  await Promise.all(losing.map(({ stream }) => stream.ended))
  gate.resolve()
  await staying.stream.ended
  for (const [index, what] of Object.keys(lossOf).entries()) {
    const { stream } = losing[index] ?? staying
    expect(stream.frames.at(-1), what).toMatchObject({ ...REFUSAL, session_id: session })
    expect(stream.committed, what).toStrictEqual(staying.stream.committed.slice(0, stream.committed.length))
  }
  expect(staying.stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
})

it('all streams of a suspended workspace end, and open again only after the workspace is resumed', async () => {
  const session = await waiting()
  const { stream, caller } = await follower(session)
  const suspend = (suspended: boolean): Promise<void> =>
    server.service.database.write((db) => setWorkspaceSuspended(db, exampleWorkspace.workspace.id, suspended, server.clock.now()))
  await suspend(true)
  await stream.ended
  expect(stream.frames.at(-1)).toMatchObject(REFUSAL)
  const again = { body: { session_id: session, continue_from: '0' }, headers: { Accept: 'text/event-stream' } }
  expectError(await caller.call('createSession', again), 401, 'unauthorized')
  await suspend(false)
  gate.resolve()
  expect(await stopped(server.owner, session)).toMatchObject({ status: 'completed' })
})
