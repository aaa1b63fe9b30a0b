import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../harness/agents.ts'
import { onPage, workspaceConnection } from '../harness/agent_host.ts'
import { makeMember } from '../harness/connections.ts'
import { append, paragraph } from '../harness/content.ts'
import { everyType, Listening, type EventType, type WebhookEvent } from '../harness/events.ts'
import { at, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { decision, stopped, talk } from '../harness/sessions.ts'

const { launchPlan } = exampleWorkspace.pages
const person = exampleWorkspace.people[0].id
/** The id of the personal agent of everybody. */
const PERSONAL_AGENT = '33333333-3333-3333-3333-333333333333'

const server = await serverOfFile()
const ines = await makeMember(server, person)
const connections = [workspaceConnection([onPage(launchPlan, 'read_and_write')])]
const agent = await makeAgent(server, { connections }, [[{ everybody: true }, 'full']])
const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })

/** Makes an agent propose a change, which Ines approves. */
async function approved(agent_id: string, message: string): Promise<void> {
  const session = await talk(ines, { agent_id, message })
  expect(session['status']).toBe('requires_action')
  const { status } = await ines.call('createSession', { body: decision(session, 'approve') })
  expect([status, (await stopped(ines, textAt(session, 'id')))['status']]).toEqual([200, 'completed'])
}

/** The only event of a type that `act` causes. */
async function eventOf(type: EventType, act: () => Promise<unknown>): Promise<WebhookEvent> {
  const before = new Set((await listening.events()).map(({ id }) => id))
  await listening.eventsBy(act)
  const [event, ...others] = (await listening.events()).filter((one) => one.type === type && !before.has(one.id))
  expect(others).toEqual([])
  return event ?? expect.fail(`no ${type}`)
}

it('an event of a page proposed by an agent names the agent as author, and the page names the approving person', async () => {
  const event = await eventOf('page.created', () => approved(agent, 'create page "Bolt order" with "Eight M20"'))
  expect(event.authors).toEqual([{ id: agent, type: 'agent' }])
  const { body } = await ines.call('retrievePage', { path: { page_id: event.entity.id } })
  expect([at(body, 'created_by', 'id'), at(body, 'last_edited_by', 'id')]).toEqual([person, person])
})

it('an event of a comment by the personal agent names that agent, with its reserved id', async () => {
  const event = await eventOf('comment.created', () => approved('service_ai', `comment "Noted" on "${launchPlan}"`))
  expect(event.authors).toEqual([{ id: PERSONAL_AGENT, type: 'agent' }])
})

it('an event names all people, connections and agents that changed the page within one window, in order', async () => {
  const event = await eventOf('page.content_updated', async () => {
    for (const caller of [ines, server.owner]) await append(caller, launchPlan, [paragraph('more')])
    await approved(agent, `append "Eight M20" to "${launchPlan}"`)
    await append(ines, launchPlan, [paragraph('more')])
  })
  expect(event.authors).toEqual([
    { id: person, type: 'person' },
    { id: exampleWorkspace.bot.id, type: 'bot' },
    { id: agent, type: 'agent' },
  ])
})
