import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { makeAgent } from '../../harness/agents.ts'
import { workspaceConnection } from '../../harness/agent_host.ts'
import { commentTexts } from '../../harness/comments.ts'
import { makeConnection } from '../../harness/connections.ts'
import { children, plainTexts } from '../../harness/content.ts'
import type { Caller } from '../../harness/caller.ts'
import { resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { decision, eventsOf, outline, stopped, talk, wholeStream } from '../../harness/sessions.ts'

let server: TestServer
let ines: Caller
let token: string
let agent: string
beforeAll(async () => {
  server = await startTestServer()
  const terms = { workspaceId: exampleWorkspace.workspace.id, personId: exampleWorkspace.people[0].id }
  token = (await server.service.database.write((db) => createPersonalToken(db, terms, server.clock.now()))).token
  ines = server.caller(token)
  const target = { type: 'page', id: exampleWorkspace.pages.launchPlan }
  const permissions = [{ target, scopes: ['read_and_write'] }]
  const connections = [{ type: 'workspace', name: 'Workspace', account: null, permissions }]
  agent = await makeAgent(server, { connections }, [[{ everybody: true }, 'full']])
})
afterAll(() => server.stop())

const titlesBelow = async (): Promise<string[]> =>
  resultsOf((await ines.call('listBlockChildren', { path: { block_id: exampleWorkspace.pages.launchPlan } })).body)
    .filter(({ type }) => type === 'child_page')
    .map((page) => textAt(page, 'child_page', 'title'))

it('the embedded runtime searches the workspace, and responds to a question with passages or a notice that there are none', async () => {
  const session = await talk(ines, { agent_id: agent, message: 'What does the launch need?' })
  expect(session).toMatchObject({ status: 'completed', tool_types: ['search_workspace'] })
  const events = await eventsOf(ines, String(session['id']))
  expect(events.map(({ type }) => type)).toStrictEqual([
    'user.message',
    'agent.thinking',
    'agent.tool_use',
    'agent.tool_result',
    'agent.message',
    'session.status',
  ])
  expect(events[4]).toMatchObject({ metadata: { model: 'embedded-extractive-1' } })
  expect(textAt(events[4] ?? {}, 'content', 0, 'text')).toMatch(/^Found \d passages?:|^No shared page mentions/)
})

it('a proposed page is created once approved, and named as an artifact of the turn', async () => {
  const session = await talk(ines, { agent_id: agent, message: 'Create page "Bolt order" with "Eight M20\nTwo spare"' })
  expect(session['required_actions']).toMatchObject([{ title: expect.stringContaining('Bolt order') as string }])
  expect(await titlesBelow()).not.toContain('Bolt order')
  await ines.call('createSession', { body: decision(session, 'approve') })
  expect(await stopped(ines, String(session['id']))).toMatchObject({ status: 'completed', tool_types: ['create_page'] })
  expect((await titlesBelow()).filter((title) => title === 'Bolt order')).toHaveLength(1)
})

it('the artifacts of a turn are pages created or appended to, but not comments', async () => {
  const { launchPlan } = exampleWorkspace.pages
  for (const [message, title] of [
    ['Create page "Rope order"', 'Rope order'],
    [`append "Ahoy" to "${launchPlan}"`, 'Launch day plan'],
    [`comment "Noted" on "${launchPlan}"`, undefined],
  ] as const) {
    const session = await talk(ines, { agent_id: agent, message })
    const stream = await wholeStream(server.url, decision(session, 'approve'), { Authorization: `Bearer ${token}` })
    const [last] = stream.committed.slice(-1)
    expect([last?.['status'], 'artifacts' in (last ?? {})]).toStrictEqual(['completed', title !== undefined])
    if (title === undefined) continue
    const url = textAt(last ?? {}, 'artifacts', 0, 'url')
    expect(last?.['artifacts']).toStrictEqual([{ type: 'page', title, url }])
    const { body } = await ines.call('retrievePage', { path: { page_id: url.slice(-32) } })
    expect([body['url'], textAt(body, 'properties', 'title', 'title', 0, 'plain_text')]).toStrictEqual([url, title])
  }
})

/** Outline of the committed events of a stream. */
const course = async (body: JsonObject): Promise<string[]> => {
  const stream = await wholeStream(server.url, body, { Authorization: `Bearer ${token}` })
  return outline(stream.committed).map((line) => line.replace(/(?<=^(?:user|agent)\.message).*/s, ''))
}

it('a stream shows the steps of a question, and those of a proposal before and after the decision', async () => {
  expect(await course({ agent_id: agent, message: 'What does the launch need?' })).toStrictEqual([
    'user.message',
    'session.status queued',
    'session.status in_progress',
    'agent.tool_use search_workspace',
    'agent.tool_result search_workspace',
    'agent.message',
    'session.status completed',
  ])
  for (const [option, steps] of [
    ['approve', ['agent.tool_use create_page', 'agent.tool_result create_page']],
    ['reject', []],
  ] as const) {
    expect(await course({ agent_id: agent, message: `Create page "To ${option}"` })).toStrictEqual([
      'user.message',
      'session.status queued',
      'session.status in_progress',
      'agent.message',
      'session.status requires_action',
    ])
    const [session] = resultsOf((await ines.call('querySessions', { body: { query: `to ${option}` } })).body)
    expect(await course(decision(session ?? {}, option))).toStrictEqual([
      'session.status in_progress',
      ...steps,
      'agent.message',
      'session.status completed',
    ])
  }
})

it('a write approved by a caller who may not write does not run, the agent receives an error, and the turn completes', async () => {
  const { launchPlan } = exampleWorkspace.pages
  const permissions = [{ target: { type: 'page' as const, id: launchPlan }, scopes: ['editor' as const] }]
  const approver = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [launchPlan] })
  const agentId = await makeAgent(server, { connections: [workspaceConnection(permissions)] }, [
    [{ everybody: true }, 'full'],
    [{ connectionId: approver.connectionId }, 'view'],
  ])
  const session = await talk(ines, { agent_id: agentId, message: `comment "Aye" on "${launchPlan}"` })
  expect((await approver.caller.call('createSession', { body: decision(session, 'approve') })).status).toBe(200)
  expect(await stopped(ines, String(session['id']))).toMatchObject({ status: 'completed', tool_types: ['add_comment'] })
  const result = (await eventsOf(ines, String(session['id']))).find(({ type }) => type === 'agent.tool_result')
  expect(result).toMatchObject({ tool_name: 'add_comment', is_error: true })
  expect(await commentTexts(ines, launchPlan)).not.toContain('Aye')
})

it('the personal agent of a member appends to a page that the member names', async () => {
  const session = await talk(ines, { message: `append "Ahoy" to "${exampleWorkspace.pages.checklist}"` })
  await ines.call('createSession', { body: decision(session, 'approve') })
  await stopped(ines, String(session['id']))
  expect(plainTexts(await children(ines, exampleWorkspace.pages.checklist)).at(-1)).toBe('Ahoy')
})
