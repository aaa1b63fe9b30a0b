import { describe, expect, it } from 'vitest'
import { revokeTokens } from '../../../server/store/tokens.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../../harness/agents.ts'
import { makeConnection } from '../../harness/connections.ts'
import { children, makePage, plainTexts } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { at, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { decision, eventsOf, openStream, outline, stopped, talk } from '../../harness/sessions.ts'
import { setAgentAccess } from '../../../server/store/agent_access.ts'
import { damageIn } from '../../harness/damage_in.ts'

const agents = new ScriptedAgents()
let page: string
agents.add(
  'One',
  proposing(() => page, 'one'),
)
agents.add(
  'Two',
  proposing(() => page, 'one', 'two'),
)

const server = await serverOfFile({}, undefined, agents)
const agent = await makeAgent(server)

/** Starts a session that waits for decisions about a new page, and stores the page's id in `page`. */
async function waiting(message: string): Promise<JsonObject> {
  page = await makePage(server.owner)
  const session = await talk(server.owner, { agent_id: agent, message })
  expect(session['status']).toBe('requires_action')
  return session
}
const decide = (body: JsonObject, caller = server.owner): ReturnType<typeof caller.call> => caller.call('createSession', { body })
const lines = async (): Promise<string[]> => plainTexts(await children(server.owner, page))

describe("an agent's proposal", () => {
  it('waits for a decision, and changes nothing before', async () => {
    const session = await waiting('One')
    expect(session['required_actions']).toMatchObject([
      {
        title: 'Write one',
        options: [
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject' },
        ],
      },
    ])
    expect(await lines()).toStrictEqual([])
  })

  it('is executed once approved; the response shows the session as in_progress', async () => {
    const session = await waiting('One')
    const response = await decide(decision(session, 'approve'))
    expect(response.body).toMatchObject({ id: session['id'], status: 'in_progress' })
    expect(response.body).not.toHaveProperty('required_actions')
    const ended = await stopped(server.owner, String(session['id']))
    expect(ended).toMatchObject({ status: 'completed', tool_types: ['write'], tool_call_count: 1, runs_completed: 1 })
    expect(await lines()).toStrictEqual(['one'])
    const events = await eventsOf(server.owner, String(session['id']))
    expect(outline(events)).toStrictEqual([
      'user.message One',
      'agent.message I would write.',
      'session.status requires_action',
      'agent.tool_use write',
      'agent.tool_result write',
      'agent.message approve: written',
      'session.status completed',
    ])
    const [use, result] = [events[3], events[4]]
    expect(use?.['id']).toBe(`${String(result?.['tool_use_id'])}:use`)
    expect(result).toMatchObject({ id: `${String(result?.['tool_use_id'])}:result`, is_error: false })
  })

  it('counts two calls of one tool separately, and keeps the metadata of a decision', async () => {
    const session = await waiting('Two')
    const [first, second] = [decision(session, 'approve', 0), decision(session, 'approve', 1)]
    await decide({ ...first, metadata: { user_id: 'crm-481' } })
    await decide(second)
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ tool_types: ['write'], tool_call_count: 2 })
    const kept = await server.service.database.read((db) =>
      db.all(
        { metadata: 'text?' },
        'select metadata from session_calls where session_id = ? order by position',
        String(session['id']),
      ),
    )
    expect(kept.map(({ metadata }) => metadata && (JSON.parse(metadata) as unknown))).toStrictEqual([
      { user_id: 'crm-481' },
      null,
    ])
  })

  it('is dropped without running a tool when rejected', async () => {
    const session = await waiting('One')
    await decide(decision(session, 'reject'))
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'completed', tool_call_count: 0 })
    expect(await lines()).toStrictEqual([])
    expect(outline(await eventsOf(server.owner, String(session['id']))).at(-2)).toBe('agent.message reject: rejected by the user')
  })

  it('stays open until all parts are decided; a repeated decision changes nothing, and the opposite one gets 409', async () => {
    const session = await waiting('Two')
    const first = await decide(decision(session, 'approve', 0))
    expect(first.body).toMatchObject({ status: 'requires_action', required_actions: [{ title: 'Write two' }] })
    const again = await decide(decision(session, 'approve', 0))
    expect([again.status, again.body['required_actions']]).toMatchObject([200, [{ title: 'Write two' }]])
    expectError(await decide(decision(session, 'reject', 0)), 409, 'conflict_error')
    expect(await lines()).toStrictEqual([])
    await decide(decision(session, 'reject', 1))
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'completed' })
    expect(await lines()).toStrictEqual(['one'])
    const statuses = (await eventsOf(server.owner, String(session['id']))).filter(({ type }) => type === 'session.status')
    expect(statuses.map((event) => (event['required_actions'] as JsonObject[] | undefined)?.length)).toStrictEqual([
      2,
      1,
      undefined,
    ])
  })

  it('accepts a repeated decision beside a new one', async () => {
    const session = await waiting('Two')
    const [first, second] = [decision(session, 'approve', 0), decision(session, 'reject', 1)]
    await decide(first)
    const actions = [first, second].flatMap((body) => body['actions'] as JsonObject[])
    expect((await decide({ ...first, actions })).body).toMatchObject({ status: 'in_progress' })
    expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'completed', tool_call_count: 1 })
    expect(await lines()).toStrictEqual(['one'])
  })

  it('results in an artifact of the last status when the turn ends', async () => {
    const session = await waiting('One')
    const stream = await openStream(server.url, decision(session, 'approve'))
    await stream.ended
    expect(stream.committed.at(-1)).toMatchObject({ status: 'completed', artifacts: [{ type: 'page', title: 'Page' }] })
    expect(stream.committed[0]).toMatchObject({ type: 'session.status', status: 'in_progress' })
    expect(stream.frames.at(-1)).toMatchObject({ type: 'stream.end', status: 'completed' })
  })
})

it('an approved write has the current rights of the approver; without them the tool fails and the turn continues', async () => {
  const approver = await makeConnection(server, { capabilities: ['read_content', 'insert_content'] })
  await server.service.database.write((db) =>
    setAgentAccess(db, exampleWorkspace.workspace.id, { agentId: agent, subjectId: approver.botId, level: 1, sharedBy: null }, 0),
  )
  // The approver cannot see the page.
  const session = await waiting('One')
  expect((await decide(decision(session, 'approve'), approver.caller)).status).toBe(200)
  expect(await stopped(server.owner, String(session['id']))).toMatchObject({ status: 'completed' })
  const result = (await eventsOf(server.owner, String(session['id']))).find(({ type }) => type === 'agent.tool_result')
  expect(result).toMatchObject({ is_error: true })
  expect(await lines()).toStrictEqual([])

  const second = await waiting('Two')
  await decide(decision(second, 'approve', 0), approver.caller)
  await server.service.database.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, approver.botId, server.clock.now()))
  await decide(decision(second, 'approve', 1))
  await stopped(server.owner, String(second['id']))
  const results = (await eventsOf(server.owner, String(second['id']))).filter(({ type }) => type === 'agent.tool_result')
  expect(results.map((event) => at(event, 'is_error'))).toStrictEqual([true, false])
  expect(await lines()).toStrictEqual(['two'])
})

it('createSession: 409 naming the status for decisions that were not requested', async () => {
  const session = await waiting('One')
  await decide(decision(session, 'reject'))
  await stopped(server.owner, String(session['id']))
  expectError(await decide(decision(session, 'reject')), 409, 'conflict_error', '`completed`')
})

it('stored sessions pass the checks of doctor and imports', async () => {
  expect(await damageIn(server)).toEqual([])
})
