import { describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { deleteConnection, rotateClientSecret, setConnectionEnabled } from '../../server/domain/administration/connections.ts'
import { updateConnectionRow } from '../../server/store/connections.ts'
import type { TestResponse } from '../harness/responses.ts'
import { authorize, basic, makeClient } from '../harness/oauth.ts'
import { sendBytes } from '../harness/raw_socket.ts'
import { serverOfFile, startTestServer, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server)

const ENDPOINTS = ['createToken', 'introspectToken', 'revokeToken'] as const
const PATHS = {
  createToken: '/v1/oauth/token',
  introspectToken: '/v1/oauth/introspect',
  revokeToken: '/v1/oauth/revoke',
} as const

function expectError(response: TestResponse, status: number, error: string): void {
  expect({ status: response.status, error: response.body['error'] }, response.text).toStrictEqual({ status, error })
}

describe('401 invalid_client from all three OAuth endpoints for', () => {
  const headers: readonly (readonly [what: string, header: () => string | undefined])[] = [
    ['no Authorization', () => undefined],
    ['the Bearer scheme', () => `Bearer ${TOKEN}`],
    ['a wrong secret', () => basic(client.clientId, 'cs_wrong')],
    ['no secret', () => basic(client.clientId, '')],
    ['an unknown client', () => basic('11111111-2222-4333-8444-555555555555', client.clientSecret)],
    ['a malformed client id', () => basic('tide-planner', client.clientSecret)],
    ['no colon', () => `Basic ${Buffer.from(client.clientId).toString('base64')}`],
    ['no base64', () => `Basic ${client.clientId}:${client.clientSecret}`],
    ['two credentials', () => `${basic(client.clientId, client.clientSecret)}, ${basic(client.clientId, client.clientSecret)}`],
    ['an empty credential', () => 'Basic'],
  ]
  for (const [what, header] of headers) {
    it(what, async () => {
      for (const id of ENDPOINTS) {
        const body = {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          grant_type: 'refresh_token',
          refresh_token: 'x',
          token: 'x',
        }
        const response = await server.caller(undefined, undefined).call(id, { body, headers: { Authorization: header() } })
        expectError(response, 401, 'invalid_client')
        expect(response.headers['www-authenticate']).toBe('Basic realm="oauth"')
      }
    })
  }

  it('missing credentials, before the body is validated', async () => {
    const caller = server.caller(undefined, undefined)
    expectError(await caller.send('POST', PATHS.createToken), 401, 'invalid_client')
    expectError(
      await caller.send('POST', PATHS.createToken, { headers: { 'Content-Type': 'application/json' }, body: '{' }),
      401,
      'invalid_client',
    )
  })

  it('no valid credentials, even with scheme and client id in another letter case', async () => {
    const header = basic(client.clientId.toUpperCase(), client.clientSecret).replace('Basic', 'bASIC')
    const response = await server
      .caller(undefined, undefined)
      .call('introspectToken', { body: { token: 'x' }, headers: { Authorization: header } })
    expect(response.body['active']).toBe(false)
  })
})

describe('400 unauthorized_client', () => {
  it('for a disabled connection, whose tokens stop working until it is enabled again', async () => {
    const resting = await makeClient(server)
    const { caller } = await authorize(server, resting)
    const enable = (enabled: boolean): Promise<void> =>
      server.service.database.write((db) => setConnectionEnabled(db, resting.connectionId, enabled, server.clock.now()))
    await enable(false)
    expectError(await resting.call('createToken', { grant_type: 'authorization_code', code: 'x' }), 400, 'unauthorized_client')
    expectError(await resting.call('introspectToken', { token: 'x' }), 400, 'unauthorized_client')
    // The request is validated first.
    expectError(await resting.call('createToken', { grant_type: 'authorization_code' }), 400, 'invalid_request')
    expect((await caller.call('retrieveMe')).status).toBe(401)
    await enable(true)
    expect((await caller.call('retrieveMe')).status).toBe(200)
  })

  it('for an internal connection', async () => {
    const internal = await makeClient(server)
    await server.service.database.write((db) => updateConnectionRow(db, internal.connectionId, { kind: 'internal' }))
    expectError(await internal.call('createToken', { grant_type: 'authorization_code', code: 'x' }), 400, 'unauthorized_client')
  })

  it('is not returned for a deleted connection, whose tokens and bot are deleted: 401 instead', async () => {
    const doomed = await makeClient(server, { name: 'Doomed' })
    const { caller, botId } = await authorize(server, doomed)
    await server.service.database.write((db) => deleteConnection(db, doomed.connectionId, server.clock.now()))
    expectError(await doomed.call('introspectToken', { token: 'x' }), 401, 'invalid_client')
    expect((await caller.call('retrieveMe')).status).toBe(401)
    expect(JSON.stringify((await server.owner.call('listUsers')).body)).not.toContain(botId)
  })
})

describe('rotation of the client secret', () => {
  it('keeps the old secret valid for 24 hours, and makes the new one valid immediately', async () => {
    const rotating = await makeClient(server)
    const fresh = await server.service.database.write((db) => rotateClientSecret(db, rotating.connectionId, server.clock.now()))
    const works = async (secret: string): Promise<boolean> =>
      (
        await server
          .caller(undefined, undefined)
          .call('introspectToken', { body: { token: 'x' }, headers: { Authorization: basic(rotating.clientId, secret) } })
      ).status === 200
    expect(fresh).not.toBe(rotating.clientSecret)
    expect([await works(rotating.clientSecret), await works(fresh)]).toStrictEqual([true, true])
    server.clock.advance(24 * 60 * 60_000 - 1)
    expect([await works(rotating.clientSecret), await works(fresh)]).toStrictEqual([true, true])
    server.clock.advance(1)
    expect([await works(rotating.clientSecret), await works(fresh)]).toStrictEqual([false, true])
  })
})

describe('requests of OAuth clients', () => {
  const send = (
    parts: { headers?: Record<string, string>; body?: string },
    id: (typeof ENDPOINTS)[number] = 'introspectToken',
  ): Promise<TestResponse> =>
    server.caller(undefined, undefined).send('POST', PATHS[id], {
      ...parts,
      headers: { Authorization: basic(client.clientId, client.clientSecret), ...parts.headers },
    })
  const json = { 'Content-Type': 'application/json' }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  const bodies: readonly (readonly [what: string, parts: { headers?: Record<string, string>; body?: string }])[] = [
    ['broken JSON', { headers: json, body: '{"token":' }],
    ['a body that is not UTF-8', { headers: json, body: Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1') }],
    ['a JSON array', { headers: json, body: '[]' }],
    ['JSON nested too deep', { headers: json, body: `{"token":${'['.repeat(70)}${']'.repeat(70)}}` }],
    ['another content type', { headers: { 'Content-Type': 'text/plain' }, body: 'token=x' }],
    ['no content type', { body: 'token=x' }],
    ['a repeated form field', { headers: form, body: 'token=x&token=y' }],
    ['an empty form field', { headers: form, body: 'token=' }],
    ['no body', {}],
    ['an empty body of JSON', { headers: { ...json, 'Content-Length': '0' } }],
    ['a body of 512,001 bytes', { headers: form, body: `token=${'x'.repeat(512_001 - 6)}` }],
    ['an unknown version', { headers: { ...json, 'Service-Version': '2020-01-01' }, body: '{"token":"x"}' }],
  ]
  for (const [what, parts] of bodies) {
    it(`with ${what} get 400 invalid_request`, async () => {
      for (const id of ENDPOINTS) expectError(await send(parts, id), 400, 'invalid_request')
    })
  }

  it('may name a valid version, which has no effect; beta flags, idempotency keys and the query are ignored', async () => {
    for (const extra of [
      { 'Service-Version': newestRelease },
      { 'Service-Version': '2021-05-13' },
      { 'Service-Beta': '???' },
      { 'Idempotency-Key': '' },
    ]) {
      const response = await send({ headers: { ...json, ...extra }, body: '{"token":"x"}' })
      expect(response.status, JSON.stringify(extra)).toBe(200)
      expect(response.headers['service-version']).toBeUndefined()
    }
    const repeated = {
      headers: { Authorization: basic(client.clientId, client.clientSecret), ...json, 'Idempotency-Key': 'same' },
      body: '{"token":"x"}',
    }
    for (let round = 0; round < 2; round += 1) {
      expect(
        (await server.caller(undefined, undefined).send('POST', `${PATHS.introspectToken}?token=y`, repeated)).headers[
          'idempotency-replayed'
        ],
      ).toBeUndefined()
    }
  })

  it('with another method get 400 invalid_request_url with Allow, in the form of the API', async () => {
    const response = await server.caller(undefined, undefined).send('GET', PATHS.createToken)
    expect({ status: response.status, code: response.body['code'] }).toStrictEqual({ status: 400, code: 'invalid_request_url' })
    expect(response.headers.allow).toContain('POST')
  })

  it('with an Accept header that excludes JSON get 400 invalid_request', async () => {
    expectError(await send({ headers: { ...json, Accept: 'text/html' }, body: '{"token":"x"}' }), 400, 'invalid_request')
  })

  it('without a Host get 400 invalid_request', async () => {
    const response = await sendBytes(server.url, 'POST /v1/oauth/token HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(response.status).toBe(400)
  })

  it('cannot use client credentials as a bearer token of the API: 401', async () => {
    const response = await server
      .caller(undefined)
      .call('retrieveMe', { headers: { Authorization: basic(client.clientId, client.clientSecret) } })
    expect({ status: response.status, code: response.body['code'] }).toStrictEqual({ status: 401, code: 'unauthorized' })
    expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api", resource_metadata="/)
  })

  it('get no CORS headers, whatever their origin', async () => {
    const open = await startTestServer({ CORS_ALLOWED_ORIGINS: '*' })
    try {
      const response = await open
        .caller(undefined, undefined)
        .send('POST', PATHS.createToken, { headers: { Origin: 'https://planner.example' } })
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    } finally {
      await open.stop()
    }
  })
})

it('OAuth endpoints return 429 temporarily_unavailable beyond the limit of the client or of the address', async () => {
  const limited = await startTestServer({ RATE_LIMIT: '180/60' })
  try {
    const busy = await makeClient(limited)
    let response = await busy.call('introspectToken', { token: 'x' })
    for (let count = 1; count <= 60 && response.status === 200; count += 1)
      response = await busy.call('introspectToken', { token: 'x' })
    expect({ status: response.status, error: response.body['error'], code: response.body['code'] }).toStrictEqual({
      status: 429,
      error: 'temporarily_unavailable',
      code: 'rate_limited',
    })
    for (const id of ENDPOINTS) {
      const refused = await busy.call(id, { token: 'x' })
      expect(refused.status).toBe(429)
      expect(refused.body['additional_data']).toStrictEqual({ rate_limit_reason: 'oauth_client_rate_limit' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    expect((await (await makeClient(limited)).call('introspectToken', { token: 'x' })).status).toBe(200)
    const guess = (): Promise<TestResponse> =>
      limited
        .caller(undefined, undefined)
        .call('introspectToken', { body: { token: 'x' }, headers: { Authorization: basic(busy.clientId, 'guess') } })
    let guessed = await guess()
    for (let count = 1; count <= 100 && guessed.status === 401; count += 1) guessed = await guess()
    expect({ status: guessed.status, error: guessed.body['error'] }).toStrictEqual({
      status: 429,
      error: 'temporarily_unavailable',
    })
    expect(guessed.body['additional_data']).toStrictEqual({ rate_limit_reason: 'authentication_attempts' })
  } finally {
    await limited.stop()
  }
})
