import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { commentOn, commentTexts } from '../harness/comments.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { at, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { InProcessCommandLine } from './support.ts'

const [ines, tomas, aiko] = exampleWorkspace.people
const { launchPlan, checklist, handbook } = exampleWorkspace.pages
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** A running service, and the tokens of three members. */
const database = await databaseOfFile()
let server: TestServer
let cli: InProcessCommandLine
const tokens = new Map<string, string>()
beforeAll(async () => {
  const clock = new TestClock()
  clock.advance(Date.now() - clock.now())
  server = await startTestServer({ DATABASE_URL: database.url }, clock)
  cli = new InProcessCommandLine(database.url)
  for (const { id, email } of exampleWorkspace.people)
    tokens.set(id, textAt(await cli.json('token', 'create', '--user', email), 'token'))
})
afterAll(() => server.stop())

const meStatus = async ({ id }: { id: string }): Promise<number> =>
  (await server.caller(tokens.get(id)).call('retrieveMe')).status
const readStatus = async ({ id }: { id: string }, pageId: string): Promise<number> =>
  (await server.caller(tokens.get(id)).call('retrievePage', { path: { page_id: pageId } })).status
const lock = async ({ id }: { id: string }, pageId: string): Promise<number> =>
  (
    await server
      .caller(tokens.get(id))
      .call('updatePage', { path: { page_id: pageId }, body: { icon: { type: 'emoji', emoji: '⛵' } } })
  ).status

describe('a role', () => {
  it('that is changed applies to existing tokens', async () => {
    expect(await cli.json('user', 'role', aiko.email, 'guest')).toEqual({ id: aiko.id, role: 'guest' })
    expect(resultsOf(await cli.json('user', 'list')).find(({ id }) => id === aiko.id)).toMatchObject({ role: 'guest' })
    expect(await meStatus(aiko)).toBe(401)
    const { output } = await cli.run(['user', 'role', aiko.id, 'owner'])
    expect(output).toBe(`${aiko.id} is now an owner.\n`)
    expect(await meStatus(aiko)).toBe(200)
    await cli.json('user', 'role', aiko.email, 'member')
  })
})

describe('policies and groups of a workspace', () => {
  it('decide whose personal tokens work', async () => {
    const works = async (): Promise<boolean[]> =>
      (await Promise.all([ines, tomas, aiko].map(meStatus))).map((status) => status === 200)
    const update = ['workspace', 'update', exampleWorkspace.workspace.id, '--token-holders']
    expect(await cli.json(...update, 'owners')).toEqual({
      id: exampleWorkspace.workspace.id,
      installers: 'members',
      token_holders: 'owners',
      credits: null,
      default_agent_credit_limit: null,
    })
    expect(await works()).toEqual([true, false, false])
    await cli.json(...update, 'groups')
    const made = await cli.json('group', 'create', 'Riggers', '--personal-tokens')
    const id = textAt(made, 'id')
    expect(made).toEqual({ id, name: 'Riggers', personal_tokens: true })
    expect(await cli.json('group', 'add', id, tomas.email, aiko.id)).toEqual({ id, added: [tomas.id, aiko.id] })
    expect(await works()).toEqual([true, true, true])
    expect(await cli.json('group', 'remove', id, aiko.email)).toEqual({ id, removed: [aiko.id] })
    expect(await works()).toEqual([true, true, false])
    expect(await cli.json('group', 'show', id)).toMatchObject({ name: 'Riggers', members: [{ id: tomas.id, role: 'member' }] })
    expect(await cli.json('group', 'update', id, '--no-personal-tokens', '--name', 'Former riggers')).toMatchObject({
      name: 'Former riggers',
      personal_tokens: false,
    })
    expect(await works()).toEqual([true, false, false])
    expect(resultsOf(await cli.json('group', 'list'))).toMatchObject([{ id, name: 'Former riggers', personal_tokens: false }])
    await cli.json(...update, 'members')
    expect(await works()).toEqual([true, true, true])
  })

  it('appear in the output of their show commands', async () => {
    await cli.json('workspace', 'update', exampleWorkspace.workspace.id, '--installers', 'owners')
    expect(await cli.json('workspace', 'show', exampleWorkspace.workspace.id)).toEqual({
      id: exampleWorkspace.workspace.id,
      name: exampleWorkspace.workspace.name,
      suspended_time: null,
      installers: 'owners',
      token_holders: 'members',
      credits: null,
      default_agent_credit_limit: null,
      ...(await cli.json('workspace', 'quota', exampleWorkspace.workspace.id)),
    })
    const { output } = await cli.run(['workspace', 'show', exampleWorkspace.workspace.id])
    expect(output).toMatch(/^Connections are authorized by: owners$/m)
    await cli.json('workspace', 'update', exampleWorkspace.workspace.id, '--installers', 'members')
  })

  it('gain all named people, or none if one is unknown', async () => {
    const id = textAt(await cli.json('group', 'create', 'Painters'), 'id')
    expect(await cli.refusal(['group', 'add', id, tomas.email, 'nobody@northshore.example'], 1)).toContain(
      'No member of the workspace has',
    )
    expect(await cli.refusal(['group', 'remove', id, tomas.email], 1)).toContain('is not in this group')
    expect((await cli.json('group', 'show', id))['members']).toEqual([])
  })
})

describe('access to a page', () => {
  it('is set for a member or for everybody, and cleared', async () => {
    const set = { id: launchPlan, subject: tomas.id, level: 'read' }
    expect(await cli.json('access', 'set', launchPlan, tomas.email, 'read')).toEqual(set)
    expect([await readStatus(tomas, launchPlan), await lock(tomas, launchPlan)]).toEqual([200, 403])
    await cli.json('access', 'set', launchPlan, 'everybody', 'none')
    expect([await readStatus(aiko, launchPlan), await readStatus(tomas, launchPlan)]).toEqual([404, 200])
    expect(await cli.json('access', 'show', launchPlan)).toMatchObject({
      id: launchPlan,
      rules: expect.arrayContaining([
        { item_id: launchPlan, subject: 'everybody', level: 'none' },
        { item_id: launchPlan, subject: tomas.id, level: 'read' },
      ]),
    })
    expect(await cli.json('access', 'clear', launchPlan, tomas.email)).toMatchObject({ subject: tomas.id, cleared: true })
    expect(await readStatus(tomas, launchPlan)).toBe(404)
    await cli.json('access', 'clear', launchPlan, 'everybody')
    expect([await readStatus(tomas, launchPlan), await readStatus(aiko, launchPlan)]).toEqual([200, 200])
    expect(await cli.refusal(['access', 'clear', launchPlan, 'everybody'], 1)).toContain('has no rule of its own for everybody')
  })

  it('is closed, with everything below the page, to everybody but one member', async () => {
    await cli.json('access', 'set', handbook, tomas.email, 'full')
    expect(await cli.json('access', 'close', handbook, ines.email)).toEqual({ id: handbook, person_id: ines.id, closed: true })
    expect([await readStatus(ines, checklist), await readStatus(tomas, checklist)]).toEqual([200, 404])
    expect((await server.owner.call('retrievePage', { path: { page_id: checklist } })).status).toBe(200)
    const rules = at(await cli.json('access', 'show', checklist), 'rules')
    expect(rules).toEqual([
      { item_id: handbook, subject: 'everybody', level: 'none' },
      { item_id: handbook, subject: ines.id, level: 'full' },
    ])
    await cli.json('access', 'clear', handbook, 'everybody')
    await cli.json('access', 'clear', handbook, ines.id)
    expect((await cli.run(['access', 'show', checklist])).output).toMatch(/^No rule applies to it/)
  })
})

describe('a public connection', () => {
  it('is removed from one workspace together with its tokens', async () => {
    const client = await makeClient(server, { name: 'Comes and goes' })
    const { caller } = await authorize(server, client, { pages: [checklist] })
    expect((await caller.call('retrieveMe')).status).toBe(200)
    const remove = ['connection', 'remove', client.connectionId]
    expect(await cli.refusal(remove, 2)).toContain('Add --yes')
    expect(await cli.json(...remove, '--yes')).toEqual({
      id: client.connectionId,
      workspace_id: exampleWorkspace.workspace.id,
      removed: true,
    })
    expect((await caller.call('retrieveMe')).status).toBe(401)
    expect(await cli.refusal([...remove, '--yes'], 1)).toContain('Nobody has authorized this connection')
  })
})

describe('a discussion', () => {
  it('is resolved and reopened', async () => {
    const id = textAt(await commentOn(server.owner, checklist, 'Mind the sill'), 'discussion_id')
    expect(await commentTexts(server.owner, checklist)).toContain('Mind the sill')
    expect(await cli.json('discussion', 'resolve', id)).toEqual({ id, resolved: true })
    expect(await commentTexts(server.owner, checklist)).not.toContain('Mind the sill')
    const listed = async (): Promise<JsonObject | undefined> =>
      resultsOf(await cli.json('discussion', 'list', checklist)).find((row) => row['id'] === id)
    expect(await listed()).toMatchObject({ comments: expect.any(Number), resolved_time: expect.any(String) })
    expect(await cli.json('discussion', 'reopen', id)).toEqual({ id, resolved: false })
    expect(await listed()).toMatchObject({ resolved_time: null })
    expect(await commentTexts(server.owner, checklist)).toContain('Mind the sill')
  })
})

const refused: readonly [words: readonly string[], code: number, message: RegExp][] = [
  [['user', 'role', ines.email, 'king'], 2, /Allowed choices are owner, member, restricted, guest/],
  [
    ['user', 'role', 'nobody@northshore.example', 'guest'],
    1,
    /No member of the workspace has the id or email address nobody@northshore\.example/,
  ],
  [['workspace', 'update', exampleWorkspace.workspace.id], 2, /Nothing to change: give at least one option/],
  [['workspace', 'update', exampleWorkspace.workspace.id, '--installers', 'all'], 2, /Allowed choices are owners, members/],
  [['connection', 'remove', exampleWorkspace.connection.id, '--yes'], 1, /internal connection belongs to one workspace/],
  [['group', 'create', ' '], 1, /A name must have 1 to 200 characters/],
  [['group', 'show', NOBODY], 1, /No group has the id .* workspace-service group list/],
  [['group', 'add', NOBODY, ines.email], 1, /No group has the id/],
  [['group', 'update', NOBODY], 2, /Nothing to change: give at least one option/],
  [['access', 'set', handbook, ines.email, 'write'], 2, /Allowed choices are none, read, edit, full/],
  [['access', 'set', NOBODY, 'everybody', 'none'], 1, /No page or database of the workspace has/],
  [['access', 'set', exampleWorkspace.workspace.id, 'everybody', 'none'], 1, /No page or database of the workspace has/],
  [['access', 'show', NOBODY], 1, /No page or database of the workspace has/],
  [['access', 'close', NOBODY, ines.email], 1, /No page or database of the workspace has/],
  [['access', 'close', handbook, NOBODY], 1, /No member of the workspace has/],
  [['discussion', 'resolve', NOBODY], 1, /No discussion has the id .* workspace-service discussion list/],
  [['discussion', 'list', NOBODY], 1, /No page or block of the workspace has/],
]

describe('a command about roles, groups, access and discussions', () => {
  it.each(refused)('%j ends with code %i and the reason', async (words, code, message) => {
    expect(await cli.refusal(words, code)).toMatch(message)
  })
})
