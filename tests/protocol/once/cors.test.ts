import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RawResponse } from '../../harness/responses.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const ORIGIN = 'https://planner.example'
const PREFLIGHT = {
  'access-control-allow-origin': ORIGIN,
  vary: 'Origin',
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Service-Version, Service-Beta, Idempotency-Key',
  'access-control-max-age': '600',
}
const EXPOSURE = {
  'access-control-allow-origin': ORIGIN,
  vary: 'Origin',
  'access-control-expose-headers':
    'X-Service-Request-Id, Service-Version, Service-Beta, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed',
}

function corsHeaders({ headers }: Pick<RawResponse, 'headers'>): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'))
}

const settings: readonly [name: string, list: string, origin: string | undefined, preflight: object, exposure: object][] = [
  ['no list', '', ORIGIN, {}, {}],
  ['a list with the origin', `https://other.example, ${ORIGIN}`, ORIGIN, PREFLIGHT, EXPOSURE],
  ['a list without the origin', 'https://other.example', ORIGIN, {}, {}],
  ['a list with the origin under another scheme', 'http://planner.example', ORIGIN, {}, {}],
  ['every origin', '*', ORIGIN, PREFLIGHT, EXPOSURE],
  ['every origin, without an Origin header', '*', undefined, {}, {}],
  [
    'every origin, for a page with a null origin',
    '*',
    'null',
    { ...PREFLIGHT, 'access-control-allow-origin': 'null' },
    { ...EXPOSURE, 'access-control-allow-origin': 'null' },
  ],
]

describe.each(settings)('CORS_ALLOWED_ORIGINS: %s', (_name, list, origin, preflight, exposure) => {
  let server: TestServer
  const headers = origin === undefined ? {} : { Origin: origin }
  beforeAll(async () => void (server = await startTestServer({ CORS_ALLOWED_ORIGINS: list })))
  afterAll(() => server.stop())

  it('responds with 204 to a preflight, without token and version', async () => {
    const response = await server
      .caller(undefined, undefined)
      .send('OPTIONS', '/v1/pages', { headers: { ...headers, 'Access-Control-Request-Method': 'POST' } })
    expect(response.status).toBe(204)
    expect(corsHeaders(response)).toEqual(preflight)
  })

  it('exposes a response to the page only for an allowed origin, and executes the request in any case', async () => {
    const response = await server.owner.call('retrieveMe', { headers })
    expect(response.status).toBe(200)
    expect(corsHeaders(response)).toEqual(exposure)
  })

  it.each([
    ['401', '/v1/users/me', { Authorization: undefined }, 401],
    ['400 for a path that does not exist', '/v1/nothing', {}, 400],
    ['400 for a missing version', '/v1/users/me', { 'Service-Version': undefined }, 400],
  ])('exposes the error %s only for an allowed origin', async (_error, path, more, status) => {
    const response = await server.owner.send('GET', path, { headers: { ...headers, ...more } })
    expect(response.status).toBe(status)
    expect(corsHeaders(response)).toEqual(exposure)
  })

  it.each([
    '/v1/oauth/token',
    '/v1/oauth/introspect',
    '/v1/oauth/revoke',
    '/v1/oauth/authorize',
    '/v1/oauth/token/',
    '/v1/oauth/token?x=1',
    '/v1/oauth/%74oken',
    '/v1/%6fauth/authorize/',
  ])('sends no CORS headers for %s', async (path) => {
    const preflightResponse = await server.caller(undefined, undefined).send('OPTIONS', path, { headers })
    expect(preflightResponse.status).toBe(204)
    expect(corsHeaders(preflightResponse)).toEqual({})
    const response = await server.owner.page(path, 'POST', headers)
    expect(corsHeaders(response)).toEqual({})
  })

  it('sends no CORS headers on pages', async () => {
    // Pages vary by accepted compression, but not by origin.
    expect(corsHeaders(await server.owner.page('/openapi.yaml', 'GET', headers))).toEqual({ vary: 'Accept-Encoding' })
  })
})

describe('CORS preflights', () => {
  it('accept the headers of a brand', async () => {
    const server = await startTestServer({ CORS_ALLOWED_ORIGINS: ORIGIN, HEADER_BRAND: 'Acme' })
    try {
      const response = await server.caller(undefined, undefined).send('OPTIONS', '/v1/pages', { headers: { Origin: ORIGIN } })
      expect(response.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Service-Version, Acme-Version, Service-Beta, Acme-Beta, Idempotency-Key',
      )
      expect(response.headers['x-acme-request-id']).toBe(response.headers['x-service-request-id'])
    } finally {
      await server.stop()
    }
  })

  it('never allow credentials, and do not count toward the rate limit', async () => {
    const server = await startTestServer({ CORS_ALLOWED_ORIGINS: '*', RATE_LIMIT: '1/60' })
    try {
      for (let count = 0; count < 3; count += 1) {
        const response = await server.owner.send('OPTIONS', '/v1/users/me', { headers: { Origin: ORIGIN } })
        expect(response.status).toBe(204)
        expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      }
      expect((await server.owner.call('retrieveMe')).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})
