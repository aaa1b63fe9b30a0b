/** The reference as a site: complete, with working links, and usable from disk without other hosts. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'yaml'
import type { Browser, Page as BrowserPage } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderSite } from '../../scripts/docs/render.ts'
import { sampleLanguages } from '../../scripts/docs/samples/index.ts'
import { readSources } from './support/sources.ts'
import type { SitePage } from '../../scripts/docs/pages/page.ts'
import type { SiteFile } from '../../scripts/docs/releases.ts'
import { operationsOf, webhooksOf, type Document } from '../../scripts/generate/document.ts'
import { errorCodeTables } from '../../scripts/generate/error_codes.ts'
import { readReleases } from '../../scripts/generate/versions.ts'
import { describeInBrowser, launchChromium } from '../harness/chromium.ts'
import { isLongRun, someRows } from '../harness/long_runs.ts'
import { projectRoot } from '../spec/support/files.ts'

/** The older release that is tested; long runs test all of them. */
const OLDER = '2022-06-28'

/** Link targets of the Markdown: a service that serves the site uses its own address instead. */
const SITE = 'https://workspace.example/docs/'

let document: Document
let files: readonly SiteFile[] = []
/** Pages at the root of the site. */
let pages: readonly SitePage[] = []
let folder = ''

beforeAll(async () => {
  const releases = await readSources((date) => isLongRun || date === OLDER)
  document = releases[0].document
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'))
  files = await renderSite(releases, folder)
  pages = files.filter(({ page, file }) => page.path === file).map(({ page }) => page)
})

afterAll(() => rm(folder, { recursive: true }))

const textOf = (path: string): Promise<string> => readFile(join(folder, path), 'utf8')

describe('the site', () => {
  // If you are here because an operation fails: it lacks a page, its rights (`x-capability`, `x-token-kinds`) or a sample in a language.
  it('has a page for each operation, with its rights and a sample in each language', async () => {
    for (const { operation } of operationsOf(document)) {
      const text = await textOf(`operations/${operation.operationId}.md`)
      expect(text, operation.operationId).toContain('**Needs:** ')
      for (const { fence } of sampleLanguages) expect(text, operation.operationId).toContain(`\n\`\`\`${fence}\n`)
    }
  })

  // If you are here because a path is listed: the page generator skips that schema, event or error code.
  it('has a page for each object and each event, and an anchor for each error code', async () => {
    const { api, oauth } = errorCodeTables(document)
    const wanted = [
      ...Object.keys(document.components.schemas ?? {}).map((name) => `objects/${name}`),
      ...webhooksOf(document).map(({ path }) => `events/${path}`),
    ]
    const paths = new Set(pages.map(({ path }) => path))
    expect(wanted.filter((path) => !paths.has(path))).toEqual([])
    const [errors, oauthErrors] = await Promise.all([textOf('errors.html'), textOf('oauth-errors.html')])
    expect(api.filter(({ code }) => !errors.includes(`id="${code}"`))).toEqual([])
    expect(oauth.filter(({ code }) => !oauthErrors.includes(`id="${code}"`))).toEqual([])
  })

  it('shows all variants of a union side by side', async () => {
    const page = await textOf('objects/Block.md')
    const variants = document.components.schemas?.['Block']?.oneOf ?? []
    expect(variants.length).toBeGreaterThan(30)
    for (const variant of variants) {
      const name = typeof variant === 'object' ? variant.$ref?.split('/').at(-1) : undefined
      expect(page).toContain(`| [${name}](${SITE}objects/${name}.md) |`)
    }
  })

  it('shows line breaks of texts and tables', async () => {
    expect(await textOf('guides/markdown.html')).toContain('a break within a block is <code>&lt;br&gt;</code>')
    expect(await textOf('objects/Block.html')).toMatch(/<code>&quot;paragraph&quot;<\/code><br>\s*<code>paragraph<\/code>/)
  })

  // If you are here because a scheme is listed: describe it under a heading with its name in the guide to authentication in `spec/guides/`.
  it('lists every security scheme in the guide to authentication', async () => {
    const guide = await textOf('guides/authentication.md')
    const schemes = Object.keys(document.components.securitySchemes ?? {})
    expect(schemes.length).toBeGreaterThan(0)
    expect(schemes.filter((name) => !guide.includes(`\n### ${name}\n`))).toEqual([])
  })

  // If you are here because a heading is listed: the page of changes lacks a change of a file in `spec/versions/`.
  it('lists every change of every release', async () => {
    const page = await textOf('changes.md')
    const releases = await readReleases(join(projectRoot, 'spec/versions'))
    expect(releases.length).toBeGreaterThan(0)
    const changes = releases.flatMap((release) => release.changes.map(({ id }) => `### ${id} · `))
    expect(changes.filter((heading) => !page.includes(heading))).toEqual([])
  })

  // If you are here because a list differs: its writer misses a page or operation of the site.
  it('lists every page in the sitemap and every operation in llms.txt', async () => {
    const [sitemap, list] = await Promise.all([textOf('sitemap.txt'), textOf('llms.txt')])
    expect(sitemap.trim().split('\n')).toEqual(files.map(({ file }) => `${SITE}${file}.html`))
    for (const { operation } of operationsOf(document)) expect(list).toContain(`(${SITE}operations/${operation.operationId}.md)`)
  })
})

it('the skill for assistants has a name, says when to use it, and contains its guide and links to the other guides', async () => {
  const skill = await textOf('SKILL.md')
  const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(skill) ?? []
  expect(parse(head)).toEqual({
    name: 'workspace-service-api',
    description: expect.stringMatching(
      /^An API for .{20,900} Use when you write programs or requests for the Workspace service\.$/,
    ),
  })
  expect(skill).toContain('# Using the API well')
  expect(skill).toContain(`- [Getting started](${SITE}guides/getting-started.md): `)
  expect(skill.split('\n').length).toBeLessThan(500)
})

describe('every page', () => {
  it('links to the index of all pages near its start, in HTML and in Markdown', async () => {
    for (const { file } of files) {
      expect((await textOf(`${file}.md`)).slice(0, 300), file).toContain(`\n\n> [llms.txt](${SITE}llms.txt) lists all pages.\n\n`)
      expect((await textOf(`${file}.html`)).split('<header>')[0], file).toContain('llms.txt"')
    }
  })
})

// If you are here because a page is longer: programs that read documentation truncate texts at this length. Shorten its examples, or split
// it.
it('only pages about objects have more than 50,000 characters of Markdown', async () => {
  const read = pages
    .filter(({ kind }) => kind !== 'object')
    .map(async ({ path }) => [path, (await textOf(`${path}.md`)).length] as const)
  expect((await Promise.all(read)).filter(([, length]) => length > 50_000)).toEqual([])
})

describe('links of the site', () => {
  it('lead to existing pages and headings, in HTML and in Markdown', async () => {
    const all = await readdir(folder, { recursive: true })
    const files = all.filter((name) => /\.(?:html|md)$/.test(name))
    // The command writes the contract beside the pages.
    const others = new Set([...all, 'openapi.yaml'])
    const texts = new Map(await Promise.all(files.map(async (name): Promise<[string, string]> => [name, await textOf(name)])))
    const anchors = new Map(
      [...texts].map(([name, text]) => [name, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
    )
    const broken: string[] = []
    for (const [name, text] of texts) {
      const links = name.endsWith('.html')
        ? [...text.matchAll(/ href="([^"]*)"/g)]
        : [...text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '').matchAll(/\]\(([^)\s]*)\)/g)]
      for (const [, link = ''] of links) {
        const isAbsolute = link.startsWith(SITE)
        if (!isAbsolute && /^(?:https?|mailto|file-upload):/.test(link)) continue
        const [path = '', anchor] = link.replace(SITE, '').split('#')
        const target = path === '' ? name : posix.join(isAbsolute ? '' : posix.dirname(name), path)
        const found = texts.has(target) || others.has(target)
        const page = anchors.get(target.replace(/\.md$/, '.html'))
        if (!found || (anchor !== undefined && page?.has(anchor) !== true)) broken.push(`${name}: ${link}`)
      }
    }
    expect(broken).toEqual([])
  })
})

describeInBrowser('in a browser, from the disk', () => {
  let browser: Browser
  const faults: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<BrowserPage> {
    const page = await browser.newPage(options)
    page.on('request', (request) => void (/^https?:/.test(request.url()) && faults.push(request.url())))
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
    await page.goto(`file://${folder}/${path}`)
    return page
  }

  it.each([
    ['rate limit', 'Limits'],
    ['ToDoBlock', 'ToDoBlock'],
    ['synced_from', 'SyncedFrom'],
    ['plain_text', 'TextRichTextItem'],
    ['append children', 'Append children to a block'],
    ['rate_limited', 'rate_limited'],
    ['page.created', 'page.created'],
  ])('the search of the site for %s finds %s first, and can be opened by keyboard', async (words, title) => {
    const page = await open('index.html')
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    await page.locator('#found a').first().waitFor()
    expect(await page.locator('#found a b').first().textContent()).toContain(title)
    const goal = await page.locator('#found a').first().getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/${goal}`)
    await page.close()
    expect(faults).toEqual([])
  })

  /** A page, the browser's settings, and the reader's actions on it. */
  type Look = readonly [path: string, look: Parameters<Browser['newPage']>[0], prepare?: (page: BrowserPage) => Promise<void>]

  async function tryIt(page: BrowserPage): Promise<void> {
    await page.locator('.try summary').click()
    // Without an address, nothing is sent, and the form says so.
    await page.getByLabel('Address of the service').fill('')
    await page.locator('.try form').getByRole('button').click()
    await page.locator('.try output pre').waitFor()
  }

  async function search(page: BrowserPage): Promise<void> {
    await page.locator('#search').fill('page')
    await page.locator('#found a').first().waitFor()
  }

  it('the site meets WCAG AA in light, dark and on a phone', async () => {
    const violations: string[] = []
    const phone = { viewport: { width: 390, height: 800 } }
    const dark = { colorScheme: 'dark' } as const
    const looks: readonly Look[] = [
      ['index', phone, search],
      ['guides/formulas', dark],
      ['operations/createPage', {}, tryIt],
      ['operations/createPage', { ...phone, ...dark }, tryIt],
      ['objects/Block', phone],
      ['errors', dark],
      ['index', {}],
      ['guides/authentication', phone],
      ['operations/retrieveMe', dark],
      ['objects/index', {}],
      ['events/page.created', {}],
      ['changes', phone],
    ]
    for (const [path, look, prepare] of someRows(looks, 3)) {
      const page = await open(`${path}.html`, look)
      await prepare?.(page)
      await page.addScriptTag({ path: join(projectRoot, 'node_modules/axe-core/axe.min.js') })
      const found = await page.evaluate(violationsOf)
      violations.push(...found.map((fault) => `${path} ${JSON.stringify(look)}: ${fault}`))
      await page.close()
    }
    expect(violations).toEqual([])
    expect(faults).toEqual([])
  })

  it('the site keeps the release that the reader has chosen', async () => {
    const page = await open('operations/createDatabase.html')
    await page.locator('.release').click()
    await page.getByRole('link', { name: OLDER }).click()
    await page.waitForURL(`**/versions/${OLDER}/operations/createDatabase.html`)
    expect(await page.locator('main').textContent()).toContain(`'Service-Version: ${OLDER}'`)
    await page.getByRole('link', { name: 'Retrieve a database' }).click()
    await page.waitForURL(`**/versions/${OLDER}/operations/retrieveDatabase.html`)
    expect(await page.locator('.release').textContent()).toBe(`Version ${OLDER} ▾`)
    expect(await page.locator('.older').textContent()).toContain(`As of version ${OLDER}.`)
    await page.close()
    expect(faults).toEqual([])
  })

  it.each([
    ['guides/getting-started', {}],
    ['guides/agents-and-streams', { viewport: { width: 390, height: 800 } }],
  ])('no button of the site covers code: %s %o', async (path, look) => {
    const page = await open(`${path}.html`, look)
    await page.locator('.copy').first().waitFor()
    expect(await page.evaluate(coveredCode)).toEqual([])
    await page.close()
  })

  it('the site shows one language of a sample at a time, and the light theme after the reader chooses it', async () => {
    const page = await open('operations/createPage.html', { colorScheme: 'dark' })
    await page.getByRole('tab', { name: 'Python' }).click()
    expect(await page.locator('.samples pre:visible').count()).toBe(1)
    expect(await page.locator('.samples pre:visible').textContent()).toContain('import urllib.request')
    await page.getByRole('button', { name: 'Light or dark' }).click()
    expect(await page.evaluate(() => getComputedStyle(globalThis.document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    await page.close()
  })
})

it("the first page loads at most 150 KB compressed, and an operation's page at most 60 KB", async () => {
  const weight = async (paths: readonly string[]): Promise<number> => {
    const sizes = await Promise.all(paths.map(async (path) => gzipSync(await readFile(join(folder, path))).length))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  expect(await weight(['index.html', 'site.css', 'site.js'])).toBeLessThan(150_000)
  for (const { path } of pages.filter(({ kind }) => kind === 'operation'))
    expect(await weight([`${path}.html`]), path).toBeLessThan(60_000)
})

/** Code that is covered by its copy button, in the browser. */
function coveredCode(): string[] {
  return [...globalThis.document.querySelectorAll('.copy')].flatMap((button) => {
    const [one, other] = [button.getBoundingClientRect(), button.nextElementSibling?.getBoundingClientRect()]
    const isCovered = other !== undefined && one.bottom > other.top && one.top < other.bottom && one.left < other.right
    return isCovered ? [button.nextElementSibling?.textContent ?? ''] : []
  })
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** Runs in the page, where axe-core has been loaded. */
async function violationsOf(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run(context: unknown, options: object): Promise<AxeResult> } }
  const { violations } = await axe.run(globalThis.document, {
    preload: false,
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
  })
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}
