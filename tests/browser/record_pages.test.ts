import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createSignInLink } from '../../server/domain/administration/people.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { describeInBrowser, launchChromium } from '../harness/chromium.ts'
import { makeHostilePages } from '../harness/hostile_pages.ts'
import { textAt } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { someRows } from '../harness/long_runs.ts'

const EMAIL = exampleWorkspace.people[0].email
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { pages, rows, views } = exampleWorkspace

let server: TestServer
let browser: Browser
const contexts: BrowserContext[] = []
/** What the browser reports: blocked content, failed requests, errors of scripts. */
const complaints: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  browser = await launchChromium()
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  expect(complaints.splice(0)).toStrictEqual([])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens a tab in which Ines is signed in. */
async function signedIn(settings: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(settings)
  contexts.push(context)
  const page = await context.newPage()
  page.on('console', (message) => void complaints.push(message.text()))
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`requested ${request.url()}`)
  })
  const { path } = await server.service.database.write((db) => createSignInLink(db, EMAIL, server.clock.now()))
  await page.goto(server.url + path)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

async function pathOfView(id: string): Promise<string> {
  const { body } = await server.owner.call('retrieveView', { path: { view_id: id } })
  return textAt(body, 'url').replace(server.url, '')
}

/** The findings of axe for WCAG 2.2 AA. */
async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = (await page.evaluate(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })',
  )) as { violations: { id: string; nodes: { html: string }[] }[] }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** One screen of each kind. */
async function screens(): Promise<string[]> {
  const ids = [pages.launchPlan, pages.checklist, rows.jobs.keelBolts].map((id) => `/${undashed(id)}`)
  const shown = [views.allJobs, views.jobsByStatus, views.openJobs, views.launchCalendar, views.boatGallery, views.yardOverview]
  const source = `/${undashed(pages.launchPlan)}?as=json`
  return [...ids, ...(await Promise.all(shown.map(pathOfView))), source, '/search', '/search?q=nothing']
}

describeInBrowser('pages of the workspace', () => {
  const sizes = [
    ['light, on a desk', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['dark, on a phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ] as const
  for (const [name, settings] of someRows(sizes)) {
    it(`have no findings of axe and do not overflow (${name})`, async () => {
      const page = await signedIn(settings)
      for (const path of await screens()) {
        await page.goto(server.url + path)
        expect([path, await findingsOf(page)]).toEqual([path, []])
        const hidden = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect([path, hidden]).toEqual([path, 0])
      }
    })
  }

  it('run no script and load nothing from other hosts, whatever people have written', async () => {
    const page = await signedIn()
    for (const path of [...(await makeHostilePages(server.owner)), '/search']) {
      await page.goto(server.url + path)
      expect(await page.evaluate('document.scripts.length')).toBe(0)
      for (const summary of await page.locator('summary').all()) if (await summary.isVisible()) await summary.click()
    }
  })

  it('can be reached from the sign-in page and read by keyboard', async () => {
    const page = await signedIn({ javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Pages' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Launch day plan' }).click()
    await page.keyboard.press('Tab')
    expect(await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()).toMatchObject({ x: 16 })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    const part = page.locator('summary', { hasText: 'If the wind is above 5' })
    await part.focus()
    await page.keyboard.press('Enter')
    expect(await part.evaluate((summary) => summary.parentElement?.hasAttribute('open'))).toBe(true)
    await page.locator('summary', { hasText: 'Weather' }).click()
    expect(await page.locator('.tabs details[open]').count()).toBe(1)
  })

  it('link from a database to a row, and from the row to a related page', async () => {
    const page = await signedIn()
    await page.goto(server.url + (await pathOfView(views.repairTimeline)))
    await page.getByRole('link', { name: 'Replace keel bolts' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Heron' }).click()
    await page.getByRole('heading', { level: 1, name: 'Heron' }).waitFor()
  })
})
