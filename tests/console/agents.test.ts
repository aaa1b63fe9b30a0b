import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { changeRole, createPerson } from '../../server/domain/administration/people.ts'
import { makePrivate } from '../../server/domain/people/sharing.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import { makeAgent, share } from '../harness/agents.ts'
import { children, makePage, plainTexts } from '../harness/content.ts'
import { idOf, resultsOf, type JsonObject } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { proposing, ScriptedAgents } from '../harness/scripted_agents.ts'
import { serverOfFile } from '../harness/server.ts'
import { stopped, talk } from '../harness/sessions.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, tomas] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
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
const gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  await gate.promise
})

const server = await serverOfFile({}, undefined, agents)
const { database } = server.service
/** Nobody here has a token. */
const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, tomas.email)
const agent = await makeAgent(server, { name: 'Yard clerk', description: 'Orders spare parts.' })
await share(server, agent, { personId: tomas.id }, 'view')

type Called = ReturnType<ConsoleCaller['call']>
const at = (id: string): { workspace_id: string; session_id: string } => ({ workspace_id: workspaceId, session_id: id })
const retrieve = (id: string, viewer = member): Called => viewer.call('retrieveAgentSession', { path: at(id) })
const cancel = (id: string, viewer = member): Called => viewer.call('cancelAgentTurn', { path: at(id) })
const decide = (id: string, actionId: string, option: string, viewer = member): Called =>
  viewer.call('decideAgentAction', { path: { ...at(id), action_id: actionId }, body: { option } })
const listedIds = async (viewer: ConsoleCaller, query = {}): Promise<unknown[]> =>
  resultsOf((await viewer.call('listAgentSessions', { query })).body).map(({ id }) => id)
const acts = async (action: string): Promise<(string | null)[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 100)))
    .filter((one) => one.action === action)
    .map(({ object_name: name }) => name)
const lines = async (): Promise<string[]> => plainTexts(await children(server.owner, page))

/** A session that waits for decisions on writes to a new page. @returns its id, and those of its actions */
async function waiting(message: string): Promise<{ id: string; actions: string[] }> {
  page = await makePage(server.owner)
  const id = idOf(await talk(server.owner, { agent_id: agent, message }))
  const { body } = await retrieve(id)
  return { id, actions: ((body['session'] as JsonObject)['actions'] as JsonObject[]).map(idOf) }
}

/** Waits until the turn of a session has ended. @returns the tool results, as whether they failed */
async function failures(id: string): Promise<unknown[]> {
  await stopped(server.owner, id)
  const { body } = await retrieve(id)
  const events = body['events'] as JsonObject[]
  return events.filter(({ type }) => type === 'agent.tool_result').map(({ is_error }) => is_error)
}

/** A session of the personal agent of the member. */
async function personalSession(): Promise<string> {
  const settings = { workspace_id: workspaceId, name: 'Notes', days: 7 }
  const { body } = await member.call('createOwnToken', { body: settings })
  const id = idOf(await talk(server.caller(String(body['token'])), { message: 'Hello' }))
  const path = { workspace_id: workspaceId, token_id: idOf(body['personal_token'] as JsonObject) }
  await member.call('deleteOwnToken', { path })
  return id
}

describe('listReachableAgents', () => {
  it('200 with the agents that the person has access to, and the personal agent', async () => {
    const { body } = await member.call('listReachableAgents')
    const clerk = { id: agent, name: 'Yard clerk', description: 'Orders spare parts.', status: 'active', last_run_time: null }
    const workspace = { id: workspaceId, name: exampleWorkspace.workspace.name }
    expect(body['results']).toContainEqual(expect.objectContaining({ ...clerk, workspace }))
    expect(resultsOf(body).at(-1)).toMatchObject({ name: 'Service Agent' })
    expect(resultsOf((await owner.call('listReachableAgents')).body).map(({ id }) => id)).not.toContain(agent)
  })

  it('200 with nothing for guests and restricted members, who may not use the API', async () => {
    for (const role of ['guest', 'restricted'] as const) {
      const person = { workspaceId, email: `${role}@boats.example`, name: 'Nora', role }
      const personId = await database.write((db) => createPerson(db, person, server.clock.now()))
      await share(server, agent, { personId }, 'full')
      const viewer = await ConsoleCaller.of(server, person.email)
      const { id } = await waiting('One')
      expect((await viewer.call('listReachableAgents')).body['results']).toEqual([])
      expect(await listedIds(viewer)).toEqual([])
      expect((await retrieve(id, viewer)).status).toBe(404)
    }
  })
})

describe('listAgentSessions', () => {
  it('200 with unfinished sessions first, of the agents that the person has access to', async () => {
    const { id: first } = await waiting('One')
    server.clock.advance(1_000)
    const ended = idOf(await talk(server.owner, { agent_id: agent, message: 'Echo' }))
    const ids = await listedIds(member)
    expect(ids).toEqual(expect.arrayContaining([first, ended]))
    expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(ended))
    expect(new Set(ids).size).toBe(ids.length)
    const theirs = await listedIds(owner)
    for (const id of [first, ended]) expect(theirs).not.toContain(id)
  })

  it('200 with the sessions of one agent or workspace', async () => {
    const { id } = await waiting('One')
    const personal = await personalSession()
    expect(await listedIds(member, { agent_id: agent })).toContain(id)
    expect(await listedIds(member, { agent_id: agent })).not.toContain(personal)
    expect(await listedIds(member, { workspace_id: workspaceId })).toEqual(expect.arrayContaining([id, personal]))
    expect(await listedIds(member, { workspace_id: randomUUID() })).toEqual([])
  })
})

describe('retrieveAgentSession', () => {
  it('200 with the latest events, oldest first, and the actions that wait', async () => {
    const { id } = await waiting('Two')
    const { body } = await retrieve(id)
    expect(body).toMatchObject({
      session: {
        ...{ id, title: 'Two', status: 'requires_action', trigger_type: 'chat', error: null },
        agent: { id: agent, name: 'Yard clerk' },
        started_by: { id: exampleWorkspace.bot.id, name: exampleWorkspace.bot.name },
        actions: [{ title: 'Write one' }, { title: 'Write two' }],
      },
      events: [
        { type: 'user.message', text: 'Two', author: { name: exampleWorkspace.bot.name } },
        { type: 'agent.message', text: 'I would write.', author: { name: 'Yard clerk' } },
        { type: 'session.status', status: 'requires_action', author: null },
      ],
      has_more: false,
    })
  })

  it('404 with one message for missing sessions, those of hidden agents, and of the personal agent of another person', async () => {
    const [{ id }, personal] = [await waiting('One'), await personalSession()]
    const responses = [await retrieve(id, owner), await retrieve(personal, owner), await retrieve(randomUUID(), owner)]
    const elsewhere = { workspace_id: randomUUID(), session_id: id }
    responses.push(await member.call('retrieveAgentSession', { path: elsewhere }))
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(responses.map(({ body }) => body['message'])).size).toBe(1)
    expect((await retrieve(personal)).status).toBe(200)
  })
})

describe('decideAgentAction', () => {
  it('200 and executes an approved action with the rights of the person, who needs no token', async () => {
    const { id, actions } = await waiting('One')
    const { body } = await decide(id, actions[0] ?? '', 'approve')
    expect(body['session']).toMatchObject({ status: 'in_progress', actions: [] })
    expect(await failures(id)).toEqual([false])
    expect(await lines()).toEqual(['one'])
    expect((await acts('agent_action.approved'))[0]).toBe('Yard clerk')
  })

  it('200 but fails the action if the person may not change the page', async () => {
    const { id, actions } = await waiting('One')
    await database.write((db) => makePrivate(db, workspaceId, page, ines.id, server.clock.now()))
    expect((await decide(id, actions[0] ?? '', 'approve')).status).toBe(200)
    expect(await failures(id)).toEqual([true])
    expect(await lines()).toEqual([])
  })

  it('200 but fails the action if the person may no longer use the API when it is executed', async () => {
    const email = 'former@boats.example'
    const person = { workspaceId, email, name: 'Nora', role: 'member' } as const
    const personId = await database.write((db) => createPerson(db, person, server.clock.now()))
    await share(server, agent, { personId }, 'view')
    const { id, actions } = await waiting('Two')
    await decide(id, actions[0] ?? '', 'approve', await ConsoleCaller.of(server, email))
    await database.write((db) => changeRole(db, workspaceId, personId, 'guest'))
    await decide(id, actions[1] ?? '', 'approve')
    expect(await failures(id)).toEqual([true, false])
    expect(await lines()).toEqual(['two'])
  })

  it('200 and drops a rejected action; a repeated decision changes nothing, and the opposite one gets 409', async () => {
    const { id, actions } = await waiting('Two')
    const [first = '', second = ''] = actions
    const before = (await acts('agent_action.rejected')).length
    const { body } = await decide(id, first, 'reject')
    expect(body['session']).toMatchObject({ status: 'requires_action', actions: [{ id: second }] })
    expect((await decide(id, first, 'reject')).status).toBe(200)
    expect((await acts('agent_action.rejected')).length).toBe(before + 1)
    expect((await decide(id, first, 'approve')).status).toBe(409)
    await decide(id, second, 'reject')
    expect(await failures(id)).toEqual([])
    expect(await lines()).toEqual([])
    expect((await decide(id, second, 'approve')).status).toBe(409)
  })

  it('404 for unknown actions, and for people who may not see the session', async () => {
    const { id, actions } = await waiting('One')
    const other = await waiting('One')
    const responses = [
      await decide(id, actions[0] ?? '', 'approve', owner),
      await decide(id, randomUUID(), 'approve'),
      await decide(id, other.actions[0] ?? '', 'approve'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await retrieve(id)).body['session']).toMatchObject({ status: 'requires_action' })
  })

  it('400 for another decision', async () => {
    const { id, actions } = await waiting('One')
    const { status, body } = await decide(id, actions[0] ?? '', 'postpone')
    expect([status, body['message']]).toEqual([400, expect.stringContaining('body.option')])
  })
})

describe('cancelAgentTurn', () => {
  it('200 and cancels a running turn, which is recorded once', async () => {
    const { body } = await server.owner.call('createSession', { body: { agent_id: agent, message: 'Wait' } })
    const id = idOf(body)
    const isThinking = async (): Promise<true | undefined> =>
      ((await retrieve(id)).body['events'] as JsonObject[]).some(({ text }) => text === 'Hm.') || undefined
    await until(isThinking)
    expect((await cancel(id)).body).toMatchObject({ session: { status: 'canceled' } })
    expect((await cancel(id)).status).toBe(200)
    expect(await acts('agent_turn.canceled')).toEqual(['Yard clerk'])
  })

  it('409 when the turn has ended', async () => {
    const id = idOf(await talk(server.owner, { agent_id: agent, message: 'Echo' }))
    expect((await cancel(id)).status).toBe(409)
  })

  it('404 for people who may not see the session', async () => {
    const { id } = await waiting('One')
    expect((await cancel(id, owner)).status).toBe(404)
    expect((await retrieve(id)).body['session']).toMatchObject({ status: 'requires_action' })
  })
})
