import { expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { makeAgent } from '../../harness/agents.ts'
import { children, plainTexts } from '../../harness/content.ts'
import { makeMember } from '../../harness/connections.ts'
import { resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { decision, eventsOf, stopped, talk } from '../../harness/sessions.ts'

const server = await serverOfFile()
const ines = await makeMember(server, story.people[0].id)
const target = { type: 'page', id: story.pages.launchPlan }
const permissions = [{ target, scopes: ['read_and_write'] }]
const connections = [{ type: 'workspace', name: 'Workspace', account: null, permissions }]
const agent = await makeAgent(server, { connections }, [[{ everybody: true }, 'full']])

const titlesBelow = async (): Promise<string[]> =>
  resultsOf((await ines.call('listBlockChildren', { path: { block_id: story.pages.launchPlan } })).body)
    .filter(({ type }) => type === 'child_page')
    .map((page) => textAt(page, 'child_page', 'title'))

it('a question is answered with passages of pages that the agent and the caller can reach', async () => {
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

it('a page that is proposed is made once it is approved, and named as what the turn has made', async () => {
  const session = await talk(ines, { agent_id: agent, message: 'Create page "Bolt order" with "Eight M20\nTwo spare"' })
  expect(session['required_actions']).toMatchObject([{ title: expect.stringContaining('Bolt order') as string }])
  expect(await titlesBelow()).not.toContain('Bolt order')
  await ines.call('createSession', { body: decision(session, 'approve') })
  expect(await stopped(ines, String(session['id']))).toMatchObject({ status: 'completed', tool_types: ['create_page'] })
  expect((await titlesBelow()).filter((title) => title === 'Bolt order')).toHaveLength(1)
})

it('the personal agent of a member reaches what the member reaches', async () => {
  const session = await talk(ines, { message: `append "Ahoy" to "${story.pages.checklist}"` })
  await ines.call('createSession', { body: decision(session, 'approve') })
  await stopped(ines, String(session['id']))
  expect(plainTexts(await children(ines, story.pages.checklist)).at(-1)).toBe('Ahoy')
})
