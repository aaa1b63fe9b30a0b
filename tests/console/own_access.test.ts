import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson, setPassword } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller, consoleOperations } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const PASSWORD = 'gulls mind the falling tide'
const server = await serverOfFile()
const { database } = server.service

const signedIn = (email: string = ines.email): Promise<ConsoleCaller> => ConsoleCaller.of(server, email)
const idsIn = (list: unknown): unknown[] =>
  (list as { results: { id?: string; bot_id?: string }[] }).results.map((one) => one.id ?? one.bot_id)
const acts = async (): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 100))).map(
    ({ action, object_name: name }) => `${action} ${name}`,
  )

/** A new person with a role in the example workspace. */
async function person(email: string, role: 'owner' | 'member' | 'guest'): Promise<string> {
  return database.write((db) => createPerson(db, { workspaceId, email, name: 'Nora', role }, server.clock.now()))
}

describe('every operation of the console', () => {
  const parameters = {
    workspace_id: workspaceId,
    bot_id: exampleWorkspace.bot.id,
    token_id: exampleWorkspace.bot.id,
    session_id: '0'.repeat(32),
    request_id: exampleWorkspace.bot.id,
    subscription_id: exampleWorkspace.bot.id,
    event_id: exampleWorkspace.bot.id,
    action_id: exampleWorkspace.bot.id,
    connection_id: exampleWorkspace.bot.id,
    item_id: exampleWorkspace.bot.id,
    subject: 'everybody',
    person_id: exampleWorkspace.bot.id,
    group_id: exampleWorkspace.bot.id,
  }

  it('401 without a session', async () => {
    const nobody = await ConsoleCaller.of(server, undefined)
    for (const { id } of consoleOperations) expect([id, (await nobody.call(id, { path: parameters })).status]).toEqual([id, 401])
  })

  it('403 for a change without the token of this session', async () => {
    const [caller, stranger] = [await signedIn(), await signedIn(other.email)]
    const foreign = (await stranger.call('retrieveSession')).body['csrf_token']
    for (const { id, method } of consoleOperations.filter(({ method }) => method !== 'get'))
      for (const csrf of [null, '', String(foreign)])
        expect([id, method, (await caller.call(id, { path: parameters, csrf })).status]).toEqual([id, method, 403])
  })
})

describe('retrieveSession', () => {
  it('200 with the person, the roles, and whether tokens are allowed', async () => {
    await person('guest@boats.example', 'guest')
    const { body } = await (await signedIn('guest@boats.example')).call('retrieveSession')
    expect(body).toMatchObject({
      email: 'guest@boats.example',
      has_password: false,
      workspaces: [{ id: workspaceId, role: 'guest', may_hold_tokens: false }],
    })
  })
})

describe('personal tokens', () => {
  const settings = { workspace_id: workspaceId, name: 'Tide table', days: 30 }

  it('200 with a token that works until it is revoked, and is never shown again', async () => {
    const caller = await signedIn()
    const made = await caller.call('createOwnToken', { body: settings })
    const { token, personal_token: described } = made.body as { token: string; personal_token: { id: string } }
    const program = server.caller(token)
    expect(made.body['command']).toContain(`-H 'Authorization: Bearer ${token}'`)
    expect((await program.call('retrieveMe')).body).toMatchObject({ id: ines.id })
    const { body: list } = await caller.call('listOwnTokens')
    expect(list['results']).toContainEqual(described)
    expect(JSON.stringify(list)).not.toContain(token)
    const left = await caller.call('deleteOwnToken', { path: { workspace_id: workspaceId, token_id: described.id } })
    expect(idsIn(left.body)).not.toContain(described.id)
    expect((await program.call('retrieveMe')).status).toBe(401)
    expect(await acts()).toEqual(
      expect.arrayContaining(['personal_token.created Tide table', 'personal_token.revoked Tide table']),
    )
  })

  it('403 for guests and for workspaces of other people, 400 when a field is invalid', async () => {
    await person('guest2@boats.example', 'guest')
    const elsewhere = await database.write((db) => createWorkspace(db, 'Elsewhere', server.clock.now()))
    expect((await (await signedIn('guest2@boats.example')).call('createOwnToken', { body: settings })).status).toBe(403)
    const caller = await signedIn()
    expect((await caller.call('createOwnToken', { body: { ...settings, workspace_id: elsewhere } })).status).toBe(403)
    const { status, body } = await caller.call('createOwnToken', { body: { ...settings, days: 8 } })
    expect([status, body['message']]).toEqual([400, expect.stringContaining('body.days')])
  })

  it("404 for another person's token, which stays valid", async () => {
    const theirs = await (await signedIn(other.email)).call('createOwnToken', { body: settings })
    const { token, personal_token: described } = theirs.body as { token: string; personal_token: { id: string } }
    const path = { workspace_id: workspaceId, token_id: described.id }
    expect((await (await signedIn()).call('deleteOwnToken', { path })).status).toBe(404)
    expect((await server.caller(token).call('retrieveMe')).status).toBe(200)
  })
})

describe('authorized connections', () => {
  it('200 with the capabilities and pages of each; 404 after access was revoked', async () => {
    const mine = await authorize(server, await makeClient(server, { name: 'Mooring <b>Log</b>', capabilities: ['read_content'] }))
    const theirs = await authorize(server, await makeClient(server), { email: other.email })
    const caller = await signedIn()
    const { body } = await caller.call('listAuthorizedConnections')
    expect(body['results']).toContainEqual(
      expect.objectContaining({
        bot_id: mine.botId,
        name: 'Mooring <b>Log</b>',
        capabilities: [
          { words: 'Read the pages and databases that you share', is_given: true },
          { words: 'It will not see who is in the workspace', is_given: false },
        ],
        shared: [expect.objectContaining({ id: exampleWorkspace.pages.handbook, title: 'Workshop handbook' })],
      }),
    )
    expect(idsIn(body)).not.toContain(theirs.botId)
    const path = { workspace_id: workspaceId, bot_id: mine.botId }
    expect(idsIn((await caller.call('deleteAuthorizedConnection', { path })).body)).not.toContain(mine.botId)
    expect((await mine.caller.call('retrieveMe')).status).toBe(401)
    expect(await acts()).toContain('connection.access_removed Mooring <b>Log</b>')
    for (const botId of [mine.botId, theirs.botId])
      expect((await caller.call('deleteAuthorizedConnection', { path: { ...path, bot_id: botId } })).status).toBe(404)
    expect((await theirs.caller.call('retrieveMe')).status).toBe(200)
  })
})

describe('sessions and password', () => {
  it("200 with a session for each of the person's browsers; deleting a session signs its browser out", async () => {
    await person('two@boats.example', 'member')
    const [here, there] = [await signedIn('two@boats.example'), await signedIn('two@boats.example')]
    const { results } = (await here.call('listBrowserSessions')).body as { results: { id: string; is_current: boolean }[] }
    expect(results.map(({ is_current }) => is_current).toSorted()).toEqual([false, true])
    const away = results.find(({ is_current }) => !is_current)?.id ?? ''
    const stranger = await signedIn()
    expect((await stranger.call('deleteBrowserSession', { path: { session_id: away } })).status).toBe(404)
    expect(idsIn((await here.call('deleteBrowserSession', { path: { session_id: away } })).body)).toHaveLength(1)
    expect((await there.call('listBrowserSessions')).status).toBe(401)
    expect((await here.call('deleteBrowserSession', { path: { session_id: away } })).status).toBe(404)
  })

  it('200 when the password is set, which ends other sessions; 400 when it is weak or the current one is wrong', async () => {
    await person('three@boats.example', 'member')
    const [here, there] = [await signedIn('three@boats.example'), await signedIn('three@boats.example')]
    const weak = await here.call('updatePassword', { body: { new_password: 'password1' } })
    expect([weak.status, weak.body['message']]).toEqual([400, expect.stringContaining('common')])
    expect((await here.call('updatePassword', { body: { new_password: PASSWORD } })).status).toBe(200)
    expect((await there.call('retrieveSession')).status).toBe(401)
    const wrong = { current_password: 'no', new_password: `${PASSWORD} again` }
    expect((await here.call('updatePassword', { body: wrong })).status).toBe(400)
    const right = { ...wrong, current_password: PASSWORD }
    expect((await here.call('updatePassword', { body: right })).status).toBe(200)
    expect(await acts()).toContain('password.changed three@boats.example')
  })

  it('429 after too many wrong passwords', async () => {
    await person('four@boats.example', 'member')
    await database.write((db) => setPassword(db, 'four@boats.example', PASSWORD))
    const caller = await signedIn('four@boats.example')
    const body = { current_password: 'no', new_password: `${PASSWORD} again` }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 30 && statuses.at(-1) !== 429; attempt += 1)
      statuses.push((await caller.call('updatePassword', { body })).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the page of the console', () => {
  it('303 to the sign-in page when the browser has no session, and back after sign-in', async () => {
    const { browser } = await ConsoleCaller.of(server, undefined)
    const first = await browser.open('/console/tokens')
    expect([first.status, first.headers.location]).toEqual([303, `${server.url}/sign-in?return_to=%2Fconsole%2Ftokens`])
    await browser.signIn(server, ines.email)
    expect((await browser.open(String(first.headers.location))).headers.location).toBe(`${server.url}/console/tokens`)
  })

  it('is linked from the page of a signed-in person', async () => {
    const { browser } = await signedIn()
    expect((await browser.open('/sign-in')).text).toContain('<a href="/console">Console</a>')
  })

  it('200 at every path below /console, with a policy that allows only its own files', async () => {
    const { browser } = await signedIn()
    for (const path of ['/console', '/console/tokens', '/console/nothing/here']) {
      const { status, headers, text } = await browser.open(path)
      expect([status, text.includes('<div id="app">'), text.includes('__BASE__')]).toEqual([200, true, false])
      expect(headers['content-security-policy']).not.toContain('unsafe')
      const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
      expect(files).toHaveLength(2)
      for (const file of files) expect((await fetch(server.url + file)).headers.get('cache-control')).toContain('immutable')
    }
  })
})
