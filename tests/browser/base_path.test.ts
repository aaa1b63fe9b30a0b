import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createSignInLink, setPassword } from '../../server/domain/administration/people.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { describeInBrowser, launchChromium } from '../harness/chromium.ts'
import { makePage } from '../harness/content.ts'
import { png, upload } from '../harness/files.ts'
import { authorizeAddress, makeClient, readTokens } from '../harness/oauth.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const EMAIL = exampleWorkspace.people[0].email
const PASSWORD = 'correct horse battery staple'
const BASE = '/tools/ws'

let server: TestServer
let proxy: Server
/** The address of the service for browsers: `http://localhost:<port>/tools/ws`. */
let base: string
let elsewhere: string
let browser: Browser
let page: Page
/** Requested paths outside the service's own. */
const foreignPaths: string[] = []

/**
 * A proxy that serves the service below a path and removes the prefix, as nginx does for `location /tools/ws/ { proxy_pass http://…/; }`.
 */
function startProxy(): Promise<Server> {
  const made = createServer((received, response) => {
    const path = received.url ?? ''
    if (path.startsWith('/elsewhere')) return response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Back')
    if (!path.startsWith(`${BASE}/`)) {
      if (path !== '/favicon.ico') foreignPaths.push(path)
      return response.writeHead(404).end()
    }
    const { method, headers } = received
    const target = new URL(server.url)
    const passed = request(
      { port: target.port, host: target.hostname, path: path.slice(BASE.length), method, headers },
      (received) => {
        response.writeHead(received.statusCode ?? 500, received.headers)
        received.pipe(response)
      },
    )
    received.pipe(passed)
  })
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)))
}

beforeAll(async () => {
  proxy = await startProxy()
  const { port } = proxy.address() as AddressInfo
  base = `http://localhost:${port}${BASE}`
  elsewhere = `http://localhost:${port}/elsewhere`
  server = await startTestServer({ BASE_URL: base })
  await server.service.database.write((db) => setPassword(db, EMAIL, PASSWORD))
  browser = await launchChromium()
  page = await browser.newPage({ javaScriptEnabled: false })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  proxy?.close()
  expect(foreignPaths).toStrictEqual([])
})

async function signIn(): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill(EMAIL)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describeInBrowser('a service whose BASE_URL has a path, behind a proxy that removes it', () => {
  it('sign-in, consent with search, code exchange, Connections, revocation and sign-out stay below the base path', async () => {
    const client = await makeClient(server, { redirectUris: [elsewhere] })
    await page.goto(base + authorizeAddress(client, { redirect_uri: elsewhere }))
    await signIn()
    await page.getByRole('searchbox').fill('safety')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('checkbox', { name: /^Safety checklist/ }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${elsewhere}?*`)
    const code = new URL(page.url()).searchParams.get('code')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: elsewhere }
    const { caller } = readTokens(server, await client.call('createToken', exchange))
    expect((await caller.call('retrieveMe')).status).toBe(200)

    await page.goto(`${base}/sign-in`)
    await page.getByRole('link', { name: 'Connections' }).click()
    expect(page.url()).toBe(`${base}/connections`)
    await page.locator('summary').click()
    await page.getByRole('button', { name: 'Revoke access of Tide Planner' }).click()
    await page.getByText('You have not connected anything.').waitFor()
    expect((await caller.call('retrieveMe')).status).toBe(401)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(page.url()).toBe(`${base}/sign-in`)
  })

  it('a sign-in link contains the base path', async () => {
    const { path } = await server.service.database.write((db) => createSignInLink(db, EMAIL, server.clock.now()))
    await page.goto(base + path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(page.url()).toBe(`${base}/sign-in`)
    await page.getByText('You are signed in').waitFor()
  })

  it('the first page, the reference and links about limits stay below the base path', async () => {
    for (const [from, to] of [
      ['/', '/docs/'],
      ['/docs', '/docs/'],
    ] as const) {
      await page.goto(base + from)
      expect(page.url()).toBe(base + to)
    }
    await page.goto(`${base}/settings/agents/${undashed(exampleWorkspace.pages.handbook)}`)
    await page.getByRole('link', { name: 'API' }).click()
    expect(page.url()).toBe(`${base}/docs/`)
  })

  it('pages of the workspace, their style sheet, files and the search stay below the base path', async () => {
    const image = { file_upload: { id: await upload(server.owner, png, 'slip.png') } }
    const id = await makePage(server.owner, 'Slip', undefined, [{ image }])
    await page.context().clearCookies()
    await page.goto(`${base}/${undashed(id)}`)
    await signIn()
    expect(page.url()).toBe(`${base}/${undashed(id)}`)
    await expect.poll(() => page.evaluate('document.querySelector("figure img").naturalWidth')).toBe(1)
    expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px')
    await page.getByRole('searchbox').fill('launch')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('main').getByRole('link', { name: 'Launch day plan' }).click()
    await page.getByRole('heading', { level: 1, name: 'Launch day plan' }).waitFor()
    expect(page.url().startsWith(`${base}/Launch-day-plan-`)).toBe(true)
  })

  it('every address in responses begins with the base path', async () => {
    const { body } = await server.owner.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })
    expect(body['url']).toBe(`${base}/${String(body['url']).split('/').at(-1)}`)
    const metadata = await fetch(`${base}/.well-known/oauth-authorization-server`)
    for (const [name, value] of Object.entries((await metadata.json()) as Record<string, unknown>))
      if (/endpoint$|^issuer$/.test(name)) expect(value).toMatch(new RegExp(`^${base}`))
  })
})
