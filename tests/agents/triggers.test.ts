import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { closeItem } from '../../server/domain/people/sharing.ts'
import { changeAgent, makeAgent } from '../harness/agents.ts'
import { onWorkspace, workspaceConnection } from '../harness/agent_host.ts'
import { commentOn, makeComment } from '../harness/comments.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { resultsOf, type JsonObject } from '../harness/json.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { decision, eventsOf, ScriptedAgents, stopped } from '../harness/sessions.ts'
import { on, sessionsOf, settled, textOf } from '../harness/triggers.ts'

/** Events in the workspace start agents, whose triggers have conditions. */

const everywhere = [workspaceConnection([onWorkspace('reader')])]

const scripts = new ScriptedAgents()
let server: TestServer
let page: string
beforeAll(async () => {
  server = await startTestServer({}, new TestClock(), scripts)
  page = await makePage(server.owner, 'Yard')
  // Nobody waits for this session.
  await settled(server)
  scripts.add('Answer kindly.', async function* ({ message }) {
    await Promise.resolve()
    yield { type: 'message', text: message.promptContext ?? 'nothing' }
  })
})
afterAll(() => server.stop())

const mentioning = (id: string): object => ({ mention: { user: { id } } })

describe('an agent with triggers', () => {
  it('starts when a page or a comment matches a trigger and the agent may read it', async () => {
    const triggers = [on('workspace.page.created'), on('workspace.comment.created', 'Answer kindly.')]
    const agent = await makeAgent(server, { triggers, connections: everywhere })
    const blind = await makeAgent(server, { triggers })
    const made = await makePage(server.owner, 'Heron', page)
    await settled(server)
    server.clock.advance(1_000)
    await commentOn(server.owner, made, 'Mind the tide')
    expect((await sessionsOf(server, agent)).map(({ title, trigger_type: type }) => [type, title])).toStrictEqual([
      ['workspace.page.created', 'A page was created.'],
      ['workspace.comment.created', 'Answer kindly.'],
    ])
    expect(await sessionsOf(server, blind)).toHaveLength(0)
    const [whole] = (await sessionsOf(server, agent)).slice(1)
    const [started, events] = await eventsOf(server.owner, String(whole?.['id']))
    expect(started).toMatchObject({ type: 'user.message', content: [{ type: 'text', text: 'Answer kindly.' }] })
    expect(textOf(events)).toMatch(/^Heron \(.*\)\nMind the tide$/)
    await server.service.database.write((db) =>
      closeItem(db, exampleWorkspace.workspace.id, page, exampleWorkspace.people[0]?.id ?? '', server.clock.now()),
    )
    await makePage(server.owner, 'Closed to everybody else', page)
    expect(await sessionsOf(server, agent)).toHaveLength(2)
    page = await makePage(server.owner, 'Open yard')
    await changeAgent(server, agent, { settings: { triggers: [] } })
  })

  it("makes the embedded runtime search for the page's title only if all members see the page", async () => {
    const own = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' })
    try {
      const [ines = ''] = exampleWorkspace.people.map(({ id }) => id)
      const agent = await makeAgent(own, {
        triggers: [on('workspace.page.created', 'Look into it.')],
        connections: [
          workspaceConnection([onWorkspace('reader'), { target: { type: 'owner_private_pages' }, scopes: ['reader'] }]),
        ],
        createdBy: ines,
      })
      const closed = await makePage(own.owner, 'Cellar')
      await settled(own)
      await own.service.database.write((db) => closeItem(db, exampleWorkspace.workspace.id, closed, ines, own.clock.now()))
      const events: string[] = []
      for (const [title, parent] of [
        ['Heron', undefined],
        ['Diary', closed],
      ] as const) {
        own.clock.advance(1_000)
        await makePage(own.owner, title, parent, [paragraph(`All about the ${title.toLowerCase()}.`)])
        const session = (await sessionsOf(own, agent)).at(-1)
        events.push(JSON.stringify([session?.['title'], await eventsOf(own.owner, String(session?.['id']))]))
      }
      expect(events[0]).toContain('\\"All about the heron.\\" — Heron (')
      expect(events[1]).toContain('Look into it.')
      expect(events[1]).not.toMatch(/diary/i)
    } finally {
      await own.stop()
    }
  })

  it('starts once for each block, comment or title that mentions it, and again when a removed mention is restored', async () => {
    const agent = await makeAgent(server, { triggers: [on('workspace.agent.mentioned')], connections: everywhere })
    const other = await makeAgent(server, { triggers: [on('workspace.agent.mentioned')], connections: everywhere })
    const [block] = await append(server.owner, page, [{ paragraph: { rich_text: [mentioning(agent)] } }])
    expect(await sessionsOf(server, agent)).toHaveLength(1)
    const write = (...rich_text: object[]): Promise<unknown> =>
      server.owner.call('updateBlock', { path: { block_id: String(block?.['id']) }, body: { paragraph: { rich_text } } })
    await write(mentioning(agent), { text: { content: ' again' } })
    expect(await sessionsOf(server, agent)).toHaveLength(1)
    await write({ text: { content: agent } })
    await settled(server)
    await write(mentioning(agent))
    expect(await sessionsOf(server, agent)).toHaveLength(2)
    await makeComment(server.owner, { parent: { page_id: page }, rich_text: [mentioning(agent)] })
    await server.owner.call('createPage', { body: { properties: { title: { title: [mentioning(agent)] } } } })
    expect(await sessionsOf(server, agent)).toHaveLength(4)
    expect(await sessionsOf(server, other)).toHaveLength(0)
  })

  it("starts when another agent's approved write matches a trigger, but only once in a chain of agents, and never as the sixth", async () => {
    const own = await startTestServer()
    try {
      const yard = await makePage(own.owner, 'Yard')
      const options = {
        triggers: [on('workspace.comment.created', `comment "Aye" on "${yard}"`)],
        connections: [workspaceConnection([onWorkspace('comment_only')])],
      }
      const first = await makeAgent(own, options)
      await commentOn(own.owner, yard)
      const [session] = await sessionsOf(own, first)
      const second = await makeAgent(own, options)
      await approve(own, session)
      const [responding, ...others] = await sessionsOf(own, second)
      expect(others).toHaveLength(0)
      await approve(own, responding)
      expect(await sessionsOf(own, second)).toHaveLength(1)
      expect(await sessionsOf(own, first)).toHaveLength(1)
      const third = await makeAgent(own, options)
      for (const [before, started] of [
        [3, 1],
        [4, 0],
      ] as const) {
        await commentOn(own.owner, yard)
        const [waiting] = (await sessionsOf(own, first)).filter(({ status }) => status === 'requires_action')
        const known = (await sessionsOf(own, third)).length
        const chain = JSON.stringify(Array.from({ length: before }, () => randomUUID()))
        await own.service.database.write((db) =>
          db.run('update sessions set trigger_chain = ? where id = ?', chain, String(waiting?.['id'])),
        )
        await approve(own, waiting)
        expect((await sessionsOf(own, third)).length - known, `behind ${before} others`).toBe(started)
      }
    } finally {
      await own.stop()
    }
  })

  it('starts at most twenty times for one request', async () => {
    const triggers = Array.from({ length: 22 }, () => on('workspace.page.created'))
    const agent = await makeAgent(server, { triggers, connections: everywhere })
    await makePage(server.owner, 'Much ado')
    expect(await sessionsOf(server, agent)).toHaveLength(20)
    await changeAgent(server, agent, { settings: { triggers: [] } })
  })

  it('starts only for pages that its creator can access', async () => {
    const [ines, other] = exampleWorkspace.people.map(({ id }) => id)
    const connections = [
      workspaceConnection([onWorkspace('reader'), { target: { type: 'owner_private_pages' }, scopes: ['reader'] }]),
    ]
    const options = { triggers: [on('workspace.page.created')], connections }
    const own = await makeAgent(server, { ...options, createdBy: ines ?? null })
    const others = await makeAgent(server, { ...options, createdBy: other ?? null })
    const closed = await makePage(server.owner, 'For one member')
    const seen = [(await sessionsOf(server, own)).length, (await sessionsOf(server, others)).length]
    expect(seen).toStrictEqual([1, 1])
    await server.service.database.write((db) =>
      closeItem(db, exampleWorkspace.workspace.id, closed, ines ?? '', server.clock.now()),
    )
    await makePage(server.owner, 'Below it', closed)
    expect([(await sessionsOf(server, own)).length, (await sessionsOf(server, others)).length]).toStrictEqual([2, 1])
    for (const id of [own, others]) await changeAgent(server, id, { settings: { triggers: [] } })
  })

  it('does not start while it is disabled, deleted or without credits', async () => {
    const options = { triggers: [on('workspace.page.created')], connections: everywhere }
    const [disabled, deleted, spent] = [
      await makeAgent(server, options),
      await makeAgent(server, options),
      await makeAgent(server, { ...options, creditLimit: 0 }),
    ]
    await server.owner.call('updateAgentStatus', { path: { agent_id: disabled }, body: { status: 'disabled' } })
    await server.owner.call('deleteAgent', { path: { agent_id: deleted } })
    await makePage(server.owner, 'Nobody sees to it')
    for (const agent of [disabled, deleted, spent]) expect(await sessionsOf(server, agent)).toHaveLength(0)
  })
})

async function approve(of: TestServer, session: JsonObject | undefined): Promise<void> {
  expect(session).toMatchObject({ status: 'requires_action' })
  const response = await of.owner.call('createSession', { body: decision(session ?? {}, 'approve') })
  expect((await stopped(of.owner, String(response.body['id'])))['status']).toBe('completed')
}

describe('the bot of an agent', () => {
  it('is a user with the id and name of the agent while the agent exists', async () => {
    const agent = await makeAgent(server, { name: 'Deck Hand' })
    const user = (): Promise<unknown> => server.owner.call('retrieveUser', { path: { user_id: agent } }).then(({ body }) => body)
    expect(await user()).toMatchObject({ object: 'user', type: 'bot', id: agent, name: 'Deck Hand', bot: { agent_id: agent } })
    await changeAgent(server, agent, { settings: { name: 'First Mate' } })
    expect(await user()).toMatchObject({ name: 'First Mate' })
    const listed = async (): Promise<unknown> =>
      resultsOf((await server.owner.call('listUsers')).body).some(({ id }) => id === agent)
    expect(await listed()).toBe(true)
    await server.owner.call('deleteAgent', { path: { agent_id: agent } })
    expect(await listed()).toBe(false)
  })
})
