import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { Admission } from '../../server/http/admission.ts'
import { createApp } from '../../server/http/app.ts'
import { Cors } from '../../server/http/cors.ts'
import { RefusalLog } from '../../server/domain/shared/refused_requests.ts'
import { Contexts } from '../../server/http/contexts.ts'
import { HeaderNames } from '../../server/http/header_names.ts'
import { Metrics } from '../../server/metrics/metrics.ts'
import type { RawResponse } from '../harness/responses.ts'
import { Browser, formText, hiddenFields } from '../harness/browser.ts'
import { Caller } from '../harness/caller.ts'
import { authorizeAddress, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { exchangeBytes } from '../harness/raw_socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** The headers that browsers send when a user opens an address or submits a form. */
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json; charset=utf-8'

let server: TestServer
const ends: (() => unknown)[] = []
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

interface Ask {
  readonly method?: string
  readonly accept?: string
  readonly body?: string
  readonly url?: string
}

function sendRequest(
  path: string,
  { method = 'GET', accept = NAVIGATION, body, url = server.url }: Ask = {},
): Promise<RawResponse> {
  const form = body === undefined ? {} : { 'Content-Type': FORM }
  return new Caller(url, undefined, undefined).page(path, method, { Accept: accept, ...form }, body)
}

function expectPage({ status, headers, text: page }: RawResponse, expected: number, words?: string): void {
  const text = page.replace(/<style>[\s\S]*<\/style>/, '')
  expect({ status, type: headers['content-type'] }, text).toEqual({ status: expected, type: 'text/html; charset=utf-8' })
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<h1>[\s\S]*role="alert"/)
  expect(text).not.toMatch(/[{]"|body failed|undefined|\n {4}at /)
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-service-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  if (words !== undefined) expect(text).toContain(words)
}

function expectJson({ status, headers, text }: RawResponse, expected: number): void {
  expect({ status, type: headers['content-type'] }, text).toEqual({ status: expected, type: JSON_TYPE })
  expect(JSON.parse(text)).toMatchObject({ object: 'error', status: expected })
}

const LONG = `?state=${'x'.repeat(9_000)}`
const HUGE = formText({ email: 'x'.repeat(600_000) })

describe('a browser gets an error as a page, and a program as JSON, for', () => {
  it.each([
    ['an address beyond the limit', '/v1/oauth/authorize', LONG, { method: 'GET' }, 400, 'longer than'],
    ['an encoded path beyond the limit', '/v1/%6fauth/authorize', LONG, {}, 400, 'longer than'],
    [
      'a method that the service never uses',
      '/v1/oauth/authorize',
      '',
      { method: 'PUT' },
      400,
      'does not support the method PUT',
    ],
    ['a method that the pages do not have', '/sign-in', '', { method: 'DELETE' }, 400, 'does not exist'],
    ['a broken percent-encoding', '/v1/oauth/authorize/%zz', '', {}, 400, 'percent-encoding'],
    ['a broken percent-encoding beside the sign-in page', '/sign-in/%zz', '', {}, 400, 'percent-encoding'],
    ['a broken percent-encoding in the reference', '/docs/%zz', '', {}, 400, 'percent-encoding'],
    ['a path with dot segments', '/sign-in/..%2f..', '', {}, 400, 'not allowed'],
    ['an unknown path below the consent page', '/v1/oauth/authorize/more', '', {}, 400, 'does not exist'],
    ['an unknown path', '/sign-inn', '', {}, 400, 'does not exist'],
    ['a link to a file with a wrong signature', '/files/nothing', '', {}, 403, 'has expired or was never valid'],
  ] as const)('%s', async (_what, path, query, how, status, words) => {
    expectPage(await sendRequest(path + query, how), status, words)
    for (const accept of ['application/json', '*/*']) expectJson(await sendRequest(path + query, { ...how, accept }), status)
  })

  it.each(['/sign-in', '/sign-in/link', '/sign-out', '/consent', '/v1/oauth/authorize'])(
    'a form that is too large for %s (programs also get a page)',
    async (path) => {
      for (const accept of [NAVIGATION, '*/*'])
        expectPage(await sendRequest(path, { method: 'POST', body: HUGE, accept }), 400, 'This form is too large')
    },
  )

  it('an address longer than the HTTP parser accepts', async () => {
    const head = (path: string, accept: string): string =>
      `GET ${path}?x=${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\n\r\n`
    for (const path of ['/v1/oauth/authorize', '/sign-in']) {
      const page = await exchangeBytes(server.url, head(path, NAVIGATION))
      expect(page).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nContent-Type: text\/html; charset=utf-8\r\n[\s\S]*<h1>/)
      expect(page).toContain("frame-ancestors 'none'")
      expect(await exchangeBytes(server.url, head(path, '*/*'))).toContain(`\r\nContent-Type: ${JSON_TYPE}\r\n`)
    }
    expect(await exchangeBytes(server.url, head('/v1/users/me', NAVIGATION))).toContain(`\r\nContent-Type: ${JSON_TYPE}\r\n`)
    expect(await exchangeBytes(server.url, 'no HTTP\r\n\r\n')).toContain(`\r\nContent-Type: ${JSON_TYPE}\r\n`)
  })

  it('plain HTTP where HTTPS is required', async () => {
    const secure = await startTestServer({ TRUST_PROXY: '1' })
    ends.push(() => secure.stop())
    for (const path of ['/sign-in', '/v1/oauth/authorize', '/docs/', '/'])
      expectPage(await sendRequest(path, { url: secure.url }), 400, 'requires HTTPS')
    expectJson(await sendRequest('/v1/users/me', { url: secure.url }), 400)
  })
})

describe('the API responds with JSON, whatever the caller accepts, to', () => {
  it.each([
    ['a request without a token', '/v1/users/me', 401],
    ['an unknown path', '/v1/nothing', 400],
    ['an address that is too long', `/v1/users/me${LONG}`, 400],
    ['an unknown OAuth path', '/v1/oauth/nothing', 400],
    ['a broken percent-encoding', '/v1/%zz', 400],
  ] as const)('%s', async (_what, path, status) => expectJson(await sendRequest(path), status))

  it('an OAuth client without credentials, with 401', async () => {
    const { status, headers, text } = await sendRequest('/v1/oauth/token', {
      method: 'POST',
      body: 'grant_type=x',
      accept: `${NAVIGATION},application/json`,
    })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 401, type: JSON_TYPE })
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_client' })
  })
})

describe('a browser gets an error of the service as a page:', () => {
  const pages = ['/sign-in', '/v1/oauth/authorize', '/sign-in/link', '/nothing']

  it.each(['starting', 'stopping'] as const)('503 while the service is %s', async (state) => {
    const [headers, metrics, admission] = [
      new HeaderNames('Service'),
      new Metrics(),
      new Admission(parseConfig({}).load, () => '127.0.0.1'),
    ]
    if (state === 'stopping') await admission.stop(false)
    const log = pino({ level: 'silent' })
    const refusals = new RefusalLog({ keepsBodies: false })
    const contexts = new Contexts({ log, metrics, headers, refusals })
    const app = createApp({ contexts, cors: new Cors([], headers.brands), admission, headers, log, metrics, refusals }, false)
    const waiting = createServer(app.messages, app.onRequest)
    await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve))
    ends.push(() => waiting.close())
    const url = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}`
    for (const path of pages) expectPage(await sendRequest(path, { url }), 503, `The service is ${state}`)
    expectJson(await sendRequest('/v1/users/me', { url }), 503)
  })

  it('529 under overload, with the time to wait', async () => {
    const busy = await startTestServer({ REQUESTS_IN_FLIGHT_MAX: '1', OVERLOAD_RETRY_SECONDS: '7' })
    const held = httpRequest(`${busy.url}/sign-in`, { method: 'POST', headers: { 'Content-Type': FORM } })
    ends.push(
      () => held.destroy(),
      () => busy.stop(),
    )
    held.on('error', () => undefined)
    held.write('a=')
    const metrics = async (): Promise<string> => (await fetch(`${busy.url}/metrics`)).text()
    await until(async () => (await metrics()).includes('workspace_requests_in_flight 1') || undefined)
    for (const path of pages) expectPage(await sendRequest(path, { url: busy.url }), 529, 'try again in 7 seconds')
    expectJson(await sendRequest('/v1/users/me', { url: busy.url }), 529)
  })

  it('429 after too many attempts, with the time to wait', async () => {
    const browser = new Browser(server)
    const hidden = hiddenFields((await browser.open('/sign-in')).text)
    const send = (): Promise<RawResponse> => browser.submit('/sign-in', { ...hidden, email: 'x@y.example', password: 'x' })
    let response = await send()
    for (let count = 0; response.status === 400 && count < 20; count += 1) response = await send()
    expectPage(response, 429, 'Too many attempts')
    expect(response.text).toMatch(/try again in 1[45] minutes/)
  })

  it('500 for an internal error, without details', async () => {
    const broken = await startTestServer()
    ends.push(() => broken.stop())
    const client = await makeClient(broken)
    const browser = new Browser(broken)
    await browser.signIn(broken, exampleWorkspace.people[0].email)
    const { database } = broken.service
    await database.write((db) => db.run('alter table browser_sessions rename to hidden_sessions'))
    expectPage(await browser.open('/sign-in'), 500, 'The service failed')
    await database.write((db) => db.run('alter table connections rename to hidden_connections'))
    expectPage(await browser.open(authorizeAddress(client)), 500, 'The service failed')
  })
})
