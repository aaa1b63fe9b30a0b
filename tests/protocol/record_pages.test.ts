import { beforeAll, describe, expect, it } from 'vitest'
import { newId, undashed } from '../../server/kernel/ids.ts'
import type { RawResponse } from '../harness/responses.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { parseObject, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { makeView } from '../harness/views.ts'

/** The headers that Chromium sends when a user opens an address. */
const OF_A_BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }

const server = await serverOfFile()
const { owner } = server
const RECORDS = ['page with a title', 'page without a title', 'database', 'view'] as const
/** By record: the id in its address, and the address. */
const made = new Map<string, readonly [id: string, url: string]>()

beforeAll(async () => {
  const titled = await makePage(owner, 'Räume & Boats_2')
  for (const [name, id] of [
    ['page with a title', titled],
    ['page without a title', await makePage(owner, '')],
  ] as const)
    made.set(name, [id, textAt((await owner.call('retrievePage', { path: { page_id: id } })).body, 'url')])
  const database = await makeDatabase(owner, titled)
  const { body } = await owner.call('retrieveDatabase', { path: { database_id: database.id } })
  made.set('database', [database.id, textAt(body, 'url')])
  made.set('view', [database.id, textAt(await makeView(owner, database), 'url')])
})

/** Opens an address of the service, without a token. */
function open(url: string, headers: Readonly<Record<string, string>> = OF_A_BROWSER, method = 'GET'): Promise<RawResponse> {
  return server.caller(undefined, undefined).page(url.replace(server.url, ''), method, headers)
}

describe('the address of a record', () => {
  it.each(RECORDS)('of a %s: 200 with a page that shows how to read it by the API', async (record) => {
    const [id, url] = made.get(record) ?? ['', '']
    expect(new URL(url).origin).toBe(server.url)
    expect(url).toContain(undashed(id))
    const { status, headers, text } = await open(url)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    for (const collection of ['pages', 'databases']) expect(text).toContain(`curl ${server.url}/v1/${collection}/${id} `)
    expect(text).toContain('<a href="/docs/">')
  })

  it('of a missing record: the same page except for the id', async () => {
    const [id, url] = made.get('page with a title') ?? ['', '']
    const never = newId()
    const missing = await open(url.replace(undashed(id), undashed(never).toUpperCase()))
    expect(missing.status).toBe(200)
    expect(missing.text.replaceAll(never, id)).toBe((await open(url)).text)
  })

  it.each(['*/*', 'application/json', undefined])('for a program that accepts %s: 400 invalid_request_url', async (accepted) => {
    const [, url] = made.get('page with a title') ?? ['', '']
    const { status, text } = await open(url, accepted === undefined ? {} : { Accept: accepted })
    expect([status, parseObject(text)['code']]).toEqual([400, 'invalid_request_url'])
  })

  it('is read-only: 400 for POST', async () => {
    const [, url] = made.get('page with a title') ?? ['', '']
    expect((await open(url, OF_A_BROWSER, 'POST')).status).toBe(400)
  })
})

const DIGITS = '0123456789abcdef'.repeat(2)

it.each(['/sign-inn', `/${DIGITS.slice(1)}`, `/0${DIGITS}`, `/${DIGITS}/`, `/a/b-${DIGITS}`, `/x${DIGITS}`])(
  '%s is not the address of a record: 400',
  async (path) => {
    const { status, text } = await open(path, { Accept: 'application/json' })
    expect([status, parseObject(text)['code']]).toEqual([400, 'invalid_request_url'])
    const shown = await open(path)
    expect(shown.status).toBe(400)
    expect(shown.text).not.toContain('curl')
  },
)
