import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import { newId, undashed } from '../../server/kernel/ids.ts'
import { Browser } from '../harness/browser.ts'
import { makePage, text } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { parseObject, textAt } from '../harness/json.ts'
import type { RawResponse } from '../harness/responses.ts'
import { serverOfFile } from '../harness/server.ts'
import { makeView } from '../harness/views.ts'

const OF_A_BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }
const [ines, tomas] = exampleWorkspace.people

const server = await serverOfFile()
const { owner } = server
const RECORDS = ['page with a title', 'page without a title', 'database', 'view'] as const
/** The address of each record. */
const made = new Map<string, string>()
let reader: Browser

beforeAll(async () => {
  const titled = await makePage(owner, 'Räume & Boats_2')
  for (const [name, id] of [
    ['page with a title', titled],
    ['page without a title', await makePage(owner, '')],
  ] as const)
    made.set(name, textAt((await owner.call('retrievePage', { path: { page_id: id } })).body, 'url'))
  const database = await makeDatabase(owner, titled)
  made.set('database', textAt((await owner.call('retrieveDatabase', { path: { database_id: database.id } })).body, 'url'))
  made.set('view', textAt(await makeView(owner, database), 'url'))
  reader = new Browser(server)
  await reader.signIn(server, ines.email)
})

const addressOf = (record: string): string => made.get(record) ?? ''

/** Opens an address of the service without a cookie or token. */
function open(url: string, headers: Readonly<Record<string, string>> = OF_A_BROWSER, method = 'GET'): Promise<RawResponse> {
  return server.caller(undefined, undefined).page(url.replace(server.url, ''), method, headers)
}

describe('the address of a record', () => {
  it.each(RECORDS)('200 with the %s and a policy without scripts, for a member who sees it', async (record) => {
    const { status, headers, text: html } = await reader.open(addressOf(record))
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(html).toContain('<h1>')
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
  })

  it.each(RECORDS)('303 to the sign-in page without a cookie, and back to the %s', async (record) => {
    const path = addressOf(record).replace(server.url, '')
    const browser = new Browser(server)
    const first = await browser.open(path)
    expect(first.status).toBe(303)
    expect(first.headers.location).toBe(`${server.url}/sign-in?${new URLSearchParams({ return_to: path }).toString()}`)
    await browser.signIn(server, ines.email)
    expect((await browser.open(String(first.headers.location))).headers.location).toBe(addressOf(record))
  })

  it('303 to the sign-in page without a cookie for a missing record', async () => {
    expect((await open(`/${undashed(newId())}`)).status).toBe(303)
  })

  it.each(['*/*', 'application/json', undefined])('400 invalid_request_url for a program that accepts %s', async (accepted) => {
    const { status, text: body } = await open(addressOf('database'), accepted === undefined ? {} : { Accept: accepted })
    expect([status, parseObject(body)['code']]).toEqual([400, 'invalid_request_url'])
  })

  it('400 for POST', async () => {
    expect((await open(addressOf('database'), OF_A_BROWSER, 'POST')).status).toBe(400)
  })

  it('200 with a part of the page, for the id of a block', async () => {
    const page = await makePage(owner, 'Slings', undefined, [{ paragraph: { rich_text: [text('Six metres')] } }])
    const { body } = await owner.call('listBlockChildren', { path: { block_id: page } })
    const { text: html } = await reader.open(`/${undashed(textAt(body, 'results', 0, 'id'))}`)
    expect(html).toContain('Six metres')
    expect(html).toContain('Only a part of this page.')
  })
})

describe('the address of a record that is hidden from the reader', () => {
  /** The page for an address, with the id and the path replaced, so that only other differences remain. */
  async function seen(browser: Browser, id: string): Promise<unknown[]> {
    const { status, headers, text: html } = await browser.open(`/${undashed(id)}`)
    return [status, headers['content-security-policy'], html.replaceAll(undashed(id), 'ID')]
  }

  it('404 with the same page as for a missing record when a rule denies access', async () => {
    const id = await makePage(owner, 'Wages')
    const { workspace } = exampleWorkspace
    await server.service.database.write((db) => setMemberAccess(db, workspace.id, id, tomas.id, 'none', server.clock.now()))
    const browser = new Browser(server)
    await browser.signIn(server, tomas.email)
    expect(await seen(browser, id)).toEqual(await seen(browser, newId()))
    expect((await reader.open(`/${undashed(id)}`)).status).toBe(200)
    expect((await browser.open('/search?q=wages')).text).not.toContain('Wages</')
  })

  it('404 with the same page as for a missing record when it belongs to a workspace of other people', async () => {
    const email = 'rosa@elsewhere.example'
    await server.service.database.write(async (db) => {
      const workspaceId = await createWorkspace(db, 'Elsewhere', server.clock.now())
      await createPerson(db, { workspaceId, email, name: 'Rosa', role: 'owner' }, server.clock.now())
    })
    const stranger = new Browser(server)
    await stranger.signIn(server, email)
    for (const id of [exampleWorkspace.pages.handbook, exampleWorkspace.repairLog, exampleWorkspace.rows.jobs.mast])
      expect(await seen(stranger, id)).toEqual(await seen(stranger, newId()))
    const home = await stranger.open('/search?workspace=' + exampleWorkspace.workspace.id)
    expect(home.text).toContain('Elsewhere')
    expect(home.text).not.toContain('Northshore')
  })
})

describe('GET /search', () => {
  it('303 to the sign-in page without a cookie', async () => {
    expect((await open('/search?q=launch')).status).toBe(303)
  })

  it('200 with the pages and databases whose titles contain the words', async () => {
    const { status, text: html } = await reader.open('/search?q=launch')
    expect(status).toBe(200)
    expect(html).toContain(`href="/Launch-day-plan-${undashed(exampleWorkspace.pages.launchPlan)}"`)
    expect(html).not.toContain('Copy nail')
  })

  it('200 with the last edited records and a link to more when no words are sent', async () => {
    for (let count = 0; count < 12; count += 1) await makePage(owner, `Log ${count}`)
    const first = await reader.open('/search')
    expect(first.text).toContain('Recently edited')
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
    const second = await reader.open(next.replaceAll('&amp;', '&'))
    expect(second.status).toBe(200)
    expect(second.text).toContain('class="results"')
  })
})

it('the style sheet of record pages is a file that browsers may cache', async () => {
  const { text: html } = await reader.open(addressOf('database'))
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(html) ?? []
  const { status, headers, text: css } = await open(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
  expect(headers['cache-control']).toContain('immutable')
  expect(css).not.toMatch(/url\(|@import/)
})

const DIGITS = '0123456789abcdef'.repeat(2)

it.each(['/sign-inn', `/${DIGITS.slice(1)}`, `/0${DIGITS}`, `/${DIGITS}/`, `/a/b-${DIGITS}`, `/x${DIGITS}`, '/search/x'])(
  '400 for %s, which is not the address of a record',
  async (path) => {
    const { status, text: body } = await open(path, { Accept: 'application/json' })
    expect([status, parseObject(body)['code']]).toEqual([400, 'invalid_request_url'])
    expect((await open(path)).status).toBe(400)
  },
)
