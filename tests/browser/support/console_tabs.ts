import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createSignInLink } from '../../../server/domain/administration/people.ts'
import { launchChromium } from '../../harness/chromium.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}\${alert(3)}`
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const SIZES = [
  ['light, on a desk', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['dark, on a phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
] as const

export interface ConsoleTabs {
  readonly server: TestServer
  /** Opens a tab in which a person, by default an owner, is signed in, at a path of the console. */
  open(path: string, settings?: Parameters<Browser['newContext']>[0], email?: string): Promise<Page>
  /** Shows another path of the console in an open tab. */
  show(page: Page, path: string): Promise<void>
  /** Opens an empty tab in which nobody is signed in. */
  blank(settings?: Parameters<Browser['newContext']>[0]): Promise<Page>
  /** Forgets what the tabs have reported: the browser reports each refused request. */
  forgetComplaints(): void
}

/**
 * A server and a browser for the tests of this file. A test fails if a tab reports an error or requests something from another host.
 * @param start starts the server
 */
export function consoleTabs(start: () => Promise<TestServer> = startTestServer): ConsoleTabs {
  let server: TestServer | undefined
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  beforeAll(async () => {
    server = await start()
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
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the server and the browser start before the first test')
    return value
  }
  const blank = async (settings: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const context = await started(browser).newContext(settings)
    contexts.push(context)
    const page = await context.newPage()
    collectComplaints(page, started(server).url, complaints)
    return page
  }
  return {
    forgetComplaints: () => void complaints.splice(0),
    get server() {
      return started(server)
    },
    blank,
    async open(path, settings = {}, email = exampleWorkspace.people[0].email) {
      const { url, service, clock } = started(server)
      const page = await blank(settings)
      const link = await service.database.write((db) => createSignInLink(db, email, clock.now()))
      await page.goto(`${url}${link.path}&return_to=/console${path}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await loaded(page)
      return page
    },
    async show(page, path) {
      await page.goto(`${started(server).url}/console${path}`)
      await loaded(page)
    },
  }
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

function collectComplaints(page: Page, url: string, complaints: string[]): void {
  page.on('console', (message) => void complaints.push(message.text()))
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(`requested ${request.url()}`)
  })
}

/** Checks what is shown: no findings of axe for WCAG 2.2 AA, no sideways scrolling, and hostile text stays text. */
export async function requireSound(page: Page): Promise<void> {
  // The policy of the page forbids inline scripts, so axe is evaluated, not inserted.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })',
  )) as { violations: { id: string; nodes: { html: string }[] }[] }
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  const images = await page.locator('img[src="x"]').count()
  const scripts = await page.evaluate('document.scripts.length > 1')
  expect([page.url(), findings, overflow, images, scripts]).toEqual([page.url(), [], 0, 0, false])
}
