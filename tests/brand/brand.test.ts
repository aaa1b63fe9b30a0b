/** The brand of `examples/brand/`: everything that is published and served under its names. */

import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { createWorkspaceClient } from '../../client/src/index.ts'
import { publishBrand } from '../../scripts/brand/publish.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { SiteFile } from '../../scripts/docs/releases.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { contractFor } from '../../scripts/mock/contract.ts'
import { Examples } from '../../scripts/mock/examples.ts'
import { createMockServer } from '../../scripts/mock/server.ts'
import { readSources } from '../docs/support/sources.ts'
import { compilerComplaints } from '../docs/support/published_typescript.ts'
import { describeInBrowser, launchChromium } from '../harness/chromium.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { projectRoot } from '../spec/support/files.ts'

const overlay = join(projectRoot, 'examples/brand/brand.yaml')
/** The product, the headers, the client and the address of the first brand. */
const TRACE =
  /workspace[\s_*-]*(?:service|client)|service[_-]?(?:version|beta|request[_-]?id|signature)|x-service|workspace\.example|itk_/i
/** The release before the newest. */
const BEFORE = releaseDates.at(-2)
/** The notice in the license must stay unchanged. */
const LICENSE_FILE = 'client/LICENSE'
/** Pages of each kind; the others become HTML in the same way. */
const RENDERED =
  /^(?:versions\/[\d-]+\/)?(?:index|errors|changes|objects\/HbBlock|events\/page\.created|operations\/(?:whoAmI|createPage)|guides\/(?:moorings|versions))$/

let folder = ''
let files: readonly SiteFile[] = []
let names: ReadonlySet<string> = new Set()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-test-'))
  const [newest, before] = await readSources((date) => date === BEFORE)
  files = await publishBrand(before === undefined ? [newest] : [newest, before], overlay, folder, {
    siteAddress: 'https://docs.harbour.example/api/',
    isRendered: ({ file }) => RENDERED.test(file),
  })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  names = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
  )
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'client/node_modules'))
})
afterAll(() => rm(folder, { recursive: true }))

const textOf = (path: string): Promise<string> => readFile(join(folder, path), 'utf8')

describe('a branded site', () => {
  it('contains no name of the default brand in pages, search, lists, contracts, collections and client', async () => {
    const traces: string[] = []
    for (const name of names) {
      if (TRACE.test(name)) traces.push(name)
      const text = await textOf(name)
      const found = TRACE.exec(text)
      if (found !== null && name !== LICENSE_FILE)
        traces.push(`${name}: ${text.slice(Math.max(0, found.index - 30), found.index + 50)}`)
    }
    expect(traces).toEqual([])
  })

  it('has the main pages, contracts, collections and client of the default site', () => {
    const wanted = [
      'openapi.yaml',
      'openapi.json',
      'openapi.sdk.yaml',
      'openapi.sdk31.yaml',
      `versions/${BEFORE}.yaml`,
      'search.js',
    ]
    const others = [
      'collections/postman.json',
      'collections/bruno/Users/whoAmI.yml',
      'client/package.json',
      'index.html',
      'llms.txt',
    ]
    // If you are here because a file is listed: this project publishes it, but a brand does not.
    expect([...wanted, ...others].filter((name) => !names.has(name))).toEqual([])
    expect(files.length).toBeGreaterThan(1000)
  })

  it('shows the names, texts, guides and design of the overlay', async () => {
    const [home, style, text] = await Promise.all([textOf('index.html'), textOf('site.css'), textOf('openapi.json')])
    const contract = JSON.parse(text) as Document
    expect(home).toContain('<a class="brand" href="index.html"><img src="logo.svg" alt="">Harbour API</a>')
    expect(home).toContain('guides/moorings.html')
    expect(home).toContain('data-address="https://api.harbour.example"')
    expect(await textOf('collections/postman.json')).toContain('"key": "base_url",\n   "value": "https://api.harbour.example"')
    expect(style).toContain('--link: light-dark(#8a2f1d, #ffa58f);')
    expect(contract.servers).toEqual([{ url: 'https://api.harbour.example', description: 'Harbour in the cloud.' }])
    expect(contract.components.parameters?.['HarbourVersion']).toMatchObject({ name: 'Harbour-Version' })
    expect(Object.keys(contract.components.schemas ?? {}).filter((name) => !name.startsWith('Hb'))).toEqual([])
    expect([...names].filter((name) => /^objects\/(?!Hb|index)/.test(name))).toEqual([])
    expect([...names].filter((name) => name.includes('other-languages'))).toEqual([])
    expect(await textOf('sitemap.txt')).toMatch(/^(?:https:\/\/docs\.harbour\.example\/api\/[^\n]*\n)+$/)
    expect(await textOf('areas/agents.md')).toContain('Helpers that read and write on behalf of a crew.')
    expect(await textOf('guides/getting-started.md')).toContain('Ask your harbour master')
    expect([...names].filter((name) => /customEmoji/.test(name) && name.startsWith('operations/'))).toEqual([])
  })

  it('shows the branded values in schemas, examples, prose and types', async () => {
    const contract = JSON.parse(await textOf('openapi.json')) as Document
    const { schemas = {}, examples = {} } = contract.components
    expect(schemas['HbPauseReason']?.enum).toContain('disabled_by_harbour')
    expect(schemas['HbCodeLanguage']?.enum).toContain('harbour formula')
    expect(schemas['HbAgentConnection']?.discriminator?.mapping).toHaveProperty('harbour')
    expect(schemas['HbWorkspaceParent']?.properties?.['type']).toMatchObject({ const: 'workspace' })
    expect(JSON.stringify(examples['ListAgentsAllTypes']?.value)).toContain('"agent_type":"harbour_ai"')
    expect(await textOf('client/generated/types.ts')).toContain('harbour_user')
    for (const name of [...names].filter((one) => /\.(?:md|json|yaml|ts)$/.test(one)))
      expect(
        (await textOf(name)).match(/service_ai|service formula|workspace_user|disabled_by_service|x-branded/)?.[0],
        name,
      ).toBe(undefined)
  })

  it('does not link to pages that were removed', async () => {
    const broken: string[] = []
    for (const name of [...names].filter((one) => one.endsWith('.md') && !one.startsWith('client/'))) {
      const prose = (await textOf(name)).replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '')
      const links = [...prose.matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g)].map(([, link = '']) =>
        posix.join(posix.dirname(name), link),
      )
      broken.push(...links.filter((link) => !names.has(link)).map((link) => `${name}: ${link}`))
    }
    expect(broken).toEqual([])
  })

  it('has no broken references in any contract', async () => {
    for (const name of ['openapi.json', `versions/${BEFORE}.json`]) {
      const text = await textOf(name)
      const { components } = JSON.parse(text) as { components: Record<string, Record<string, unknown>> }
      const references = [...text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)]
      expect(references.length).toBeGreaterThan(1000)
      expect(references.filter(([, kind = '', key = '']) => components[kind]?.[key] === undefined)).toEqual([])
    }
  })

  it('has a client that compiles', async () => {
    expect(await compilerComplaints(join(folder, 'client/src'))).toBe('')
  })
})

describe('a branded service', () => {
  let mock: Server
  let server: TestServer
  let service: ReturnType<typeof createWorkspaceClient> & { call(id: 'whoAmI'): Promise<unknown> }
  const addressOf = (listening: Server): string => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`

  beforeAll(async () => {
    const { document, headers } = await contractFor('Service', overlay)
    mock = createMockServer(await Examples.of(document), headers).listen(0, '127.0.0.1')
    await once(mock, 'listening')
    server = await startTestServer({ SITE_FOLDER: folder, HEADER_BRAND: 'Harbour' })
    const module = await import(pathToFileURL(join(folder, 'client/src/index.ts')).href)
    service = module.createHarbourClient({ baseUrl: server.url, token: TOKEN })
  })
  afterAll(async () => {
    mock.close()
    await server.stop()
  })

  it('offers a mock that uses only the headers of the brand', async () => {
    const request = (header: string): Promise<Response> =>
      fetch(`${addressOf(mock)}/v1/users/me`, { headers: { Authorization: 'Bearer hbr_any', [header]: '2026-03-11' } })
    const [known, strange] = await Promise.all([request('Harbour-Version'), request('Service-Version')])
    expect(known.status).toBe(200)
    expect(strange.status).toBe(400)
    const texts = await Promise.all(
      [known, strange].map(async (response) => JSON.stringify([...response.headers]) + (await response.text())),
    )
    expect(texts[1]).toContain('Harbour-Version')
    expect(texts.filter((text) => TRACE.test(text))).toEqual([])
  })

  it('accepts requests of the branded client', async () => {
    expect(await service.call('whoAmI')).toMatchObject({ object: 'user', type: 'bot' })
  })

  it('serves the site, contract and schemas of the brand, with its own address', async () => {
    const shown = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text()
    expect(await shown('/docs/')).toContain('Harbour API')
    for (const path of ['/openapi.yaml', '/openapi.json', `/openapi/${BEFORE}.yaml`, '/openapi.sdk.yaml']) {
      const text = await shown(path)
      const found = ['HbErrorObject', server.url, 'https://api.harbour.example'].map((words) => text.includes(words))
      expect(found, path).toEqual([true, true, false])
    }
    expect(JSON.parse(await shown('/schemas/HbPageObject.json'))).toHaveProperty('properties.object')
  })

  it.each([
    '/sign-in',
    '/v1/oauth/authorize',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
  ])('does not mention the default brand at %s', async (path) => {
    const text = await (await fetch(`${server.url}${path}`)).text()
    expect(TRACE.exec(text)?.[0]).toBeUndefined()
    if (path.endsWith('protected-resource')) expect(JSON.parse(text)).toMatchObject({ resource_name: 'Harbour API' })
  })

  describeInBrowser('in a browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterAll(() => browser.close())

    it("serves a start page whose samples name the service's own address, and which loads nothing from other hosts", async () => {
      const page = await browser.newPage()
      const strange: string[] = []
      page.on('request', (request) => void (request.url().startsWith(`${server.url}/`) || strange.push(request.url())))
      page.on('console', (message) => void (message.type() === 'error' && strange.push(message.text())))
      await page.goto(`${server.url}/docs/`)
      expect(await page.locator('pre').first().textContent()).toContain(`curl ${server.url}/v1/users/me`)
      expect(strange).toEqual([])
      await page.close()
    })

    it('serves an operation page whose form calls the service or the mock on another port, and stores no token', async () => {
      const page = await browser.newPage()
      await page.goto(`${server.url}/docs/operations/whoAmI.html`)
      const form = page.locator('.try')
      await form.locator('summary').click()
      await form.getByLabel('Token').fill(TOKEN)
      expect(await form.getByLabel('Address of the service').inputValue()).toBe(server.url)
      for (const address of [server.url, addressOf(mock)]) {
        await form.getByLabel('Address of the service').fill(address)
        const received = page.waitForResponse((response) => response.url() === `${address}/v1/users/me`)
        await form.getByRole('button').click()
        await received
        await form.locator('output pre').waitFor()
        expect(await form.locator('output').textContent(), address).toMatch(/^200 OK\n\n\{\n {2}"object": "user"/)
      }
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
      expect(`${kept} ${page.url()}`).not.toContain(TOKEN)
      await page.close()
    })
  })
})
