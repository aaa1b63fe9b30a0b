import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { assertReceived, createTestServer, matchers } from '../../testkit/src/index.ts'
import { scratchFolder } from '../harness/databases.ts'
import { call, makePage } from './support/responses.ts'

const server = await createTestServer({ port: 'none' })
afterAll(() => server.close())
afterEach(() => {
  server.faults.clear()
  server.journal.clear()
})
const { workspace, journal } = server
const ghost = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

describe('the journal', () => {
  it('has each request with its response, in order', async () => {
    const id = await makePage(workspace, 'Low water at nine')
    await call(workspace, 'retrievePage', { path: { page_id: id } })
    await workspace.fetch('/v1/users?page_size=1')
    expect(journal.entries).toMatchObject([
      {
        operation: 'createPage',
        method: 'POST',
        path: '/v1/pages',
        body: { markdown: 'Low water at nine' },
        response: { status: 200, body: { object: 'page', id }, headers: { 'content-type': 'application/json; charset=utf-8' } },
        refusal: undefined,
      },
      { operation: 'retrievePage', path: `/v1/pages/${id}`, body: undefined, response: { status: 200 } },
      { operation: 'listUsers', query: { page_size: '1' } },
    ])
    const [first] = journal.entries
    expect(first?.response.body).toMatchObject({ request_id: first?.requestId })
    expect(first?.bodyBytes).toBe(JSON.stringify(first?.body).length)
  })

  it.each([
    ['address', 'invalid_request_url', [], () => workspace.fetch('/v1/boats')],
    ['caller', 'unauthorized', [], () => server.fetch('/v1/users/me')],
    ['caller', 'missing_version', [], () => workspace.fetch('/v1/users/me', { headers: { 'Service-Version': '1999-01-01' } })],
    ['content', 'validation_error', ['body.parent.page_id'], () => post('/v1/pages', { parent: { page_id: 'x' } })],
    ['content', 'object_not_found', [], () => workspace.fetch(`/v1/pages/${ghost}`)],
  ] as const)('reports that a request was refused for its %s: %s', async (check, code, paths, send) => {
    await (await send()).text()
    expect(journal.entries.map(({ refusal }) => refusal)).toEqual([
      { check, code, paths: [...paths], message: expect.any(String) },
    ])
  })

  it('distinguishes refusals by a fault rule from refusals by the service', async () => {
    server.faults.rateLimited({ next: 1 })
    await call(workspace, 'retrieveMe')
    await call(workspace, 'retrieveMe')
    expect(journal.entries).toMatchObject([
      {
        refusal: { check: 'fault', code: 'rate_limited' },
        faults: [{ code: 'rate_limited', next: 1 }],
        response: { status: 429 },
      },
      { refusal: undefined, faults: [], response: { status: 200 } },
    ])
  })

  it('shows the sent part of truncated responses', async () => {
    server.faults.add({ drop: 'after', next: 1 })
    await expect(workspace.fetch('/v1/users/me')).rejects.toThrow()
    expect(journal.entries).toMatchObject([{ response: { status: undefined, bodyBytes: expect.any(Number) } }])
  })

  it('contains no secrets', async () => {
    const { owner, token } = workspace
    const basic = Buffer.from(`client:cs_${'a'.repeat(44)}`).toString('base64')
    await workspace.fetch('/v1/oauth/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${basic}`, Cookie: 'session=abc' },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: 'ort_secret_of_a_refresh_token' }),
    })
    await workspace.fetch(`/v1/users?start_cursor=${token}`)
    await workspace.fetch('/v1/users/me', { headers: { Authorization: `Bearer ${owner.token}` } })
    const text = JSON.stringify([journal.entries, journal.toHar()])
    expect(journal.entries).toHaveLength(3)
    for (const secret of [token, owner.token, basic, 'session=abc', 'ort_secret_of_a_refresh_token'])
      expect(text).not.toContain(secret)
  })

  const SECRET = 'hunter2Zq9xVb'
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const json = { 'Content-Type': 'application/json' }
  it.each<[string, string, RequestInit]>([
    [
      'a JSON body',
      '/v1/oauth/token',
      { headers: json, body: JSON.stringify({ grant_type: 'authorization_code', code: SECRET, code_verifier: SECRET }) },
    ],
    [
      'a JSON body nested in unknown keys',
      '/v1/pages',
      { headers: json, body: JSON.stringify({ a: [{ b: { Client_Secret: SECRET } }] }) },
    ],
    ['a truncated JSON body', '/v1/pages', { headers: json, body: `{"token": "${SECRET}` }],
    [
      'a JSON body that is sent as text',
      '/v1/pages',
      { headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify({ password: SECRET }) },
    ],
    [
      'a form',
      '/v1/oauth/token',
      { headers: form, body: `grant_type=refresh_token&refresh_token=${SECRET}&client_secret=${SECRET}` },
    ],
    [
      'a form with repeated, encoded and mixed-case names',
      '/sign-in',
      { headers: form, body: `pass%77ord=${SECRET}&Password=${SECRET}&csrf%5Ftoken=${SECRET}` },
    ],
    [
      'a form in several parts',
      '/v1/oauth/token',
      {
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${SECRET}\r\n--b--\r\n`,
      },
    ],
    ['a query', `/v1/users?access_token=${SECRET}&Code=${SECRET}&a?token=${SECRET}`, { method: 'GET' }],
    ['a Referer', '/sign-in', { method: 'GET', headers: { Referer: `http://a.example/?code=${SECRET}&csrf_token=${SECRET}` } }],
    ['a redirect', `/sign-in?return_to=${encodeURIComponent(`/v1/oauth/authorize?code=${SECRET}`)}`, { method: 'GET' }],
    [
      'headers',
      '/v1/users',
      {
        method: 'GET',
        headers: { Cookie: `session=${SECRET}`, 'X-Service-Signature': SECRET, 'Proxy-Authorization': `Basic ${SECRET}` },
      },
    ],
    [
      'a signed link',
      '/v1/pages',
      {
        headers: json,
        body: JSON.stringify({
          cover: { type: 'file', file: { url: `http://a.example/files/x?expires=1&signature=${SECRET}` } },
        }),
      },
    ],
    [
      'a webhook token',
      `/v1/webhook_subscriptions/${ghost}/verify`,
      { headers: json, body: JSON.stringify({ verification_token: SECRET }) },
    ],
  ])('contains no secret of %s', async (_where, path, init) => {
    await (await workspace.fetch(path, { method: 'POST', redirect: 'manual', ...init })).text()
    expect(journal.entries).toHaveLength(1)
    expect(JSON.stringify([journal.entries, journal.toHar()])).not.toContain(SECRET)
  })

  it('contains no secret of sign-in pages', async () => {
    const page = await server.fetch('/sign-in', { headers: { Accept: 'text/html' } })
    const token = /name="csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? 'none'
    expect(token.length).toBeGreaterThan(10)
    expect(JSON.stringify([journal.entries, journal.toHar()])).not.toContain(token)
    expect(journal.entries[0]?.response.body).toContain('name="csrf_token" value="[redacted]"')
  })

  it('shows values whose names are secret only in other requests', async () => {
    const code = { code: { rich_text: [{ text: { content: 'x' } }], language: 'c' } }
    const response = await post('/v1/pages', { parent: { page_id: ghost }, children: [code] })
    expect(await response.json()).toMatchObject({ code: 'object_not_found' })
    expect(journal.entries).toMatchObject([{ body: { children: [code] }, response: { body: { code: 'object_not_found' } } }])
  })

  it('keeps the last thousand requests', async () => {
    for (let index = 0; index < 1_010; index += 1) await (await server.fetch(`/healthz?${index}`)).text()
    expect(journal.entries).toHaveLength(1_000)
    expect(journal.entries.at(-1)?.query).toEqual({ 1009: '' })
  })

  it('can be exported as an HTTP archive', async () => {
    const id = await makePage(workspace)
    const path = join(scratchFolder('har-'), 'test.har')
    await journal.saveHar(path)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      log: {
        version: '1.2',
        entries: [
          {
            request: { method: 'POST', url: `${server.url}/v1/pages`, postData: { text: '{"markdown":"Low water at nine"}' } },
            response: { status: 200, statusText: 'OK', content: { text: expect.stringContaining(id) } },
          },
        ],
      },
    })
  })
})

describe('assertions on the journal', () => {
  expect.extend(matchers)

  it('find requests by parts of them', async () => {
    await makePage(workspace, 'Low water at nine')
    await workspace.fetch(`/v1/pages/${ghost}`)
    assertReceived(server, 'createPage', { body: { markdown: /water/ }, status: 200, times: 1 })
    assertReceived(server, 'createPage', { response: { id: expect.any(String) }, headers: { 'service-version': newestRelease } })
    assertReceived(server, 'retrievePage', { code: 'object_not_found', path: /7d1a3a5e/ })
    assertReceived(server, 'search', { times: 0 })
  })

  it('list the received requests when they fail', async () => {
    await makePage(workspace, 'Low water at nine')
    expect(() => assertReceived(server, 'createPage', { body: { markdown: 'High water' } })).toThrow(
      /Matching createPage requests: expected at least one, found 0\. All requests that the server received:\n {2}createPage: POST \/v1\/pages → 200 \{"markdown":"Low water at nine"\}/,
    )
    expect(() => assertReceived(server, 'createPage', { body: { markdown: 'Low water at nine', icon: null } })).toThrow()
    expect(() => assertReceived(server, 'createPage', { times: 2 })).toThrow('expected 2')
  })
})

function post(path: string, body: object): Promise<Response> {
  return workspace.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
}
