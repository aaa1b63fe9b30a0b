import { afterEach, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createSignInLink, setPassword } from '../../server/domain/administration/people.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { Caller } from '../harness/caller.ts'
import { makeDatabase } from '../harness/databases.ts'
import { authorizeAddress, basic, makeClient, readTokens, RETURN_URI } from '../harness/oauth.ts'
import { runService } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

it('the log contains no token, code, secret, password, link or cookie, at any level and for any failure', async () => {
  const shared = await makeDatabase('none')
  ends.push(() => shared.drop())
  const desk = await startTestServer({ DATABASE_URL: shared.url })
  ends.push(() => desk.stop())
  const running = await runService({ DATABASE_URL: shared.url, LOG_LEVEL: 'trace' })
  const server: TestServer = { ...desk, url: running.url, caller: (token, version) => new Caller(running.url, token, version) }

  const password = 'Wanderfalke-4711'
  const client = await makeClient(server)
  await desk.service.database.write((db) => setPassword(db, exampleWorkspace.people[0].email, password))
  const { path } = await desk.service.database.write((db) => createSignInLink(db, exampleWorkspace.people[0].email, Date.now()))
  const browser = new Browser(server)
  await browser.submit('/sign-in/link', hiddenFields((await browser.open(path)).text))
  await browser.submit('/sign-in', {
    ...hiddenFields((await new Browser(server).open('/sign-in')).text),
    email: exampleWorkspace.people[0].email,
    password,
  })
  const page = await browser.open(authorizeAddress(client, { state: 'state-of-the-connection' }))
  const hidden = hiddenFields(page.text)
  await browser.submit('/v1/oauth/authorize', { ...hidden, csrf_token: 'wrong', decision: 'allow' })
  const decided = await browser.submit('/v1/oauth/authorize', {
    ...hidden,
    decision: 'allow',
    page_ids: exampleWorkspace.pages.handbook,
  })
  const code = new URL(String(decided.headers.location)).searchParams.get('code') ?? ''
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI }
  const tokens = readTokens(server, await client.call('createToken', exchange))
  await server
    .caller(undefined, undefined)
    .call('createToken', { body: exchange, headers: { Authorization: basic(client.clientId, `${client.clientSecret}x`) } })
  await client.call('createToken', exchange)
  await tokens.caller.call('retrieveMe')
  await tokens.caller.send('GET', `/v1/nothing/${tokens.accessToken}?token=${tokens.refreshToken}`)
  await client.call('introspectToken', { token: tokens.refreshToken })
  await client.call('revokeToken', { token: [tokens.accessToken] })

  running.kill()
  await running.ended
  const log = running.output() + running.errors()
  expect(log).toContain('createToken')
  const secrets = [
    code,
    tokens.accessToken,
    tokens.refreshToken,
    client.clientSecret,
    password,
    path.split('=')[1] ?? '',
    hidden['csrf_token'] ?? '',
    browser.cookies.get('session') ?? '',
    browser.cookies.get('visitor') ?? '',
    basic(client.clientId, client.clientSecret).slice(6),
    'state-of-the-connection',
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(log).not.toContain(secret.replace(/^(?:code|oat|ort|cs|link|session)_/, ''))
  }
})
