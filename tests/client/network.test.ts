import { describe, expect, it } from 'vitest'
import {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  TimeoutError,
  UnreadableResponseError,
  WorkspaceServiceError,
} from '../../client/src/index.ts'
import { freePort } from '../harness/process.ts'
import { fault, good, page, type Play, reset, silence, standInOfFile, torn } from './stand_in.ts'

const standIn = await standInOfFile()

const id = '5df6f817-b099-4bcf-a0ec-6db25097c040'
const keyed = { body: {}, idempotencyKey: 'crate-17' }

/** The calls that the client may repeat after each kind of failure: a read, a write, a write with a key, a deletion. */
const failures: [name: string, failure: Play, repeated: { read: boolean; write: boolean; keyed: boolean; deletion: boolean }][] =
  [
    ["the service's 429", fault(429, 'rate_limited'), { read: true, write: true, keyed: true, deletion: true }],
    ["the service's 529", fault(529, 'service_overload'), { read: true, write: true, keyed: true, deletion: true }],
    ["the service's 500", fault(500, 'internal_server_error'), { read: true, write: false, keyed: true, deletion: true }],
    ["the service's 503", fault(503, 'service_unavailable'), { read: true, write: false, keyed: true, deletion: true }],
    ["the service's 504", fault(504, 'gateway_timeout'), { read: false, write: false, keyed: false, deletion: false }],
    ['409 with Retry-After', fault(409, 'conflict_error'), { read: false, write: false, keyed: true, deletion: false }],
    ['409 without Retry-After', fault(409, 'conflict_error', {}), { read: false, write: false, keyed: false, deletion: false }],
    ["the service's 400", fault(400, 'validation_error'), { read: false, write: false, keyed: false, deletion: false }],
    ['429 with an unknown code', fault(429, 'slow_down'), { read: true, write: true, keyed: true, deletion: true }],
    ["a proxy's 429", page(429), { read: true, write: true, keyed: true, deletion: true }],
    ["a proxy's 502", page(502), { read: true, write: false, keyed: true, deletion: false }],
    ["a proxy's 503", page(503), { read: true, write: false, keyed: true, deletion: false }],
    ["a proxy's 504", page(504), { read: true, write: false, keyed: true, deletion: false }],
    ['500 without a body', page(500, {}, ''), { read: true, write: false, keyed: true, deletion: false }],
    ["a proxy's 403", page(403), { read: false, write: false, keyed: false, deletion: false }],
    ['200 with an HTML page', page(200), { read: false, write: false, keyed: false, deletion: false }],
    ['a reset connection', reset, { read: true, write: false, keyed: true, deletion: false }],
    ['a truncated response', torn, { read: true, write: false, keyed: true, deletion: false }],
  ]

describe('a call is retried exactly when it cannot take effect twice', () => {
  it.each(failures)('after %s', async (_name, failure, repeated) => {
    const client = standIn.client({ retries: 1 })
    const calls = {
      read: () => client.users.me.retrieve(),
      write: () => client.pages.create(),
      keyed: () => client.call('createPage', keyed),
      deletion: () => client.blocks.delete({ block_id: id }),
    }
    const seen: Record<string, boolean> = {}
    for (const [kind, call] of Object.entries(calls)) {
      standIn.play(failure)
      const outcome: unknown = await call().catch((error: unknown) => error)
      seen[kind] = standIn.requests.length === 2
      if (seen[kind]) expect(outcome).toEqual({ object: 'user' })
      else expect(outcome).toMatchObject({ isRetryable: false })
    }
    expect(seen).toEqual(repeated)
  })

  it('after a refused connection, even without a key', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    let attempts = 0
    const counting = (request: Request): Promise<Response> => fetch(request).finally(() => (attempts += 1))
    const error = await standIn
      .client({ baseUrl, fetch: counting })
      .pages.create()
      .catch((caught: unknown) => caught)
    expect(attempts).toBe(3)
    expect(error).toBeInstanceOf(ConnectionRefusedError)
    expect(error).toMatchObject({ code: 'connection_refused', isRetryable: true, cause: expect.anything() as unknown })
  })

  it('with the same key, given or generated', async () => {
    const client = standIn.client({ automaticIdempotencyKeys: true })
    const keys = (): unknown[] => standIn.requests.map(({ headers }) => headers['idempotency-key'])
    standIn.play(reset, fault(503, 'service_unavailable'))
    await client.call('createPage', keyed)
    expect(keys()).toEqual(['crate-17', 'crate-17', 'crate-17'])
    standIn.play(reset)
    await client.pages.create()
    await client.blocks.delete({ block_id: id })
    const [first, second, third] = keys()
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    await client.users.me.retrieve()
    expect(keys()[3]).toBeUndefined()
  })

  it('never, when the contract ignores keys, even if the caller sends a key', async () => {
    standIn.play(reset)
    const client = standIn.client({ clientId: 'c', clientSecret: 's', automaticIdempotencyKeys: true })
    const body = { grant_type: 'refresh_token' as const, refresh_token: 'r' }
    const refused = client.oauth.token.create(body, { headers: { 'Idempotency-Key': 'crate-17' } })
    await expect(refused).rejects.toBeInstanceOf(ConnectionResetError)
    expect(standIn.requests).toHaveLength(1)
  })

  it('as often as the client or the call allows', async () => {
    for (const [client, call, attempts] of [
      [{}, {}, 3],
      [{ retries: 1 }, {}, 2],
      [{ retries: 0 }, {}, 1],
      [{ retries: 0 }, { retries: 4 }, 5],
    ] as const) {
      standIn.play(...Array.from({ length: 6 }, () => fault(429, 'rate_limited')))
      await expect(standIn.client(client).users.me.retrieve({}, call)).rejects.toMatchObject({
        code: 'rate_limited',
        isRetryable: true,
      })
      expect(standIn.requests).toHaveLength(attempts)
    }
  })
})

describe('the wait before a retry', () => {
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['86400', 60_000],
    ['Thu, 31 Dec 2099 23:59:59 GMT', 60_000],
    ['Sat, 01 Jan 2000 00:00:00 GMT', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon 3', undefined],
    ['', undefined],
  ])('follows Retry-After: %j', async (header, milliseconds) => {
    standIn.play(fault(429, 'rate_limited', { 'Retry-After': header }), page(429, { 'Retry-After': header }))
    const client = standIn.client({ retries: 0 })
    for (let kind = 0; kind < 2; kind += 1) {
      const error: unknown = await client.users.me.retrieve().catch((caught: unknown) => caught)
      expect(error).toMatchObject({ retryAfterMilliseconds: milliseconds })
    }
  })

  it('is never longer than configured, even if the response requests more', async () => {
    standIn.play(fault(429, 'rate_limited', { 'Retry-After': '3600' }))
    await expect(standIn.client({ longestWaitMilliseconds: 1 }).users.me.retrieve()).resolves.toEqual({ object: 'user' })
  })

  it.each([
    ['a wait that would end after the limit', fault(429, 'rate_limited', { 'Retry-After': '3600' }), 'rate_limited', 1],
    ['an attempt that exceeds the limit', silence, 'timeout', 1],
  ])('is skipped when it would exceed the time limit of the call: %s', async (_what, play, code, attempts) => {
    standIn.play(play, play)
    const client = standIn.client({ totalMilliseconds: 300, longestWaitMilliseconds: 900_000, retries: 10 })
    await expect(client.users.me.retrieve()).rejects.toMatchObject({ code, isRetryable: true })
    expect(standIn.requests).toHaveLength(attempts)
  })

  it('is followed by further attempts within the time limit of the call, and again in a second call', async () => {
    const client = standIn.client({ totalMilliseconds: 60_000, retries: 2 })
    for (let call = 0; call < 2; call += 1) {
      standIn.play(silence, fault(429, 'rate_limited'))
      await expect(client.users.me.retrieve({}, { timeoutMilliseconds: 30 })).resolves.toEqual({ object: 'user' })
      expect(standIn.requests).toHaveLength(3)
    }
  })

  it('ends when the caller aborts the call', async () => {
    const controller = new AbortController()
    standIn.play((response, request) => {
      fault(429, 'rate_limited', { 'Retry-After': '3600' })(response, request)
      response.on('finish', () => setTimeout(() => controller.abort(), 20))
    })
    await expect(standIn.client().users.me.retrieve({}, { signal: controller.signal })).rejects.toBeInstanceOf(AbortedError)
    expect(standIn.requests).toHaveLength(1)
  })
})

describe('an error of a call', () => {
  it('distinguishes a time-out, a reset and an abort by class and code', async () => {
    const client = standIn.client({ retries: 0 })
    standIn.play(silence, reset)
    const late: unknown = await client.users.me.retrieve({}, { timeoutMilliseconds: 50 }).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(TimeoutError)
    expect(late).toMatchObject({ name: 'TimeoutError', code: 'timeout', isRetryable: true })
    const broken: unknown = await client.pages.create().catch((error: unknown) => error)
    expect(broken).toBeInstanceOf(ConnectionResetError)
    expect(broken).toMatchObject({ code: 'connection_reset', isRetryable: false, cause: expect.anything() as unknown })
    for (const error of [late, broken]) expect(error).toBeInstanceOf(ConnectionError)
  })

  it("contains the caller's reason after an abort, whether before the call or during it", async () => {
    const reason = new Error('changed my mind')
    standIn.play(silence)
    for (const signal of [AbortSignal.abort(reason), abortLater(reason)]) {
      const error: unknown = await standIn
        .client({ retries: 0 })
        .users.me.retrieve({}, { signal })
        .catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(AbortedError)
      expect(error).not.toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', cause: reason, isRetryable: false })
    }
  })

  it('for an unknown host name differs from that for a refused connection', async () => {
    const client = standIn.client({ baseUrl: 'http://nobody.invalid', retries: 0 })
    await expect(client.users.me.retrieve()).rejects.toMatchObject({ name: 'ConnectionError', code: 'connection_failed' })
  })

  it('from the service has the headers of its response', async () => {
    standIn.play(fault(404, 'object_not_found', { 'X-Service-Request-Id': 'r-1', RateLimit: 'limit=3' }))
    const error = await standIn
      .client()
      .users.me.retrieve()
      .catch((caught: unknown) => caught)
    if (!(error instanceof ApiError)) throw new Error('another failure')
    expect([error.requestId, error.headers.get('RateLimit')]).toEqual(['r-1', 'limit=3'])
  })
})

function abortLater(reason: Error): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 20)
  return controller.signal
}

describe('a response of the service or a proxy:', () => {
  const statuses: [string, number, string][] = [
    ['an empty 500', 500, ''],
    ["a proxy's page", 502, '<html>Bad gateway</html>'],
    ['a page with status 200', 200, '<html>Sign in</html>'],
    ['truncated JSON', 200, '{"object":'],
    ['an empty 200', 200, ''],
    ['a list without an envelope', 200, '[]'],
    ['a text that is not JSON', 200, '"user"'],
    ['null', 200, 'null'],
    ['an error with status 200', 200, '{"object":"error","status":500,"code":"internal_server_error","message":"No."}'],
    ['an empty response with a status outside the contract', 204, ''],
    ['JSON with a status outside the contract', 206, '{"object":"user"}'],
    ['an error body of another program', 400, '{"error":"no"}'],
    ['a malformed error', 503, '{"code":7,"message":"no"}'],
  ]
  it.each(statuses)('a call fails after %s', async (_name, status, text) => {
    const client = standIn.client({ retries: 0 })
    const calls = [() => client.users.me.retrieve(), () => client.pages.create(), () => client.users.me.retrieve().withResponse()]
    for (const call of calls) {
      standIn.play(page(status, {}, text))
      const error: unknown = await call().catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(UnreadableResponseError)
      expect(error).toBeInstanceOf(WorkspaceServiceError)
      expect(error).toMatchObject({ code: 'unreadable_response', status, body: text })
    }
  })

  it('an HTML response is valid only for operations that return HTML', async () => {
    standIn.play(
      page(200, {}, '<html>Allow?</html>'),
      page(302, { Location: 'https://planner.example/?code=c' }, ''),
      page(200, {}, ''),
    )
    const client = standIn.client({ retries: 0 })
    const query = { client_id: id, response_type: 'code', owner: 'user' } as const
    await expect(client.oauth.authorize.retrieve(query)).resolves.toBe('<html>Allow?</html>')
    const moved = await client.oauth.authorize.retrieve(query).withResponse()
    expect([moved.status, moved.data, moved.headers.get('Location')]).toEqual([302, undefined, 'https://planner.example/?code=c'])
    await expect(client.oauth.authorize.retrieve(query)).rejects.toBeInstanceOf(UnreadableResponseError)
  })

  it('a redirected write fails, and a redirected read may continue', async () => {
    const away = page(301, { Location: '/v1/webhook_subscriptions' }, '')
    const client = standIn.client({ retries: 0 })
    standIn.play(away)
    const write = client.webhookSubscriptions.create({ url: 'https://planner.example/', event_types: ['page.created'] })
    await expect(write).rejects.toMatchObject({ name: 'UnreadableResponseError', status: 301 })
    expect(standIn.requests).toHaveLength(1)
    standIn.play(away)
    await expect(client.users.me.retrieve()).resolves.toEqual({ object: 'user' })
  })

  it('a good response succeeds', async () => {
    standIn.play(good)
    await expect(standIn.client().users.me.retrieve()).resolves.toEqual({ object: 'user' })
  })
})
