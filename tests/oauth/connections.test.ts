import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { authorize, decide, makeClient, type Authorization } from '../harness/oauth.ts'
import { expectError } from '../harness/expectations.ts'
import { serverOfFile } from '../harness/server.ts'

const [ines, other] = [exampleWorkspace.people[0], exampleWorkspace.people[1]]
const PATH = '/connections'
const server = await serverOfFile()

async function signedIn(email: string = ines.email): Promise<Browser> {
  const browser = new Browser(server)
  await browser.signIn(server, email)
  return browser
}

/** The hidden fields of the form that revokes the access of a bot. */
async function formOf(browser: Browser, botId: string): Promise<Record<string, string>> {
  const forms = (await browser.open(PATH)).text.match(/<form\b[\s\S]*?<\/form>/g) ?? []
  return hiddenFields(forms.find((form) => form.includes(botId)) ?? '')
}

const mayCall = async ({ caller }: Authorization): Promise<number> => (await caller.call('retrieveMe')).status

describe('GET /connections', () => {
  it('303 to the sign-in page, and back to the list, for a browser without a session', async () => {
    const browser = new Browser(server)
    const first = await browser.open(PATH)
    expect([first.status, first.headers.location]).toEqual([303, `${server.url}/sign-in?return_to=%2Fconnections`])
    await browser.signIn(server, ines.email)
    const back = await browser.open(String(first.headers.location))
    expect([back.status, back.headers.location]).toEqual([303, `${server.url}${PATH}`])
  })

  it('200 with a message when no connection is authorized', async () => {
    expect((await (await signedIn(other.email)).open(PATH)).text).toContain('You have not connected anything.')
  })

  it('200 with name, rights, workspace and shared pages of each connection that this person authorized', async () => {
    const client = await makeClient(server, {
      name: 'Mooring <b>Log</b>',
      capabilities: ['read_content'],
      developerName: 'Harbor',
    })
    const { botId } = await authorize(server, client, {
      pages: [exampleWorkspace.pages.handbook, exampleWorkspace.pages.checklist],
    })
    const { text } = await (await signedIn()).open(PATH)
    for (const part of [
      'Mooring &lt;b&gt;Log&lt;/b&gt;',
      'Made by Harbor. In Northshore Boatworks since',
      'Read the pages and databases that you share',
      'It will not see who is in the workspace',
      '“Safety checklist”',
      botId,
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Add pages')
    expect((await (await signedIn(other.email)).open(PATH)).text).not.toContain(botId)
  })
})

describe('POST /connections/revoke', () => {
  it("303, after which the connection's tokens get 401 and the list omits it, while other authorizations stay", async () => {
    const client = await makeClient(server)
    const mine = await authorize(server, client)
    const theirs = await authorize(server, client, { email: other.email })
    const browser = await signedIn()
    const response = await browser.submit('/connections/revoke', await formOf(browser, mine.botId))
    expect([response.status, response.headers.location]).toEqual([303, `${server.url}${PATH}?revoked=yes`])
    const page = await browser.open(String(response.headers.location))
    expect(page.text).toContain('The connection has no access any more.')
    expect(page.text).not.toContain(mine.botId)
    expect([await mayCall(mine), await mayCall(theirs)]).toEqual([401, 200])
    const refreshed = await client.call('createToken', { grant_type: 'refresh_token', refresh_token: mine.refreshToken })
    expect([refreshed.status, refreshed.body['error']]).toEqual([400, 'invalid_grant'])
  })

  it('303, after which a new authorization of the connection has the same bot without the earlier pages', async () => {
    const client = await makeClient(server)
    const before = await authorize(server, client, { pages: [exampleWorkspace.pages.handbook] })
    const browser = await signedIn()
    await browser.submit('/connections/revoke', await formOf(browser, before.botId))
    const after = await authorize(server, client, { pages: [exampleWorkspace.pages.launchPlan] })
    expect(after.botId).toBe(before.botId)
    expectError(
      await after.caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } }),
      404,
      'object_not_found',
    )
  })

  it("404 for another person's authorization, for one in another workspace, for a revoked one, and for a malformed id", async () => {
    const theirs = await authorize(server, await makeClient(server), { email: other.email })
    const mine = await authorize(server, await makeClient(server))
    const elsewhere = await server.service.database.write((db) => createWorkspace(db, 'Elsewhere', server.clock.now()))
    const browser = await signedIn()
    const fields = await formOf(browser, mine.botId)
    for (const wrong of [
      { bot_id: theirs.botId },
      { workspace_id: elsewhere },
      { bot_id: 'x\0' },
      { workspace_id: '' },
      { bot_id: ines.id },
    ]) {
      const response = await browser.submit('/connections/revoke', { ...fields, ...wrong })
      expect(response.status).toBe(404)
      expect(response.text).toContain('You have no such connection.')
    }
    expect([await mayCall(mine), await mayCall(theirs)]).toEqual([200, 200])
    await browser.submit('/connections/revoke', fields)
    expect((await browser.submit('/connections/revoke', fields)).status).toBe(404)
  })

  it('403 without the form token of the session, and 303 to the sign-in page without a session; neither revokes anything', async () => {
    const mine = await authorize(server, await makeClient(server))
    const browser = await signedIn()
    const fields = await formOf(browser, mine.botId)
    for (const token of ['', hiddenFields((await (await signedIn()).open(PATH)).text)['csrf_token'] ?? ''])
      expect((await browser.submit('/connections/revoke', { ...fields, csrf_token: token })).status).toBe(403)
    expect((await new Browser(server).submit('/connections/revoke', fields)).headers.location).toContain('/sign-in?')
    expect(await mayCall(mine)).toBe(200)
  })

  it('the list of connections omits an authorization whose code was not exchanged yet', async () => {
    const client = await makeClient(server, { name: 'Never exchanged' })
    await decide(server, client, 'allow')
    expect((await (await signedIn()).open(PATH)).text).not.toContain('Never exchanged')
  })
})
