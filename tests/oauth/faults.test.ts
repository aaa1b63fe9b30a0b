import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { TestResponse, RawResponse } from '../harness/responses.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { authorizeAddress, makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startTestServer(settings)
  ends.push(() => server.stop())
}

/** Renames a table, so that everything that needs it fails. */
async function hide(table: string): Promise<void> {
  await server.service.database.write((db) => db.run(`alter table ${table} rename to hidden_${table}`))
}

function errorAt(response: TestResponse | RawResponse): string | null {
  expect([302, 303]).toContain(response.status)
  return new URL(String(response.headers.location)).searchParams.get('error')
}

function outcome({ status, body }: TestResponse): object {
  return { status, error: body['error'], code: body['code'] }
}

describe('an internal error during authorization', () => {
  it('redirects to the connection with server_error once the redirect URI is verified', async () => {
    await start()
    const client = await makeClient(server)
    const browser = new Browser(server)
    await browser.signIn(server, exampleWorkspace.people[0].email)
    const page = await browser.open(authorizeAddress(client, { state: 's' }))
    await hide('authorization_codes')
    const response = await browser.submit('/v1/oauth/authorize', {
      ...hiddenFields(page.text),
      decision: 'allow',
      page_ids: exampleWorkspace.pages.handbook,
    })
    expect(errorAt(response)).toBe('server_error')
    expect(new URL(String(response.headers.location)).searchParams.get('state')).toBe('s')
    await hide('browser_sessions')
    expect(errorAt(await browser.open(authorizeAddress(client)))).toBe('server_error')
  })

  it('shows an error page with 500 before the redirect URI is verified', async () => {
    await start()
    const client = await makeClient(server)
    const browser = new Browser(server)
    await browser.signIn(server, exampleWorkspace.people[0].email)
    const page = await browser.open(authorizeAddress(client))
    await hide('connections')
    for (const response of [
      await new Browser(server).open(authorizeAddress(client)),
      await browser.submit('/v1/oauth/authorize', { ...hiddenFields(page.text), decision: 'cancel' }),
    ]) {
      expect(response.status).toBe(500)
      expect(response.text).not.toContain('connections')
    }
    expect((await server.caller(undefined, undefined).page('/sign-in')).status).toBe(200)
  })

  it('gives clients server_error, without details, and does not consume the code', async () => {
    await start()
    const client = await makeClient(server)
    const code = await obtainCode(server, client)
    const exchange = (): Promise<TestResponse> =>
      client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })
    await hide('token_families')
    const response = await exchange()
    expect(outcome(response)).toStrictEqual({ status: 500, error: 'server_error', code: 'internal_server_error' })
    expect(response.text).not.toContain('token_families')
    expect(outcome(await client.call('revokeToken', { token: code }))).toStrictEqual({
      status: 200,
      error: undefined,
      code: undefined,
    })
    await server.service.database.write((db) => db.run('alter table hidden_token_families rename to token_families'))
    expect((await exchange()).status).toBe(200)
    await hide('tokens')
    for (const id of ['introspectToken', 'revokeToken'] as const) {
      expect(outcome(await client.call(id, { token: 'x' }))).toStrictEqual({
        status: 500,
        error: 'server_error',
        code: 'internal_server_error',
      })
    }
  })
})

it('529 under overload: a page for people, and temporarily_unavailable for OAuth clients, with Retry-After', async () => {
  await start({ REQUESTS_IN_FLIGHT_MAX: '1', OVERLOAD_RETRY_SECONDS: '7' })
  const client = await makeClient(server)
  const held = httpRequest(`${server.url}/v1/oauth/authorize`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  held.on('error', () => undefined)
  held.write('decision=')
  await until(async () =>
    (await (await fetch(`${server.url}/metrics`)).text()).includes('workspace_requests_in_flight 1') ? true : undefined,
  )
  for (const id of ['createToken', 'introspectToken', 'revokeToken'] as const) {
    const response = await client.call(id, { token: 'x' })
    expect(outcome(response)).toStrictEqual({ status: 529, error: 'temporarily_unavailable', code: 'service_overload' })
    expect(response.headers['retry-after']).toBe('7')
  }
  const browser = new Browser(server)
  for (const response of [
    await browser.open(authorizeAddress(client)),
    await browser.submit('/v1/oauth/authorize', {}),
    await browser.open('/sign-in'),
  ]) {
    expect(response.status).toBe(529)
    expect(response.headers['retry-after']).toBe('7')
    expect(response.text).toContain('overloaded')
  }
  held.destroy()
})

it('503 server_error for an authorization or a code exchange at the time limit, and no change', async () => {
  await start({ REQUEST_SECONDS_MAX: '1' })
  const client = await makeClient(server)
  const browser = new Browser(server)
  await browser.signIn(server, exampleWorkspace.people[0].email)
  const code = await obtainCode(server, client, { browser })
  const page = await browser.open(authorizeAddress(client))
  const exchange = (): Promise<TestResponse> =>
    client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })
  const letGo = Promise.withResolvers<void>()
  const holding = server.service.database.write(async (db) => {
    await db.run('update authorization_codes set expires_time = expires_time')
    await db.run('update connections set name = name')
    await letGo.promise
  })
  const decide = (): Promise<TestResponse | RawResponse> =>
    browser.submit('/v1/oauth/authorize', {
      ...hiddenFields(page.text),
      decision: 'allow',
      page_ids: exampleWorkspace.pages.handbook,
    })
  const [response, ...others] = await Promise.all([
    exchange(),
    client.call('introspectToken', { token: 'x' }),
    client.call('revokeToken', { token: 'x' }),
    browser.open(authorizeAddress(client)),
    decide(),
  ])
  letGo.resolve()
  await holding
  const late = { status: 503, error: 'server_error', code: 'service_unavailable' }
  expect(outcome(response)).toStrictEqual(late)
  // In memory there is one handle, so that even reads wait; an engine with many writers does not delay them.
  if (server.service.database.engine === 'sqlite') {
    const [introspected, revoked, opened, decided] = others
    expect([outcome(introspected), outcome(revoked)]).toStrictEqual([late, late])
    expect([opened.status, decided.status]).toStrictEqual([503, 503])
  }
  expect((await exchange()).status).toBe(200)
})
