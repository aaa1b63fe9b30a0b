import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson, createSignInLink, setPassword } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { describeInBrowser, launchChromium } from '../harness/chromium.ts'
import { makePage } from '../harness/content.ts'
import { authorizeAddress, makeClient, PICTURE, readTokens, type OAuthClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const EMAIL = exampleWorkspace.people[0].email
const PASSWORD = 'correct horse battery staple'

let server: TestServer
let browser: Browser
let outside: Server
/** The origin of the connection, and of attackers. */
let elsewhere: string
let returnUri: string
let client: OAuthClient
let attack = ''
const contexts: BrowserContext[] = []
const complaints: string[] = []

beforeAll(async () => {
  outside = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(request.url === '/attack' ? attack : '<!doctype html><title>Back at the connection</title>')
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  const { port } = outside.address() as AddressInfo
  elsewhere = `http://localhost:${port}`
  returnUri = `${elsewhere}/return?kept=yes`
  server = await startTestServer()
  await server.service.database.write((db) => setPassword(db, EMAIL, PASSWORD))
  client = await makeClient(server, { redirectUris: [returnUri] })
  browser = await launchChromium()
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  expect(complaints.splice(0)).toStrictEqual([])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  outside?.close()
})

async function openPage(settings: Parameters<Browser['newContext']>[0] = { javaScriptEnabled: false }): Promise<Page> {
  const context = await browser.newContext(settings)
  contexts.push(context)
  const page = await context.newPage()
  // The browser logs to its console what the content security policy blocks.
  page.on('console', (message) => void (message.text().includes('Content Security Policy') && complaints.push(message.text())))
  return page
}

async function signIn(page: Page): Promise<void> {
  const { path } = await server.service.database.write((db) => createSignInLink(db, EMAIL, server.clock.now()))
  await page.goto(server.url + path)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const address = (of: OAuthClient = client, parameters: Readonly<Record<string, string>> = {}): string =>
  server.url + authorizeAddress(of, { redirect_uri: of.clientId === client.clientId ? returnUri : undefined, ...parameters })

function outcome(page: Page): Record<string, string> {
  const url = new URL(page.url())
  expect(url.origin).toBe(elsewhere)
  return Object.fromEntries(url.searchParams)
}

/** Presses Tab until the element with this name has the focus, like a keyboard user. */
async function tabTo(
  page: Page,
  role: 'textbox' | 'button' | 'checkbox' | 'searchbox' | 'radio',
  name: string | RegExp,
): Promise<void> {
  const target = page.getByRole(role, { name })
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
  }
  throw new Error(`${role} ${String(name)} cannot be reached with the Tab key`)
}

/** Waits until the page sets the focus: a busy browser does so some time after loading. */
async function untilFocused(target: Locator): Promise<void> {
  await until(async () =>
    (await target.evaluate((element) => element === element.ownerDocument.activeElement)) ? true : undefined,
  )
}

for (const javaScriptEnabled of [false, true]) {
  describeInBrowser(`the consent flow, scripts ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    it('can be completed by keyboard: sign in, search, pick, allow, exchange', async () => {
      const page = await openPage({ javaScriptEnabled })
      await page.goto(address(client, { state: 'launch & day' }))
      expect(new URL(page.url()).pathname).toBe('/sign-in')
      await untilFocused(page.getByRole('textbox').first())
      await page.keyboard.type(EMAIL)
      await tabTo(page, 'textbox', 'Password')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Tide Planner asks for access to Northshore Boatworks' }).waitFor()

      await tabTo(page, 'searchbox', 'Search pages and databases')
      await page.keyboard.type('safety')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=safety/)
      await tabTo(page, 'checkbox', /^Safety checklist/)
      await page.keyboard.press('Space')
      await page.getByRole('searchbox').fill('launch')
      await page.getByRole('searchbox').press('Enter')
      await page.waitForURL(/search=launch/)
      expect(await page.getByRole('checkbox', { name: /^Safety checklist/ }).isChecked()).toBe(true)
      await tabTo(page, 'checkbox', /^Launch day plan/)
      await page.keyboard.press('Space')
      await tabTo(page, 'button', 'Allow')
      await page.keyboard.press('Enter')

      await page.waitForURL(`${elsewhere}/**`)
      const { code = '', state, kept, error } = outcome(page)
      expect({ state, kept, error }).toStrictEqual({ state: 'launch & day', kept: 'yes', error: undefined })
      const { caller } = readTokens(
        server,
        await client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: returnUri }),
      )
      for (const id of [exampleWorkspace.pages.checklist, exampleWorkspace.pages.launchPlan])
        expect((await caller.call('retrievePage', { path: { page_id: id } })).status).toBe(200)
    })

    it('returns without a code when the member cancels', async () => {
      const page = await openPage({ javaScriptEnabled })
      await signIn(page)
      await page.goto(address())
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForURL(`${elsewhere}/**`)
      expect(outcome(page)).toMatchObject({ kept: 'yes', error: 'access_denied' })
    })
  })
}

describeInBrowser('the consent page', () => {
  it('reports an empty selection, and accepts a later one', async () => {
    const page = await openPage()
    await signIn(page)
    await page.goto(address())
    await page.getByRole('button', { name: 'Allow' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('Pick at least one')
    await page.getByRole('checkbox', { name: /^Workshop handbook/ }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${elsewhere}/**`)
    expect(outcome(page)).toHaveProperty('code')
  })

  it('hides the picker when the template is chosen, and shows the picker again when pages are chosen', async () => {
    const template = await makePage(server.owner, 'Starter kit')
    const withTemplate = await makeClient(server, { redirectUris: [returnUri], templatePageId: template })
    const page = await openPage()
    await signIn(page)
    await page.goto(address(withTemplate))
    const search = page.getByRole('searchbox')
    expect(await search.isVisible()).toBe(true)
    await page.getByRole('radio', { name: /template Starter kit/ }).check()
    expect(await search.isVisible()).toBe(false)
    await page.getByRole('radio', { name: /that I pick/ }).check()
    expect(await search.isVisible()).toBe(true)
    await page.getByRole('radio', { name: /template Starter kit/ }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${elsewhere}/**`)
    const response = await withTemplate.call('createToken', { grant_type: 'authorization_code', code: outcome(page)['code'] })
    expect(response.body['duplicated_template_id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('lets the member switch workspaces', async () => {
    const other = await server.service.database.write((db) => createWorkspace(db, 'Aft deck', server.clock.now()))
    const id = await server.service.database.write((db) =>
      createPerson(db, { workspaceId: other, email: 'dev@northshore.example', name: 'Dev', role: 'owner' }, server.clock.now()),
    )
    await server.service.database.write((db) =>
      createPerson(
        db,
        { workspaceId: exampleWorkspace.workspace.id, email: 'dev@northshore.example', name: 'Dev', role: 'member' },
        server.clock.now(),
      ),
    )
    expect(id).toBeDefined()
    const { path } = await server.service.database.write((db) =>
      createSignInLink(db, 'dev@northshore.example', server.clock.now()),
    )
    const page = await openPage()
    await page.goto(server.url + path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.goto(address())
    await page.getByRole('heading', { name: 'asks for access to Aft deck' }).waitFor()
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Northshore Boatworks' })
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.getByRole('heading', { name: 'asks for access to Northshore Boatworks' }).waitFor()
    expect(await page.getByRole('checkbox', { name: /^Workshop handbook/ }).count()).toBe(1)
  })

  it('lets the member sign out, and then shows the sign-in form', async () => {
    const page = await openPage()
    await signIn(page)
    await page.goto(address())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(address())
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  it('fits a narrow screen', async () => {
    for (const width of [320, 390, 1200]) {
      const page = await openPage({ viewport: { width, height: 800 } })
      await signIn(page)
      await page.goto(address())
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width)
    }
  })
})

describeInBrowser('the picture of a connection', () => {
  it('is never loaded from another host', async () => {
    const foreign = `${elsewhere}/icon.png`
    for (const [iconUrl, width] of [
      [PICTURE, 1],
      [foreign, undefined],
    ] as const) {
      const pictured = await makeClient(server, { redirectUris: [returnUri], iconUrl })
      const page = await openPage()
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      await signIn(page)
      await page.goto(address(pictured), { waitUntil: 'networkidle' })
      await page.getByRole('heading', { name: 'asks for access' }).waitFor()
      const shown = await page
        .locator('img.badge')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
      expect(shown).toEqual(width === undefined ? [] : [width])
      expect(requested.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([])
    }
  })

  it('is blocked by the browser if the HTML of the page names another host', async () => {
    const page = await openPage({})
    await signIn(page)
    await page.goto(address())
    const seen: string[] = []
    page.on('requestfinished', (request) => seen.push(request.url()))
    const outcome = await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const image = new Image()
          image.onload = () => resolve('loaded')
          image.onerror = () => resolve('blocked')
          image.src = src
        }),
      `${elsewhere}/icon.png`,
    )
    expect([outcome, seen]).toEqual(['blocked', []])
    expect(complaints.splice(0).join()).toContain('img-src')
  })
})

describeInBrowser('other sites', () => {
  it('cannot show the consent page in a frame', async () => {
    attack = `<!doctype html><iframe src="${address()}"></iframe>`
    const page = await openPage({})
    await signIn(page)
    await page.goto(`${elsewhere}/attack`)
    await page.waitForTimeout(500)
    const frame = page.frames()[1]
    expect(frame?.url()).not.toContain(server.url)
    complaints.splice(0)
  })

  it("cannot submit a decision in the member's name", async () => {
    const fields = {
      client_id: client.clientId,
      redirect_uri: returnUri,
      response_type: 'code',
      owner: 'user',
      decision: 'allow',
      workspace_id: exampleWorkspace.workspace.id,
      page_ids: exampleWorkspace.pages.handbook,
    }
    const inputs = Object.entries({ ...fields, csrf_token: 'guess' })
      .map(([name, value]) => `<input name="${name}" value="${value}">`)
      .join('')
    attack = `<!doctype html><form method="post" action="${server.url}/v1/oauth/authorize">${inputs}<button>Win a boat</button></form>`
    const page = await openPage({})
    await signIn(page)
    const { count: codesBefore } = (await server.service.database.read((db) =>
      db.get({ count: 'integer' }, 'select count(*) as count from authorization_codes'),
    )) ?? { count: -1 }
    await page.goto(`${elsewhere}/attack`)
    await page.getByRole('button').click()
    // The browser did not send the cookie, so the member could not decide: the page asks again, with no option selected.
    await page.getByRole('heading', { name: 'asks for access' }).waitFor()
    expect(page.url().startsWith(server.url)).toBe(true)
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    const { count } = (await server.service.database.read((db) =>
      db.get({ count: 'integer' }, 'select count(*) as count from authorization_codes'),
    )) ?? { count: -1 }
    expect(count).toBe(codesBefore)
  })

  it('do not learn the address of the consent page', async () => {
    const page = await openPage({})
    await signIn(page)
    const seen: (string | undefined)[] = []
    page.on('request', (request) => void (request.url().startsWith(elsewhere) && seen.push(request.headers()['referer'])))
    await page.goto(address(client, { state: 'secret' }))
    await page.getByRole('checkbox', { name: /^Workshop handbook/ }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${elsewhere}/**`)
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen)).toStrictEqual(new Set([undefined]))
  })
})
