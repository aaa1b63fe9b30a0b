import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { releaseDates } from '../../../server/versions/index.ts'
import type { RawResponse } from '../../harness/responses.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { sendBytes } from '../../harness/raw_socket.ts'
import { expectError } from '../../harness/expectations.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

const PAGES = [
  '/',
  '/docs',
  '/docs/',
  '/docs/nothing',
  '/openapi.yaml',
  '/openapi.json',
  '/openapi.sdk.yaml',
  '/openapi/2022-06-28.yaml',
]
const MACHINE_PAGES = ['/healthz', '/readyz', '/metrics']

describe('pages of the service', () => {
  it.each([...PAGES, ...MACHINE_PAGES])('have a request id and the headers of every response: %s', async (path) => {
    const { headers } = await server.owner.page(path)
    expect(headers['x-service-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it.each(PAGES)('forbid external resources and frames: %s', async (path) => {
    const { headers } = await server.owner.page(path)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.split('; ').find((part) => part.startsWith('script-src'))).not.toMatch(/unsafe|\*|https?:/)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-cache')
  })

  it.each([
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/%zz',
    '/docs/%00',
    '/docs/../../../etc/passwd',
    '/docs/.git/config',
  ])('refuse the path %s without revealing files', async (path) => {
    const response = await server.owner.page(path)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(response.text).not.toMatch(/"dependencies"|root:|\n {4}at /)
  })

  it('are sent whole for an unsatisfiable range', async () => {
    const { status, text } = await server.owner.page('/openapi.yaml', 'GET', { Range: 'bytes=999999999-' })
    expect(status).toBe(200)
    expect(text).toMatch(/^openapi: /m)
  })

  it('show the address of this service instead of an example', async () => {
    const { text } = await server.owner.page('/openapi.json')
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: server.url }] })
    expect(text).not.toContain('workspace.example')
  })
})

it.each([
  ['/openapi.sdk.yaml', '3.0.3'],
  ['/openapi.sdk31.yaml', '3.1.1'],
])('%s is a contract for client generators, and names this service', async (path, release) => {
  const { status, headers, text } = await server.owner.page(path)
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/yaml' })
  expect(text).toMatch(new RegExp(`^openapi: ${release.replaceAll('.', '\\.')}$`, 'm'))
  expect(text).toContain(`- url: ${server.url}\n`)
})

describe('the contract of a release date', () => {
  const request = (path: string, headers = {}): Promise<RawResponse> => server.owner.page(path, 'GET', headers)

  it.each(releaseDates)('is served as compressed JSON and as YAML for %s', async (date) => {
    const json = await request(`/openapi/${date}.json`, { 'Accept-Encoding': 'gzip' })
    expect(json).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' },
    })
    expect(JSON.parse(gunzipSync(json.bytes ?? '').toString())).toMatchObject({ openapi: '3.1.1', info: { version: date } })
    const yaml = await request(`/openapi/${date}.yaml`)
    expect(yaml).toMatchObject({ status: 200, headers: { 'content-type': 'application/yaml' } })
    expect(yaml.text).toMatch(new RegExp(`^  version: "?${date}"?$`, 'm'))
  })

  it('gets 304 when unchanged', async () => {
    const { headers } = await request('/openapi/2022-06-28.json')
    const again = await request('/openapi/2022-06-28.json', { 'If-None-Match': headers.etag })
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
  })

  it.each(['/openapi/2022-06-29.yaml', '/openapi/2022-06-28.xml', '/openapi/'])('has no file at %s', async (path) => {
    expectError(await server.owner.send('GET', path), 400, 'invalid_request_url')
  })
})

describe('unusual requests', () => {
  it('without a Host header get 400 invalid_request', async () => {
    expectError(
      await sendBytes(server.url, 'GET /v1/users/me HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'invalid_request',
      'Host',
    )
  })

  it('for a tunnel are refused', async () => {
    expectError(
      await sendBytes(server.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      400,
      'invalid_request',
    )
  })

  it('for a protocol upgrade get a normal response', async () => {
    const response = await server.owner.send('GET', '/v1/users/me', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } })
    expect(response.status).toBe(200)
  })

  it('with their own request id get another one', async () => {
    const own = '11111111-2222-4333-8444-555555555555'
    const response = await server.owner.call('retrieveMe', { headers: { 'X-Service-Request-Id': own, 'X-Request-Id': own } })
    expect(response.headers['x-service-request-id']).not.toBe(own)
    const again = await server.owner.call('retrieveMe')
    expect(again.headers['x-service-request-id']).not.toBe(response.headers['x-service-request-id'])
  })

  it('with an unknown Expect get a normal response', async () => {
    expect((await server.owner.send('GET', '/v1/users/me', { headers: { Expect: 'the-unexpected' } })).status).toBe(200)
  })
})
