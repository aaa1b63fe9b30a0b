import { beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { insertDelivery } from '../../server/domain/events/webhooks/insert_delivery.ts'
import { findRefusedRequest } from '../../server/store/refused_requests.ts'
import { makeAgent, share } from '../harness/agents.ts'
import { describeInBrowser } from '../harness/chromium.ts'
import { makeConnection } from '../harness/connections.ts'
import { children, makePage, plainTexts } from '../harness/content.ts'
import { formedEvent, insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { idOf, textAt } from '../harness/json.ts'
import { authorize, basic, makeClient, RETURN_URI, type OAuthClient } from '../harness/oauth.ts'
import { proposing, ScriptedAgents } from '../harness/scripted_agents.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { decision, stopped, talk } from '../harness/sessions.ts'
import { someRows } from '../harness/long_runs.ts'
import { receiverOfFile } from '../harness/webhook_receiver.ts'
import { activated, allowing } from '../harness/webhooks.ts'
import { consoleTabs, HOSTILE, requireSound, SIZES } from './support/console_tabs.ts'

const workspaceId = exampleWorkspace.workspace.id
const SCREENS = [
  '/connections',
  '/agents',
  '/tokens',
  '/sign-in',
  '/requests',
  '/webhooks',
  '/rate-limits',
  '/oauth-apps',
  '/internal-connections',
  '/access',
  '/members',
  '/groups',
  '/audit',
]
const agents = new ScriptedAgents()
let page: string
agents.add(
  'Note',
  proposing(() => page, 'the tide', HOSTILE),
)

const receiver = await receiverOfFile()
const tabs = consoleTabs(() => startTestServer({ REFUSED_BODIES: 'true', ...allowing(receiver) }, undefined, agents))
let server: TestServer
beforeAll(() => {
  server = tabs.server
})

/** Sends a page that is refused. @returns the id of the request, once it is stored */
async function refused(body: object): Promise<string> {
  const { caller } = await makeConnection(server, { name: HOSTILE, capabilities: ['insert_content'] })
  const id = textAt((await caller.call('createPage', { body })).body, 'request_id')
  const { database } = server.service
  await expect
    .poll(async () => (await database.read((db) => findRefusedRequest(db, id))) !== undefined, { timeout: 20_000 })
    .toBe(true)
  return id
}

/** A new webhook subscription. @returns its id */
async function newSubscription(options: object = {}): Promise<string> {
  const made = await makeConnection(server, { name: HOSTILE, capabilities: ['read_content'], grants: [workspaceId] })
  return (await activated(made.caller, receiver, { ...options })).id
}

/** A subscription and a delivery whose texts are hostile. @returns their path in the console */
async function hostileDelivery(): Promise<string> {
  const id = await newSubscription({ name: HOSTILE })
  const event = { ...formedEvent(id), type: HOSTILE }
  await server.service.database.write(async (db) => {
    await insertDelivery(db, [{ homeId: workspaceId, subscriptionId: id, events: [event] }], server.clock.now())
    await db.run('update webhook_subscriptions set url = ? where id = ?', `javascript:${HOSTILE}`, id)
  })
  return `/webhooks/${id}/${event.id}`
}

/** A session that waits for two decisions on a new page. @returns its id */
async function waitingSession(message: string, agentName: string): Promise<string> {
  page = await makePage(server.owner)
  const agentId = await makeAgent(server, { name: agentName, description: agentName })
  await share(server, agentId, { personId: exampleWorkspace.people[0].id }, 'edit')
  return idOf(await talk(server.owner, { agent_id: agentId, message }))
}

describeInBrowser('every screen of the console', () => {
  for (const [name, settings] of someRows(SIZES)) {
    it(`has no findings of axe and does not overflow, with hostile content (${name})`, async () => {
      const client = await makeClient(server, { name: HOSTILE, developerName: HOSTILE })
      await authorize(server, client)
      await makeClient(server, { name: HOSTILE })
      const app = `/oauth-apps/${client.connectionId}`
      const grants = [await makePage(server.owner, HOSTILE), workspaceId]
      const made = await makeConnection(server, { name: HOSTILE, capabilities: [], grants })
      const internal = `/internal-connections/${made.connectionId}`
      const id = await refused({ parent: { page_id: HOSTILE }, markdown: HOSTILE })
      const delivery = await hostileDelivery()
      const session = `/agents/${workspaceId}/${await waitingSession(`Note ${HOSTILE}`, HOSTILE)}`
      const webhook = delivery.slice(0, delivery.lastIndexOf('/'))
      const page = await tabs.open('/connections', settings)
      for (const path of [...SCREENS, `/requests/${id}`, webhook, delivery, session, app, internal]) {
        await tabs.show(page, path)
        await requireSound(page)
      }
    })

    it(`has no findings of axe and does not overflow when it is empty (${name})`, async () => {
      const email = `nobody.${settings.colorScheme}@boats.example`
      const person = { workspaceId, email, name: 'Nobody', role: 'guest' } as const
      await server.service.database.write((db) => createPerson(db, person, server.clock.now()))
      const page = await tabs.open('/connections', settings, email)
      await page.getByText('You have not connected anything').waitFor()
      for (const path of SCREENS) {
        await tabs.show(page, path)
        await requireSound(page)
      }
    })
  }

  it('can be opened from the menu by keyboard, and then has the focus', async () => {
    const page = await tabs.open('/connections')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()).toMatchObject({ x: 16 })
    await page.getByRole('link', { name: 'Tokens' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    expect(await page.title()).toBe('Tokens · Console')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
  })

  it('opens the menu on a phone', async () => {
    const page = await tabs.open('/connections', SIZES[1][1])
    await page.getByRole('button', { name: 'Menu' }).click()
    await requireSound(page)
    await page.getByRole('link', { name: 'Sign-in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign-in' }).waitFor()
    expect(await page.getByRole('link', { name: 'Tokens' }).isVisible()).toBe(false)
  })

  it('loads at most 120 KB, compressed', async () => {
    const { cookies } = await tabs.open('/connections').then((page) => page.context().storageState())
    const headers = { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '), 'Accept-Encoding': 'gzip' }
    const page = await (await fetch(`${server.url}/console`, { headers })).text()
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    let bytes = 0
    for (const file of files) {
      const response = await fetch(server.url + file, { headers })
      expect(response.headers.get('content-encoding')).toBe('gzip')
      bytes += (await import('node:zlib')).gzipSync(await response.text()).length
    }
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(120_000)
  })
})

describeInBrowser('in the console, a member', () => {
  it('creates a token, uses it, and revokes it', async () => {
    const page = await tabs.open('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Tide table')
    await requireSound(page)
    await page.getByRole('combobox', { name: 'Lifetime' }).selectOption('7 days')
    await page.getByRole('button', { name: 'Make token' }).click()
    const token = await page.locator('.secret code').textContent()
    await requireSound(page)
    const program = server.caller(token ?? '')
    expect((await program.call('retrieveMe')).status).toBe(200)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.content()).not.toContain(token)
    await page.getByRole('button', { name: 'Revoke Tide table' }).click()
    await requireSound(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Revoke Tide table' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke Tide table' }).waitFor({ state: 'detached' })
    expect((await program.call('retrieveMe')).status).toBe(401)
  })

  it('finds a refused request by its id, and the reason for the refusal', async () => {
    const id = await refused({ parent: { page_id: 'harbor' } })
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Refused requests' }).click()
    await page.getByLabel('Request id').fill(id)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('body.parent.page_id should be').waitFor()
    expect(await page.locator('mark').allTextContents()).toEqual([expect.stringContaining('"page_id": "harbor"')])
    expect(await page.getByRole('link', { name: 'createPage in the reference' }).getAttribute('href')).toBe(
      '/docs/operations/createPage',
    )
    expect(await page.getByLabel('Command').textContent()).toContain(`curl -X POST '${server.url}/v1/pages'`)
    await page.getByRole('link', { name: 'All refused requests' }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('404')
    await page.getByText('No refused request matches').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('400')
    await page.locator(`a[href$="${id}"]`).waitFor()
  })

  it('sends a waiting delivery now and a delivered one again, pauses its subscription, and resumes it', async () => {
    const id = await newSubscription({ name: 'Stock mirror', path: 'once' })
    receiver.respondWith((response) => response.writeHead(503).end(), 'once')
    const [event = ''] = await insertDeliveries(server, id)
    await untilIdle(server)
    receiver.respondWith(undefined, 'once')
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: 'Stock mirror' }).click()
    await page.getByText('The receiver responded with status 503.').waitFor()
    await page.getByRole('link', { name: 'page.created' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Delivered').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => receiver.events('once').map(({ body }) => body['id'])).toEqual([event, event, event])
    await page.getByText('Delivered').waitFor()
    await page.getByRole('link', { name: 'All deliveries to this receiver' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('are dropped, and cannot be sent later').waitFor()
    await requireSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await page.getByText('The connection or an owner paused it.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  it('approves and rejects what an agent proposes, and sees what follows without reloading', async () => {
    const id = await waitingSession('Note the tide', 'Yard clerk')
    const tab = await tabs.open('/connections')
    await tab.getByRole('link', { name: 'Agents' }).click()
    await tab.getByRole('link', { name: 'Note the tide' }).click()
    await tab.getByRole('button', { name: 'Reject' }).nth(1).click()
    await expect.poll(() => tab.getByRole('button', { name: 'Approve' }).count()).toBe(1)
    await tab.getByRole('button', { name: 'Approve' }).click()
    await tab.getByRole('status').getByText('Completed').waitFor({ timeout: 15_000 })
    await tab.getByText('approve: written; reject: rejected by the user').waitFor()
    expect(plainTexts(await children(server.owner, page))).toEqual(['the tide'])
    expect(await tab.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    const polled: string[] = []
    tab.on('request', (request) => void polled.push(request.url()))
    await tab.waitForTimeout(4_000)
    expect(polled.filter((url) => url.includes(id))).toEqual([])
  })

  it('stops the turn of an agent, and sees that another person has decided', async () => {
    const id = await waitingSession('Note the ebb', 'Yard clerk')
    const tab = await tabs.open(`/agents/${workspaceId}/${id}`)
    await server.owner.call('createSession', { body: decision(await stopped(server.owner, id), 'reject') })
    await expect.poll(() => tab.getByRole('button', { name: 'Approve' }).count(), { timeout: 15_000 }).toBe(1)
    await tab.getByRole('button', { name: 'Stop' }).click()
    await requireSound(tab)
    await tab.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await tab.getByRole('status').getByText('Canceled').waitFor()
    expect(await tab.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  })

  it('finds who has changed a page', async () => {
    const { caller, name } = await makeConnection(server, {
      name: 'Buoy Log',
      capabilities: ['insert_content'],
      grants: [workspaceId],
    })
    for (let count = 0; count < 51; count += 1) await caller.call('createPage', { body: { parent: { workspace: true } } })
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('textbox', { name: 'Action' }).fill('createPage')
    await page.getByRole('textbox', { name: 'Action' }).press('Enter')
    await page.getByRole('link', { name: 'Older entries' }).waitFor()
    await page.getByRole('link', { name }).first().click()
    await expect.poll(() => page.getByRole('link', { name, exact: true }).count()).toBe(50)
    await page.getByRole('link', { name: 'Older entries' }).click()
    await expect.poll(() => page.getByRole('link', { name, exact: true }).count()).toBe(1)
    const [, id = ''] = /\/([\da-f]{32})$/.exec((await page.locator('.rows a').first().getAttribute('href')) ?? '') ?? []
    await page.getByRole('link', { name: 'Newest entries' }).click()
    await page.getByRole('textbox', { name: 'Object id' }).fill(id)
    await page.getByRole('textbox', { name: 'Object id' }).press('Enter')
    await expect.poll(() => page.locator('.rows > li').count()).toBe(1)
    await page.getByRole('combobox', { name: 'By' }).selectOption('Command line')
    await page.getByText('No entry matches').waitFor()
  })

  it('revokes the access of a connection', async () => {
    const { caller } = await authorize(server, await makeClient(server, { name: 'Mooring Log' }))
    const page = await tabs.open('/connections')
    await page.getByRole('button', { name: 'Take access back from Mooring Log' }).click()
    await page.getByText('its tokens become invalid').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Take access back' }).click()
    await page.getByRole('heading', { name: 'Mooring Log', exact: true }).waitFor({ state: 'detached' })
    expect((await caller.call('retrieveMe')).status).toBe(401)
  })

  it('makes an OAuth app, changes its addresses, rotates its secret, revokes an authorization, and deletes it', async () => {
    const page = await tabs.open('/oauth-apps')
    await page.getByRole('button', { name: 'New app' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Berth Plan')
    await page.getByRole('textbox', { name: 'Redirect addresses' }).fill('http://planner.example/return')
    await requireSound(page)
    await page.getByRole('button', { name: 'Make app' }).click()
    await page.getByRole('alert').getByText('should begin with https').waitFor()
    tabs.forgetComplaints()
    await page.getByRole('textbox', { name: 'Redirect addresses' }).fill(RETURN_URI)
    await page.getByRole('checkbox', { name: 'Read comments' }).check()
    await page.getByRole('button', { name: 'Make app' }).click()
    const clientSecret = (await page.locator('.secret code').textContent()) ?? ''
    await requireSound(page)
    await page.getByRole('link', { name: 'Berth Plan' }).click()
    await page.getByText('Nobody has authorized it yet').waitFor()
    const clientId = (await page.locator('.copied code').first().textContent()) ?? ''
    const call: OAuthClient['call'] = (id, body) =>
      server.caller(undefined, undefined).call(id, { body, headers: { Authorization: basic(clientId, clientSecret) } })
    const { caller } = await authorize(server, { connectionId: '', clientId, clientSecret, call })
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Change addresses' }).click()
    await page.getByRole('textbox', { name: 'Redirect addresses' }).fill(`${RETURN_URI}\nhttp://localhost:8080/return`)
    await requireSound(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('http://localhost:8080/return').waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await expect.poll(() => page.locator('.secret code').textContent()).toMatch(/^cs_/)
    await page.getByRole('button', { name: `for ${exampleWorkspace.people[0].name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Nobody has authorized it yet').waitFor()
    expect((await caller.call('retrieveMe')).status).toBe(401)
    await page.getByRole('button', { name: 'Delete Berth Plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'OAuth apps' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Berth Plan' }).count()).toBe(0)
  })

  it('makes an internal connection, shares a page found by its title, takes it back, and rotates the token', async () => {
    const handbook = exampleWorkspace.pages.handbook
    const title = `Quay ${HOSTILE}`
    await makePage(server.owner, title, handbook)
    const page = await tabs.open('/internal-connections')
    const secret = async (): Promise<string> => (await page.locator('.secret code').textContent()) ?? ''
    const sees = async (token: string): Promise<number> =>
      (await server.caller(token).call('retrievePage', { path: { page_id: handbook } })).status
    await page.getByRole('button', { name: 'New connection' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Yard Lights')
    await requireSound(page)
    await page.getByRole('button', { name: 'Make connection' }).click()
    const token = await secret()
    expect(await sees(token)).toBe(404)
    await page.getByRole('link', { name: 'Yard Lights' }).click()
    await page.getByText('Nothing is shared with it').waitFor()
    await page.getByRole('button', { name: 'Share pages' }).click()
    await page.getByRole('searchbox', { name: 'Title' }).fill('quay')
    await page.getByRole('button', { name: `Share ${title}` }).waitFor()
    await requireSound(page)
    await page.getByRole('searchbox', { name: 'Title' }).fill('work hand')
    await page.getByRole('button', { name: 'Share Workshop handbook' }).click()
    await page.getByText('Nothing that you can share has this title.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Workshop handbook' }).waitFor()
    expect(await sees(token)).toBe(200)
    await page.getByRole('button', { name: 'Rotate token' }).click()
    await requireSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click()
    await expect.poll(secret).toMatch(/^itk_/)
    const next = await secret()
    expect([await sees(token), await sees(next)]).toEqual([401, 200])
    await page.getByRole('button', { name: 'Stop sharing Workshop handbook' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
    await page.getByText('Nothing is shared with it').waitFor()
    expect(await sees(next)).toBe(404)
    await page.getByRole('button', { name: 'Delete Yard Lights' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Internal connections' }).waitFor()
    expect((await server.caller(next).call('retrieveMe')).status).toBe(401)
  })

  it('ends the session of another browser, and sets a password', async () => {
    const email = 'nora@boats.example'
    const person = { workspaceId, email, name: 'Nora', role: 'member' } as const
    await server.service.database.write((db) => createPerson(db, person, server.clock.now()))
    const [page, other] = [await tabs.open('/sign-in', {}, email), await tabs.open('/tokens', {}, email)]
    await page.reload()
    await page.getByRole('button', { name: 'End session of Chrome on Linux' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByRole('button', { name: 'End session of Chrome on Linux' }).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('New password').fill('password1')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This password is common').waitFor()
    tabs.forgetComplaints()
    await page.getByLabel('New password').fill('gulls mind the falling tide')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('The password is set.').waitFor()
    await page.getByLabel('Current password').waitFor()
  })
})
