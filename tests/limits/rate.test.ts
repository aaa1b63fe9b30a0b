import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../harness/responses.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import type { Caller } from '../harness/caller.ts'
import { makeConnection, makeMember, type TestConnection } from '../harness/connections.ts'
import { expectError } from '../harness/expectations.ts'
import { at } from '../harness/json.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { addToken, setRateLimit } from './rate_limits_of_connections.ts'
import { rateLimitsOf, remaining } from './rate_limit_headers.ts'

const UNKNOWN = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

let server: TestServer
/** A server for the tests of a group, usually called `server` there. */
const serving = (settings: Readonly<Record<string, string>>): (() => TestServer) => {
  let started: TestServer
  beforeAll(async () => {
    server = started = await startTestServer(settings)
  })
  afterAll(() => started.stop())
  return () => started
}

const me = (caller = server.owner): Promise<TestResponse> => caller.call('retrieveMe')
const many = (count: number, send: () => Promise<TestResponse>): Promise<TestResponse[]> =>
  Promise.all(Array.from({ length: count }, send))
/** A connection that has not been used yet. */
const fresh = (of = server): Promise<TestConnection> =>
  makeConnection(of, { capabilities: ['read_content', 'insert_content'], grants: [exampleWorkspace.workspace.id] })
const passed = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 200).length

function expectLimited(response: TestResponse, reason: string, secondsMax: number): void {
  expectError(response, 429, 'rate_limited')
  expect(at(response.body, 'additional_data')).toStrictEqual({ rate_limit_reason: reason })
  expect(response.headers['retry-after']).toMatch(/^\d+$/)
  const seconds = Number(response.headers['retry-after'])
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(secondsMax)
}

describe('the default rate limits', () => {
  serving({ RATE_LIMIT: '' })

  it('are 180 requests of a connection and 1,800 of a workspace in 60 seconds, as the headers show and count down', async () => {
    const responses = [await me(), await me(), await me()]
    for (const response of responses)
      expect(response.headers['ratelimit-policy']).toBe('"connection";q=180;w=60, "workspace";q=1800;w=60')
    expect(responses.map((response) => remaining(response, 'connection'))).toStrictEqual([179, 178, 177])
    expect(responses.map((response) => remaining(response, 'workspace'))).toStrictEqual([1799, 1798, 1797])
    expect(responses[0]?.headers['ratelimit']).toBe('"connection";r=179;t=60, "workspace";r=1799;t=60')
  })

  it('429 after a burst of 180 requests, which all succeed; refused requests do not count', async () => {
    const { caller } = await fresh()
    const before = remaining(await me(), 'workspace')
    const responses = await many(200, () => me(caller))
    expect(passed(responses)).toBe(180)
    for (const response of responses.filter(({ status }) => status !== 200))
      expectLimited(response, 'public_api_request_rate_limit', 60)
    expect(remaining(await me(), 'workspace')).toBe(before - 181)
  })
})

describe('the rate limit of a connection', () => {
  serving({ RATE_LIMIT: '3/60', RATE_LIMIT_WORKSPACE: '1000/60' })

  it('429 with the state of both limits and the message of the contract', async () => {
    const { caller } = await fresh()
    const workspace = (await many(3, () => me(caller))).map((response) => remaining(response, 'workspace'))
    const response = await me(caller)
    expectLimited(response, 'public_api_request_rate_limit', 60)
    expect(response.body['message']).toBe('The rate limit of this connection is exceeded; retry after the time in Retry-After.')
    expect(response.headers['ratelimit-policy']).toBe('"connection";q=3;w=60, "workspace";q=1000;w=60')
    expect(rateLimitsOf(response)?.['connection']).toStrictEqual({
      remaining: 0,
      seconds: Number(response.headers['retry-after']),
    })
    expect(remaining(response, 'workspace')).toBe(Math.min(...workspace))
  })

  it('429 for every token of the same bot, including a new one', async () => {
    await many(4, me)
    expectLimited(await me(server.caller(await addToken(server, exampleWorkspace.bot.id))), 'public_api_request_rate_limit', 60)
  })

  it('429 for all personal tokens of one member together', async () => {
    const [first, second] = [
      await makeMember(server, exampleWorkspace.people[1].id),
      await makeMember(server, exampleWorkspace.people[1].id),
    ]
    expect((await many(3, () => me(first))).map(({ status }) => status)).toStrictEqual([200, 200, 200])
    expectLimited(await me(second), 'public_api_request_rate_limit', 60)
    expectLimited(await me(await makeMember(server, exampleWorkspace.people[1].id)), 'public_api_request_rate_limit', 60)
    expect((await me(await makeMember(server, exampleWorkspace.people[2].id))).status).toBe(200)
  })

  it('429 for every spelling of a path, and for HEAD', async () => {
    const { caller } = await fresh()
    const spellings = ['/v1/users/me/', '/v1/users/%6de', '/v1/%75sers/me?']
    for (const target of spellings) expect((await caller.send('GET', target)).status, target).toBe(200)
    for (const target of [...spellings, '/v1/users/me']) expect((await caller.send('GET', target)).status, target).toBe(429)
    expect((await caller.send('HEAD', '/v1/users/me')).status).toBe(429)
  })

  it("200 for each person's bot up to its own limit, even with the same connection", async () => {
    const client = await makeClient(server)
    const one = await authorize(server, client, { email: exampleWorkspace.people[0].email })
    const other = await authorize(server, client, { email: exampleWorkspace.people[1].email })
    expect(passed(await many(4, () => me(one.caller)))).toBe(3)
    expect(remaining(await me(other.caller), 'connection')).toBe(2)
  })

  it('200 for another connection, which has its own limit', async () => {
    await many(4, me)
    expect(remaining(await me((await fresh()).caller), 'connection')).toBe(2)
  })

  it('429 for exactly the excess of concurrent requests', async () => {
    const { caller } = await fresh()
    const responses = await many(30, () => me(caller))
    expect(passed(responses)).toBe(3)
    expect(
      responses
        .filter(({ status }) => status === 200)
        .map((response) => remaining(response, 'connection'))
        .toSorted(),
    ).toStrictEqual([0, 1, 2])
  })

  it.each<[string, number, (caller: Caller) => Promise<TestResponse>]>([
    [
      '400 to a missing version',
      0,
      (caller) => caller.send('GET', '/v1/users/me', { headers: { 'Service-Version': undefined } }),
    ],
    [
      '400 to an unknown version',
      0,
      (caller) => caller.send('GET', '/v1/users/me', { headers: { 'Service-Version': '2099-01-01' } }),
    ],
    ['400 to a bad beta flag', 0, (caller) => caller.send('GET', '/v1/users/me', { headers: { 'Service-Beta': 'nothing' } })],
    ['400 to an unknown path', 0, (caller) => caller.send('GET', '/v1/nowhere')],
    ['400 to a path that the version lacks', 0, (caller) => caller.send('GET', '/v1/databases')],
    ['400 to an unsatisfiable Accept', 0, (caller) => caller.send('GET', '/v1/users/me', { headers: { Accept: 'text/csv' } })],
    ['204 to a preflight', 0, (caller) => caller.send('OPTIONS', '/v1/pages')],
    ['403 to a missing capability', 1, (caller) => caller.send('DELETE', `/v1/blocks/${UNKNOWN}`)],
    [
      '400 to a body that is not JSON',
      1,
      (caller) => caller.send('POST', '/v1/pages', { headers: { 'Content-Type': 'application/json' }, body: '{' }),
    ],
    ['400 to a malformed id', 1, (caller) => caller.send('GET', '/v1/blocks/no-id')],
    ['404 to an unknown id', 1, (caller) => caller.send('GET', `/v1/blocks/${UNKNOWN}`)],
    ['200 to a HEAD request', 1, (caller) => caller.send('HEAD', '/v1/users/me')],
  ])('the response %s costs %i of the limit', async (name, cost, send) => {
    const { caller } = await fresh()
    const response = await send(caller)
    expect(response.status).toBe(Number(name.slice(0, 3)))
    expect(rateLimitsOf(response) !== undefined).toBe(cost > 0)
    expect(remaining(await me(caller), 'connection')).toBe(2 - cost)
  })

  it('400 and 401 from the checks that come before the limit, even when the limit is exhausted', async () => {
    const { caller } = await fresh()
    await many(4, () => me(caller))
    expectError(
      await caller.send('GET', `/v1/data_sources/${UNKNOWN}`, { headers: { 'Service-Version': '2022-06-28' } }),
      400,
      'invalid_request_url',
    )
    expectError(await caller.send('GET', '/v1/nowhere'), 400, 'invalid_request_url')
    expectError(
      await caller.send('GET', '/v1/users/me', { headers: { 'Service-Version': '2099-01-01' } }),
      400,
      'missing_version',
    )
    expectError(await caller.send('GET', '/v1/users/me', { headers: { 'Service-Beta': 'nothing' } }), 400, 'invalid_beta')
    expectError(await me(server.caller('itk_nobody')), 401, 'unauthorized')
  })

  it('429 before the capability, the body and the target are checked', async () => {
    const { caller } = await fresh()
    await many(4, () => me(caller))
    expectError(await caller.send('DELETE', `/v1/blocks/${UNKNOWN}`), 429, 'rate_limited')
    expectError(
      await caller.send('POST', '/v1/pages', { headers: { 'Content-Type': 'application/json' }, body: '{' }),
      429,
      'rate_limited',
    )
    expectError(await caller.send('GET', '/v1/blocks/no-id'), 429, 'rate_limited')
  })

  it('429 beyond a limit set for the connection, in windows of 60 seconds', async () => {
    const { caller, connectionId } = await fresh()
    await setRateLimit(server, connectionId, 5)
    const responses = await many(8, () => me(caller))
    expect(passed(responses)).toBe(5)
    for (const response of responses)
      expect(response.headers['ratelimit-policy']).toBe('"connection";q=5;w=60, "workspace";q=1000;w=60')
    expect((await me()).headers['ratelimit-policy']).toBe('"connection";q=3;w=60, "workspace";q=1000;w=60')
  })
})

/** These tests wait for time to pass, so they run concurrently. */
describe.concurrent('windows of rate limits', () => {
  const short = serving({ RATE_LIMIT: '3/3' })
  const ofWorkspace = serving({ RATE_LIMIT: '50/60', RATE_LIMIT_WORKSPACE: '6/4' })
  const both = serving({ RATE_LIMIT: '2/2', RATE_LIMIT_WORKSPACE: '4/600' })

  it('429, then 200 in a new window after the time in Retry-After', async () => {
    const { caller } = await fresh(short())
    await many(3, () => me(caller))
    const refused = await me(caller)
    expectLimited(refused, 'public_api_request_rate_limit', 3)
    expect(refused.headers['ratelimit-policy']).toBe('"connection";q=3;w=3, "workspace";q=30;w=3')
    await pause(Number(refused.headers['retry-after']) * 1000)
    expect(rateLimitsOf(await me(caller))?.['connection']).toStrictEqual({ remaining: 2, seconds: 3 })
  })

  it('200 with windows of 60 seconds for a connection with a limit of its own', async () => {
    const { caller, connectionId } = await fresh(short())
    await setRateLimit(short(), connectionId, 5)
    expect((await me(caller)).headers['ratelimit-policy']).toBe('"connection";q=5;w=60, "workspace";q=30;w=3')
  })

  it('200 with a window that starts at the first request after a pause and does not move', async () => {
    const { caller } = await fresh(short())
    await pause(500)
    expect(rateLimitsOf(await me(caller))?.['connection']).toStrictEqual({ remaining: 2, seconds: 3 })
    await pause(1100)
    const { remaining: second, seconds } = rateLimitsOf(await me(caller))?.['connection'] ?? {}
    expect(second).toBe(1)
    expect(seconds).toBeLessThan(3)
  })

  it("429 when several connections exhaust the workspace's limit, until its next window and at no cost to the connections", async () => {
    const [one, other] = [await fresh(ofWorkspace()), await fresh(ofWorkspace())]
    await me(one.caller)
    await many(5, () => me(other.caller))
    const refused = await me(one.caller)
    expectLimited(refused, 'public_api_space_request_rate_limit', 4)
    expect(refused.body['message']).toBe('The rate limit of this workspace is exceeded; retry after the time in Retry-After.')
    expect(remaining(refused, 'connection')).toBe(49)
    await many(5, () => me(one.caller))
    await pause(Number(refused.headers['retry-after']) * 1000)
    expect(remaining(await me(one.caller), 'connection')).toBe(48)
  })

  it("429 naming the connection's limit while it is exhausted, and then the workspace's, whose wait may exceed 60 seconds; refusals cost nothing", async () => {
    const { owner } = both()
    const { caller } = await fresh(both())
    const responses = await many(20, () => me(caller))
    expect(passed(responses)).toBe(2)
    for (const response of responses.filter(({ status }) => status !== 200))
      expectLimited(response, 'public_api_request_rate_limit', 2)
    expect(passed(await many(20, () => me(owner)))).toBe(2)
    expectLimited(await me(owner), 'public_api_request_rate_limit', 2)
    await pause(2050)
    const refused = await me(owner)
    expectLimited(refused, 'public_api_space_request_rate_limit', 600)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
  })
})

describe('rate limits with RATE_LIMIT=off', () => {
  serving({ RATE_LIMIT: 'off' })

  it('200 for any number of requests, with headers that allow a billion', async () => {
    const responses = await many(300, me)
    expect(passed(responses)).toBe(300)
    expect(responses[299]?.headers['ratelimit']).toBe('"connection";r=1000000000;t=60, "workspace";r=1000000000;t=60')
    for (const response of await many(150, () => me(server.caller('itk_nobody')))) expect(response.status).toBe(401)
  })
})

describe('failed authentications from an address', () => {
  serving({ RATE_LIMIT: '1000/60' })

  it('429 instead of 401 from the 101st on, without details of the token, while valid tokens keep working', async () => {
    await many(60, async () => (await fresh()).caller.send('DELETE', `/v1/blocks/${UNKNOWN}`))
    const responses = await many(110, () => me(server.caller(`itk_${Math.random()}`)))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(100)
    for (const response of responses.filter(({ status }) => status !== 401)) {
      expectLimited(response, 'authentication_attempts', 60)
      expect(rateLimitsOf(response)).toBeUndefined()
      expect(response.headers['www-authenticate']).toBeUndefined()
    }
    expectLimited(await me(server.caller(undefined)), 'authentication_attempts', 60)
    expect(remaining(await me(), 'connection')).toBe(999)
    expectError(await server.caller('itk_nobody').send('GET', '/v1/nowhere'), 400, 'invalid_request_url')
    // Wrong passwords and sign-in links count as failures.
    const browser = new Browser(server)
    const hidden = hiddenFields((await browser.open('/sign-in')).text)
    const byPassword = await browser.submit('/sign-in', { ...hidden, email: 'nobody@northshore.example', password: 'x' })
    const byLink = await browser.submit('/sign-in/link', { ...hidden, token: 'link_unknown' })
    for (const { status, text } of [byPassword, byLink])
      expect([status, text.includes('Too many failed authentications from this address')]).toEqual([429, true])
  })
})
