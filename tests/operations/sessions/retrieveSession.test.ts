import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setAgentAccess, type AgentLevelNumber } from '../../../server/store/agent_access.ts'
import { makeAgent } from '../../harness/agents.ts'
import { makeConnection, makeMember, type TestConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'
import { ScriptedAgents } from '../../harness/scripted_agents.ts'
import { talk } from '../../harness/sessions.ts'

const server = await serverOfFile({}, undefined, new ScriptedAgents())
const agent = await makeAgent(server, {}, [[{ everybody: true }, 'edit']])
const ines = await makeMember(server, exampleWorkspace.people[0].id)
const id = String((await talk(ines, { agent_id: agent, message: 'Ahoy' }))['id'])

/** A connection that may use the agent. */
async function connection(
  level: AgentLevelNumber,
  capabilities: Parameters<typeof makeConnection>[1]['capabilities'],
): Promise<TestConnection> {
  const made = await makeConnection(server, { capabilities })
  await server.service.database.write((db) =>
    setAgentAccess(db, exampleWorkspace.workspace.id, { agentId: agent, subjectId: made.botId, level, sharedBy: null }, 0),
  )
  return made
}
const path = { session_id: '' }

it('retrieveSession: 200 with all fields for the creator and for callers who may edit the agent', async () => {
  const editor = await connection(2, ['read_content', 'read_user_with_email'])
  for (const caller of [
    await makeMember(server, exampleWorkspace.people[0].id),
    await makeMember(server, exampleWorkspace.people[1].id),
    editor.caller,
  ]) {
    const { body } = await caller.call('retrieveSession', { path: { ...path, session_id: id.replaceAll('-', '').toUpperCase() } })
    expect(body).toMatchObject({
      id,
      created_by: { type: 'user', id: exampleWorkspace.people[0].id },
      type_labels: ['chat'],
      chat_user_emails: [exampleWorkspace.people[0].email],
      message_count: 2,
    })
  }
})

it('retrieveSession: 200 without totals for callers who may only view the agent, and without hidden email addresses', async () => {
  const viewer = await connection(1, ['read_content', 'read_user_with_email'])
  const { body } = await viewer.caller.call('retrieveSession', { path: { session_id: id } })
  expect(body).toMatchObject({
    status: 'completed',
    trigger_type: 'chat',
    type_labels: null,
    chat_user_emails: null,
    tool_types: null,
    tool_call_count: null,
    credits_used: null,
    runs_completed: null,
    message_count: null,
  })
  const editor = await connection(2, ['read_content'])
  expect((await editor.caller.call('retrieveSession', { path: { session_id: id } })).body).toMatchObject({
    chat_user_emails: null,
    message_count: 2,
  })
})

it('retrieveSession: 404 when missing or not shared, 400 for a malformed id, 403 without the capability to read content', async () => {
  const stranger = await makeConnection(server, { capabilities: ['read_content'] })
  for (const one of [randomUUID(), id])
    expectNotFound(await stranger.caller.call('retrieveSession', { path: { session_id: one } }), one)
  expectInvalid(await server.owner.call('retrieveSession', { path: { session_id: 'query-me' } }), 'path.session_id')
  const writer = await connection(3, ['insert_content'])
  expectError(await writer.caller.call('retrieveSession', { path: { session_id: id } }), 403, 'restricted_resource')
})
