import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setWorkspaceSuspended } from '../../../server/domain/administration/workspaces.ts'
import { signatureOf } from '../../../server/domain/events/webhooks/payload.ts'
import { insertWorkspace } from '../../../server/store/workspaces.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { everyType } from '../../harness/events.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { makeClient, type OAuthClient } from '../../harness/oauth.ts'
import { startTestServer, TOKEN, type TestServer } from '../../harness/server.ts'
import { startReceiver, type HookReceiver } from '../../harness/webhook_receiver.ts'
import { allowing, asClient, lastVerification, retrieve, subscribe, subscribed } from '../../harness/webhooks.ts'

let server: TestServer
let receiver: HookReceiver
let client: OAuthClient
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer(allowing(receiver))
  client = await makeClient(server)
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

/** A connection that has no subscription yet. */
async function fresh(): Promise<TestServer['owner']> {
  return (await makeConnection(server, { capabilities: [] })).caller
}

describe('createWebhookSubscription', () => {
  it('200 with a pending subscription of an internal connection, before its address has responded', async () => {
    receiver.respondWith(() => undefined, 'third')
    const { caller, connectionId } = await makeConnection(server, { capabilities: [] })
    const { status, body } = await subscribe(caller, receiver.url('third'), {
      event_types: ['page.content_updated', 'comment.created', 'page.content_updated'],
      name: 'Stock mirror',
    })
    expect(status).toBe(200)
    const time = new Date(server.clock.now()).toISOString()
    expect(body).toStrictEqual({
      object: 'webhook_subscription',
      id: idOf(body),
      integration_id: connectionId,
      name: 'Stock mirror',
      url: receiver.url('third'),
      event_types: ['comment.created', 'page.content_updated'],
      api_version: newestRelease,
      status: 'pending_verification',
      pause_reason: null,
      created_time: time,
      last_edited_time: time,
      verified_time: null,
      last_verification: null,
      request_id: body['request_id'],
    })
    expect(await retrieve(caller, idOf(body))).toMatchObject({ name: 'Stock mirror', last_verification: null })
  })

  it('200 with a subscription of a public connection, for its client id and secret', async () => {
    const { body } = await subscribe(server.caller(undefined), receiver.url(), {}, asClient(client))
    expect(body).toMatchObject({ integration_id: client.connectionId, name: null, status: 'pending_verification' })
  })

  it('200 after which the address receives only the token, signed with the token', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver, { path: 'other' })
    const hook = receiver.received.find(({ body }) => body['verification_token'] === token)
    expect(token).toMatch(/^secret_[0-9A-Za-z]{43}$/)
    expect(hook?.text).toBe(`{"verification_token":"${token}"}`)
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'workspace-service',
      'x-service-signature': signatureOf(token, hook?.text ?? ''),
    })
    expect(await lastVerification(caller, id)).toStrictEqual({
      time: new Date(server.clock.now()).toISOString(),
      status_code: 204,
      error: null,
    })
  })

  it('200 with a subscription that stays pending when its address refuses, with the reason', async () => {
    const caller = await fresh()
    receiver.respondWith((response) => response.writeHead(302, { Location: receiver.url('once') }).end(), 'other')
    const { body } = await subscribe(caller, receiver.url('other'))
    expect(await lastVerification(caller, idOf(body))).toMatchObject({
      status_code: 302,
      error: 'The receiver responded with status 302.',
    })
    expect(receiver.tokens('once')).toHaveLength(0)
    expect(await retrieve(caller, idOf(body))).toMatchObject({ status: 'pending_verification', verified_time: null })
    receiver.respondWith(undefined, 'other')
  })

  it('200 without the token, which the database does not contain in plain text', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    const rows = await server.service.database.read((db) => db.all({}, 'select * from webhook_subscriptions'))
    const jobs = await server.service.database.read((db) => db.all({}, 'select payload from jobs'))
    const kept = JSON.stringify([rows, jobs, rows.map((row) => Buffer.from(Object(row).sealed_token ?? []).toString('utf8'))])
    expect(rows.length).toBeGreaterThan(0)
    expect(kept).not.toContain(token)
    expect(JSON.stringify(await retrieve(caller, id))).not.toContain('secret_')
  })

  it("200 with the request's version as api_version if payloads have it, or else the newest", async () => {
    const { token } = await makeConnection(server, { capabilities: [] })
    const versionAt = async (version: string): Promise<unknown> =>
      (await subscribe(server.caller(token, version), receiver.url())).body['api_version']
    expect(await versionAt('2022-06-28')).toBe('2022-06-28')
    expect(await versionAt('2025-09-03')).toBe('2025-09-03')
    expect(await versionAt('2026-03-11')).toBe('2026-03-11')
    expect(await versionAt('2022-02-22')).toBe(newestRelease)
    expect(await versionAt('2021-05-11')).toBe(newestRelease)
  })

  it('200 with the same response for the same idempotency key, with one token sent', async () => {
    const caller = await fresh()
    const headers = { 'Idempotency-Key': 'subscribe-once' }
    const first = await subscribe(caller, receiver.url('once'), {}, headers)
    const second = await subscribe(caller, receiver.url('once'), {}, headers)
    expect(second.body['id']).toBe(first.body['id'])
    expect(second.headers['idempotency-replayed']).toBe('true')
    await lastVerification(caller, idOf(first.body))
    expect(receiver.tokens('once')).toHaveLength(1)
  })

  it('400 at body for the 11th subscription, without effect on other connections', async () => {
    const caller = await fresh()
    const all = await Promise.all(Array.from({ length: 11 }, () => subscribe(caller, receiver.url())))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10)
    expectInvalid(all.find(({ status }) => status !== 200) as TestResponse, 'body')
    expect((await subscribe(await fresh(), receiver.url())).status).toBe(200)
    const listed = await caller.call('listWebhookSubscriptions')
    const [first] = listed.body['results'] as { id: string }[]
    await caller.call('deleteWebhookSubscription', { path: { subscription_id: String(first?.id) } })
    expect((await subscribe(caller, receiver.url())).status).toBe(200)
  })

  it.each([
    ['http', 'http://hooks.orchard.example/in'],
    ['another scheme', 'ftp://hooks.orchard.example/in'],
    ['no host', 'https://'],
    ['no address', 'hooks'],
    ['a user', 'https://ines@hooks.orchard.example/in'],
    ['a user and a password', 'https://ines:pw@hooks.orchard.example/in'],
    ['a fragment', 'https://hooks.orchard.example/in#top'],
    ['nothing', ''],
    ['loopback', 'https://127.0.0.1/in'],
    ['loopback by name', 'https://localhost/in'],
    ['a subdomain of localhost', 'https://hooks.localhost/in'],
    ['loopback in IPv6', 'https://[::1]/in'],
    ['loopback in hexadecimal', 'https://0x7f.1/in'],
    ['loopback as a number', 'https://2130706433/in'],
    ['loopback mapped to IPv6', 'https://[::ffff:127.0.0.1]/in'],
    ['a private network', 'https://10.1.2.3/in'],
    ['another private network', 'https://192.168.0.1/in'],
    ['a link-local address', 'https://169.254.169.254/latest'],
    ['a link-local address in IPv6', 'https://[fe80::1]/in'],
    ['a reserved address', 'https://192.0.2.1/in'],
    ['a malformed address', 'https://0.0.0.0/in'],
    ['a port that is not allowed', 'https://localhost:1/in'],
  ])('400 at body.url for %s', async (_case, url) => {
    expectInvalid(await subscribe(server.owner, url), 'body.url')
  })

  it('200 for an address of 2,000 characters on a host reserved for examples, and 400 for 2,001 characters', async () => {
    const url = `https://hooks.orchard.example/${'a'.repeat(1_970)}`
    expect(url).toHaveLength(2_000)
    expect((await subscribe(await fresh(), url)).status).toBe(200)
    expectInvalid(await subscribe(await fresh(), `${url}a`), 'body.url.length')
  })

  it.each<[string, object, string]>([
    ['no types', { event_types: [] }, 'body.event_types.length'],
    ['types that are not a list', { event_types: 'page.created' }, 'body.event_types'],
    ['an unknown type', { event_types: ['page.created', 'page.painted'] }, 'body.event_types[1]'],
    ['32 types', { event_types: Array.from({ length: 32 }, () => 'page.created') }, 'body.event_types.length'],
    [
      'events of views at a version without views',
      { event_types: ['page.created', 'view.created'], api_version: '2022-06-28' },
      'body.event_types[1]',
    ],
    [
      'events of data sources at a version without data sources',
      { event_types: ['data_source.moved'], api_version: '2022-06-28' },
      'body.event_types[0]',
    ],
    [
      'events of database schemas at a version with data sources',
      { event_types: ['database.schema_updated'], api_version: '2025-09-03' },
      'body.event_types[0]',
    ],
    ['events of database rows at the default version', { event_types: ['database.content_updated'] }, 'body.event_types[0]'],
    ['an older version', { api_version: '2022-02-22' }, 'body.api_version'],
    ['no version', { api_version: null }, 'body.api_version'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'body.name.length'],
    ['an empty name', { name: '' }, 'body.name.length'],
    ['a status', { status: 'active' }, 'body.status'],
    ['a token', { verification_token: 'secret_x' }, 'body.verification_token'],
  ])('400 for %s', async (_case, body, location) => {
    expectInvalid(await subscribe(await fresh(), receiver.url(), body), location)
  })

  it('400 without an address or types', async () => {
    expectInvalid(await server.owner.call('createWebhookSubscription', { body: { event_types: ['page.created'] } }), 'body.url')
    expectInvalid(await server.owner.call('createWebhookSubscription', { body: { url: receiver.url() } }), 'body.event_types')
  })

  it.each(['2022-06-28', '2025-09-03', '2026-03-11'] as const)(
    '200 for every type of version %s, and 400 for each other type',
    async (version) => {
      const caller = await fresh()
      const isOld = version === '2022-06-28'
      const newer = everyType().filter((type) => /^(data_source|view)\./.test(type))
      const older = ['database.content_updated', 'database.schema_updated'] as const
      const [refused, taken] = [
        isOld ? newer : older,
        everyType().filter((type) => !(isOld ? newer : older).includes(type as never)),
      ]
      expect([refused.length, taken.length]).toEqual(isOld ? [9, 22] : [2, 29])
      const { body } = await subscribe(caller, receiver.url(), { event_types: taken, api_version: version })
      expect(body).toMatchObject({ api_version: version, event_types: taken.toSorted() })
      for (const type of refused)
        expectInvalid(
          await subscribe(caller, receiver.url(), { event_types: [type], api_version: version }),
          'body.event_types[0]',
        )
    },
  )

  it('200 with a subscription that stays pending on an address reserved for examples, with the reason', async () => {
    const caller = await fresh()
    const { body } = await subscribe(caller, 'https://hooks.orchard.example/in')
    expect(await lastVerification(caller, idOf(body))).toEqual({
      time: new Date(server.clock.now()).toISOString(),
      status_code: null,
      error: expect.any(String),
    })
  })
})

describe('credentials for webhook subscriptions', () => {
  const create = (headers: Record<string, string | undefined>): Promise<TestResponse> =>
    server.caller(undefined).call('listWebhookSubscriptions', { headers })

  it('403 for access tokens and personal tokens, in all operations and before any other check', async () => {
    const access = await makeConnection(server, { capabilities: ['read_content'], kind: 'access' })
    const path = { subscription_id: idOf((await subscribe(server.owner, receiver.url())).body) }
    for (const caller of [access.caller, await makeMember(server, exampleWorkspace.people[0].id)]) {
      expectError(await subscribe(caller, receiver.url()), 403, 'restricted_resource')
      expectError(await caller.call('listWebhookSubscriptions'), 403, 'restricted_resource')
      expectError(await caller.call('retrieveWebhookSubscription', { path }), 403, 'restricted_resource')
      for (const url of [receiver.url(), 'https://127.0.0.1/in'])
        expectError(await caller.call('updateWebhookSubscription', { path, body: { url } }), 403, 'restricted_resource')
      const body = { verification_token: 'secret_wrong' }
      expectError(await caller.call('verifyWebhookSubscription', { path, body }), 403, 'restricted_resource')
      expectError(await caller.call('sendWebhookVerification', { path }), 403, 'restricted_resource')
      expectError(await caller.call('deleteWebhookSubscription', { path }), 403, 'restricted_resource')
    }
    expect(await retrieve(server.owner, path.subscription_id)).toMatchObject({ status: 'pending_verification' })
  })

  it('401 for a wrong secret, an unknown client, no credentials, and those of a disabled connection', async () => {
    const disabled = await makeClient(server)
    await server.service.database.write((db) =>
      db.run('update connections set disabled_time = 1 where id = ?', disabled.connectionId),
    )
    for (const Authorization of [
      asClient({ ...client, clientSecret: `${client.clientSecret}x` })['Authorization'],
      asClient({ ...client, clientId: exampleWorkspace.pages.handbook })['Authorization'],
      asClient({ ...client, clientSecret: '' })['Authorization'],
      asClient(disabled)['Authorization'],
      `Basic ${Buffer.from(TOKEN).toString('base64')}`,
      'Basic',
      undefined,
    ]) {
      const response = await create({ Authorization: Authorization as string | undefined })
      expectError(response, 401, 'unauthorized')
      expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api"/)
    }
    expect((await create({ Authorization: String(asClient(client)['Authorization']) })).status).toBe(200)
  })

  it("401 while the connection's workspace is suspended, but not for other connections", async () => {
    const { database } = server.service
    const home = { id: randomUUID(), name: 'Orchard', icon_url: null }
    await database.write((db) => insertWorkspace(db, home, server.clock.now()))
    const guest = await makeClient(server, { workspaceId: home.id })
    const list = (one: OAuthClient): Promise<TestResponse> => create(asClient(one) as Record<string, string>)
    const suspend = (is: boolean): Promise<void> =>
      database.write((db) => setWorkspaceSuspended(db, home.id, is, server.clock.now()))
    expect((await list(guest)).status).toBe(200)
    await suspend(true)
    expectError(await list(guest), 401, 'unauthorized')
    expect((await list(client)).status).toBe(200)
    await suspend(false)
    expect((await list(guest)).status).toBe(200)
  })

  it('401 for client credentials on other operations', async () => {
    const response = await server.caller(undefined).call('retrieveMe', { headers: asClient(client) })
    expectError(response, 401, 'unauthorized')
  })

  it("200 within a client's rate limit, and 429 beyond it", async () => {
    const limited = await startTestServer({ ...allowing(receiver), RATE_LIMIT: '2/60' })
    const made = await makeClient(limited)
    const list = (): Promise<TestResponse> =>
      limited.caller(undefined).call('listWebhookSubscriptions', { headers: asClient(made) })
    expect((await list()).headers['ratelimit']).toContain('"connection";r=1;')
    expect((await list()).status).toBe(200)
    expectError(await list(), 429, 'rate_limited')
    await limited.stop()
  })

  it('404 for the subscription of another connection, in every operation', async () => {
    const id = idOf((await subscribe(server.owner, receiver.url())).body)
    const stranger = await fresh()
    for (const operation of ['retrieveWebhookSubscription', 'deleteWebhookSubscription', 'sendWebhookVerification'] as const)
      expectError(await stranger.call(operation, { path: { subscription_id: id } }), 404, 'object_not_found', id)
    expectError(
      await stranger.call('updateWebhookSubscription', { path: { subscription_id: id }, body: { name: 'x' } }),
      404,
      'object_not_found',
      id,
    )
    expectError(
      await stranger.call('verifyWebhookSubscription', { path: { subscription_id: id }, body: { verification_token: 'x' } }),
      404,
      'object_not_found',
      id,
    )
    expect(textAt(await retrieve(server.owner, id), 'id')).toBe(id)
  })
})
