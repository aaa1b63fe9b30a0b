import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../../harness/agents.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { upload } from '../../harness/files.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { openStream, talk } from '../../harness/sessions.ts'

const agents = new ScriptedAgents()
agents.add(
  'Write',
  proposing(() => '', 'a line'),
)
let server: TestServer
let agent: string
let other: string
let done: string
let waiting: string
let action: string
beforeAll(async () => {
  server = await startTestServer({}, undefined, agents)
  ;[agent, other] = [await makeAgent(server), await makeAgent(server)]
  done = String((await talk(server.owner, { agent_id: agent, message: 'Ahoy' }))['id'])
  const session = await talk(server.owner, { agent_id: agent, message: 'Write' })
  waiting = String(session['id'])
  action = String((session['required_actions'] as JsonObject[])[0]?.['action_id'])
})
afterAll(() => server.stop())

const attached = (id: string): JsonObject => ({ file_upload: { id } })
const approve = (id: string): JsonObject => ({ action_id: id, option_id: 'approve' })
const pairs = (count: number): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

/** Bodies, and the path in the error message. */
const rows: [string, () => JsonObject, string][] = [
  ['neither message nor actions nor continue_from', () => ({ agent_id: agent }), 'body.message'],
  ['a message and actions', () => ({ session_id: waiting, message: 'x', actions: [approve(action)] }), 'body.message'],
  ['a message and continue_from', () => ({ session_id: done, message: 'x', continue_from: '0' }), 'body.message'],
  ['actions and continue_from', () => ({ session_id: waiting, actions: [approve(action)], continue_from: '0' }), 'body.actions'],
  ['an empty body', () => ({}), 'body.message'],
  ['actions without a session', () => ({ actions: [approve(action)] }), 'body.session_id'],
  ['continue_from without a session', () => ({ continue_from: '0' }), 'body.session_id'],
  ['a malformed session id', () => ({ session_id: 'mine', message: 'x' }), 'body.session_id'],
  ['an empty message', () => ({ agent_id: agent, message: '' }), 'body.message.length'],
  ['a message of 10,001 characters', () => ({ agent_id: agent, message: 'x'.repeat(10_001) }), 'body.message.length'],
  [
    'a context of 10,001 characters',
    () => ({ agent_id: agent, message: 'x', prompt_context: 'x'.repeat(10_001) }),
    'body.prompt_context.length',
  ],
  ['no agent, from a token without a user', () => ({ message: 'x' }), 'body.agent_id'],
  [
    'no agent, from a token without a user, even if the metadata names a user',
    () => ({ message: 'x', metadata: { user_id: exampleWorkspace.people[0].id } }),
    'body.agent_id',
  ],
  ['a malformed agent id', () => ({ agent_id: 'deck-hand!!', message: 'x' }), 'body.agent_id'],
  ["an agent other than the session's", () => ({ agent_id: other, session_id: done, message: 'x' }), 'body.agent_id'],
  [
    '101 attachments',
    () => ({ agent_id: agent, message: 'x', attachments: Array(101).fill(attached(randomUUID())) as JsonObject[] }),
    'body.attachments.length',
  ],
  ['metadata that is not text', () => ({ agent_id: agent, message: 'x', metadata: { color: 5 } }), 'body.metadata.color'],
  [
    'metadata of 513 characters',
    () => ({ agent_id: agent, message: 'x', metadata: { color: 'x'.repeat(513) } }),
    'body.metadata.color.length',
  ],
  [
    'a key of metadata of 65 characters',
    () => ({ agent_id: agent, message: 'x', metadata: { ['k'.repeat(65)]: 'v' } }),
    'body.metadata',
  ],
  ['an empty key of metadata', () => ({ agent_id: agent, message: 'x', metadata: { '': 'v' } }), 'body.metadata'],
  ['17 keys of metadata', () => ({ agent_id: agent, message: 'x', metadata: pairs(17) }), 'body.metadata'],
  ['an unknown action', () => ({ session_id: waiting, actions: [approve(randomUUID())] }), 'body.actions[0].action_id'],
  [
    'an action named twice',
    () => ({ session_id: waiting, actions: [approve(action), approve(action)] }),
    'body.actions[1].action_id',
  ],
  [
    '101 actions',
    () => ({ session_id: waiting, actions: Array.from({ length: 101 }, () => approve(randomUUID())) }),
    'body.actions.length',
  ],
  [
    'metadata of decisions that is not text',
    () => ({ session_id: waiting, actions: [approve(action)], metadata: { color: 5 } }),
    'body.metadata.color',
  ],
  [
    '17 keys of metadata of decisions',
    () => ({ session_id: waiting, actions: [approve(action)], metadata: pairs(17) }),
    'body.metadata',
  ],
  [
    'metadata of decisions of 513 characters',
    () => ({ session_id: waiting, actions: [approve(action)], metadata: { color: 'x'.repeat(513) } }),
    'body.metadata.color.length',
  ],
  ['no action', () => ({ session_id: waiting, actions: [] }), 'body.actions.length'],
  [
    'an unknown option',
    () => ({ session_id: waiting, actions: [{ action_id: action, option_id: 'perhaps' }] }),
    'body.actions[0].option_id',
  ],
  ['continue_from without a stream', () => ({ session_id: done, continue_from: '0' }), 'body.continue_from'],
]

it.each(rows)('createSession: 400 for %s', async (_what, body, location) => {
  expectInvalid(await server.owner.call('createSession', { body: body() }), location)
})

it('createSession: 400 without a body', async () => {
  expectInvalid(await server.owner.call('createSession'), 'body.message')
})

it('createSession: 404 for decisions on a missing session, and for following one', async () => {
  const session_id = randomUUID()
  expectNotFound(await server.owner.call('createSession', { body: { session_id, actions: [approve(action)] } }), session_id)
  await expect(openStream(server.url, { session_id, continue_from: '0' })).rejects.toThrow(session_id)
})

it('createSession: 400 for an external agent', async () => {
  const external = await makeAgent(server, { type: 'external' })
  expectInvalid(await server.owner.call('createSession', { body: { agent_id: external, message: 'x' } }), 'body.agent_id')
})

it.each(['expired', 'failed'])('createSession: 400 for an upload that is %s', async (status) => {
  const id = await upload(server.owner, 'a', 'a.txt')
  await server.service.database.write((db) => db.run('update file_uploads set status = ? where id = ?', status, id))
  const body = { agent_id: agent, message: 'x', attachments: [attached(id)] }
  expectInvalid(await server.owner.call('createSession', { body }), 'body.attachments[0].file_upload.id')
})

it("createSession: 400 for a pending upload, 404 for a missing one or another author's, and no new session", async () => {
  const pending = idOf((await server.owner.call('createFileUpload', { body: {} })).body)
  const stranger = await makeConnection(server, { capabilities: ['insert_content'] })
  const foreign = await upload(stranger.caller, 'a', 'a.txt')
  const good = await upload(server.owner, 'b', 'b.txt')
  const own = await makeAgent(server)
  const attach = (...ids: string[]): JsonObject => ({ agent_id: own, message: 'x', attachments: ids.map(attached) })
  expectInvalid(await server.owner.call('createSession', { body: attach(good, pending) }), 'body.attachments[1].file_upload.id')
  for (const id of [randomUUID(), foreign]) expectNotFound(await server.owner.call('createSession', { body: attach(id) }), id)
  const { body } = await server.owner.call('querySessions', {
    body: { filter: { property: 'agent_id', string: { equals: own } } },
  })
  expect(body['results']).toStrictEqual([])
})
