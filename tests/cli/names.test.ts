import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makePage } from '../harness/content.ts'
import { at, resultsOf, textAt } from '../harness/json.ts'
import { servedCommandLine } from './support.ts'

const { server, cli } = await servedCommandLine()
const { workspace, connection, people, agents, pages } = exampleWorkspace

describe('a command accepts the name of', () => {
  it('a workspace, in upper or lower case', async () => {
    expect(await cli.json('workspace', 'show', workspace.name.toUpperCase())).toMatchObject({ id: workspace.id })
    expect(resultsOf(await cli.json('user', 'list', '--workspace', workspace.name))).not.toEqual([])
  })

  it('a connection', async () => {
    expect(await cli.json('connection', 'show', connection.name)).toMatchObject({ id: connection.id })
    const made = await cli.json('connection', 'create', 'Crate Counter', '--share', 'Launch day plan')
    await cli.json('connection', 'share', 'crate counter', 'Safety checklist')
    const { shares } = await cli.json('connection', 'show', 'Crate Counter')
    expect(resultsOf({ results: shares ?? [] }).map(({ item_id: item }) => item)).toEqual([pages.launchPlan, pages.checklist])
    for (const words of [['disable'], ['enable'], ['rotate'], ['update', '--rate-limit', '5'], ['delete', '--yes']]) {
      const [command = '', ...options] = words
      expect(await cli.json('connection', command, 'Crate Counter', ...options)).toMatchObject({ id: made['id'] })
    }
  })

  it('a person', async () => {
    expect(await cli.json('user', 'role', people[1].name, 'guest')).toMatchObject({ id: people[1].id })
    expect(await cli.json('user', 'role', people[1].name.toLowerCase(), 'member')).toMatchObject({ id: people[1].id })
    expect(await cli.json('token', 'create', '--user', people[0].name)).toMatchObject({ user_id: people[0].id })
  })

  it('a group', async () => {
    const id = textAt(await cli.json('group', 'create', 'Riggers'), 'id')
    expect(await cli.json('group', 'add', 'riggers', people[0].name)).toMatchObject({ id, added: [people[0].id] })
    expect(await cli.json('group', 'update', 'Riggers', '--name', 'Sailmakers')).toMatchObject({ id })
    expect(await cli.json('group', 'show', 'Sailmakers')).toMatchObject({ id })
  })

  it('an agent', async () => {
    const shown = await cli.json('agent', 'show', 'Parts Scout')
    expect(shown).toMatchObject({ id: agents.partsScout })
    expect(await cli.json('agent', 'share', 'Parts Scout', '--connection', connection.name, '--level', 'edit')).toMatchObject({
      id: agents.partsScout,
    })
    expect(await cli.json('agent', 'update', 'parts scout', '--credit-limit', '7')).toMatchObject({ id: agents.partsScout })
    expect(await cli.json('agent', 'delete', 'Parts Scout')).toMatchObject({ id: agents.partsScout })
    expect(await cli.json('agent', 'restore', 'Parts Scout')).toMatchObject({ id: agents.partsScout })
  })

  it('a page or database', async () => {
    expect(await cli.json('access', 'set', 'Boat register', people[1].email, 'read')).toMatchObject({
      id: exampleWorkspace.boatRegister,
    })
    expect(at(await cli.json('access', 'show', 'boat register'), 'rules', 0, 'subject')).toBe(people[1].id)
    expect(await cli.json('access', 'clear', 'Boat register', people[1].name)).toMatchObject({ cleared: true })
    expect(resultsOf(await cli.json('discussion', 'list', 'Launch day plan'))).not.toEqual([])
  })

  it('a webhook subscription, or its address', async () => {
    const url = 'https://hooks.example/in'
    const body = { url, event_types: ['page.created'], name: 'Yard bell' }
    const made = await server.owner.call('createWebhookSubscription', { body })
    expect(made.status, made.text).toBe(200)
    for (const text of ['yard bell', url])
      expect(await cli.json('webhook', 'show', text)).toMatchObject({ id: textAt(made.body, 'id') })
    expect(resultsOf(await cli.json('webhook', 'list', '--connection', connection.name))).toHaveLength(1)
  })
})

describe('an ambiguous name', () => {
  beforeAll(async () => {
    for (const name of ['Tides', 'tides']) await cli.json('connection', 'create', name)
    for (const name of ['Winch', 'Winch']) await cli.json('connection', 'create', name)
    for (const email of ['a@x.example', 'b@x.example']) await cli.json('user', 'create', email, '--name', 'Sam Lee')
    for (const title of ['Log', 'Log']) await makePage(server.owner, title)
  })

  it('is accepted when its case matches only one of several names', async () => {
    expect(await cli.json('connection', 'show', 'tides')).toMatchObject({ name: 'tides' })
    expect(await cli.json('connection', 'show', 'Tides')).toMatchObject({ name: 'Tides' })
  })

  it.each([
    [['connection', 'disable', 'TIDES'], /2 connections are named "TIDES"\. Choose one by its id: [0-9a-f-]{36} \(Tides\), /],
    [['connection', 'delete', 'Winch', '--yes'], /2 connections are named "Winch"/],
    [['user', 'remove', 'Sam Lee'], /2 members are named "Sam Lee"/],
    [['access', 'close', 'Log', people[0].email], /2 pages and databases are named "Log"/],
  ])('is refused when several names match equally: %j', async (words, message) => {
    expect(await cli.refusal(words, 2)).toMatch(message)
  })
})

describe('an unknown name', () => {
  it.each([
    [['workspace', 'show', 'Nowhere'], /No workspace is named "Nowhere"\. List all with: workspace-service workspace list/],
    [['connection', 'rotate', 'Nobody'], /No connection is named "Nobody"/],
    [['user', 'role', 'Nobody', 'guest'], /No member is named "Nobody"/],
    [['group', 'show', 'Nobody'], /No group is named "Nobody"/],
    [['agent', 'show', 'Nobody'], /No agent is named "Nobody"/],
    [['access', 'show', 'Nothing'], /No page or database is named "Nothing"/],
    [['webhook', 'show', 'Nothing'], /No webhook subscription is named "Nothing"/],
  ])('is refused with a hint: %j', async (words, message) => {
    expect(await cli.refusal(words, 1)).toMatch(message)
  })
})

describe('a name of 201 characters, with a line break or with a direction override is refused without a change by', () => {
  const commands: readonly (readonly [string, (name: string) => readonly string[]])[] = [
    ['workspace create', (name) => ['workspace', 'create', name]],
    ['workspace rename', (name) => ['workspace', 'rename', workspace.name, name]],
    ['user create', (name) => ['user', 'create', 'rita@boats.example', '--name', name]],
    ['group create', (name) => ['group', 'create', name]],
    ['group update', (name) => ['group', 'update', 'Sailmakers', '--name', name]],
    ['connection create', (name) => ['connection', 'create', name]],
    ['connection update', (name) => ['connection', 'update', connection.name, '--name', name]],
    ['connection update --developer-name', (name) => ['connection', 'update', connection.name, '--developer-name', name]],
    ['agent create', (name) => ['agent', 'create', name]],
    ['agent update', (name) => ['agent', 'update', 'Parts Scout', '--name', name]],
    ['token create', (name) => ['token', 'create', '--user', people[0].name, '--name', name]],
  ]

  it.each(commands)('%s', async (_command, words) => {
    expect(await cli.refusal(words('n'.repeat(201)), 1)).toContain('A name must have 1 to 200 characters; this one has 201.')
    expect(await cli.refusal(words('Tide\ntable'), 1)).toContain('this one has U+000A at 4.')
    expect(await cli.refusal(words('Tide\u202etable'), 1)).toContain('this one has U+202E at 4.')
  })
})

it('connection create accepts a name of 200 supplementary characters, and trims spaces', async () => {
  expect(await cli.json('connection', 'create', `  ${'🌊'.repeat(200)}  `)).toMatchObject({ name: '🌊'.repeat(200) })
})
