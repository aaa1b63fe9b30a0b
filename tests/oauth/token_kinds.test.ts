import { describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import {
  createConnection,
  regenerateInstallationToken,
  setConnectionEnabled,
  updateConnection,
} from '../../server/domain/administration/connections.ts'
import { setWorkspaceSuspended } from '../../server/domain/administration/workspaces.ts'
import { share } from '../../server/domain/people/sharing.ts'
import type { Caller } from '../harness/caller.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { createPage, statusOf } from './support/calls.ts'
import { makePersonalToken } from '../harness/connections.ts'

const DAY_MS = 24 * 60 * 60_000
const [ines, tomas, aiko] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()

describe('an installation token', () => {
  it('acts as the only bot of its connection, which belongs to the workspace', async () => {
    const { database } = server.service
    const made = await database.write((db) =>
      createConnection(
        db,
        { workspaceId, kind: 'internal', name: 'Crane', capabilities: ['read_content', 'insert_content'] },
        server.clock.now(),
      ),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    expect(made.installationToken).toMatch(/^itk_[A-Za-z0-9]{40,76}$/)
    const caller = server.caller(made.installationToken)
    expect((await caller.call('retrieveMe')).body).toMatchObject({
      id: made.botId,
      type: 'bot',
      name: 'Crane',
      bot: { owner: { type: 'workspace', workspace: true } },
    })
    expectNotFound(
      await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } }),
      exampleWorkspace.pages.handbook,
    )
    await database.write((db) =>
      share(db, workspaceId, { connectionId: made.connectionId }, exampleWorkspace.pages.handbook, server.clock.now()),
    )
    expect((await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.checklist } })).status).toBe(200)
    const [block] = await append(caller, exampleWorkspace.pages.checklist, [paragraph('by the crane')])
    expect(block).toMatchObject({ created_by: { id: made.botId }, last_edited_by: { id: made.botId } })
  })

  it('gets 400 at body.parent for a page at the top of the workspace, unless the whole workspace is shared with its connection', async () => {
    const made = await server.service.database.write((db) =>
      createConnection(
        db,
        { workspaceId, kind: 'internal', name: 'Crane', capabilities: ['insert_content'] },
        server.clock.now(),
      ),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    for (const parent of [undefined, { workspace: true }])
      expectInvalid(await createPage(server.caller(made.installationToken), parent), 'body.parent')
    const page = idOf((await createPage(server.owner)).body)
    const member = await makePersonalToken(server, tomas.id)
    expect((await member.caller.call('retrievePage', { path: { page_id: page } })).status).toBe(200)
  })

  it('does not expire, but stops working when another one is created or the workspace is suspended', async () => {
    const { database } = server.service
    const made = await database.write((db) =>
      createConnection(db, { workspaceId, kind: 'internal', name: 'Crane', capabilities: [] }, server.clock.now()),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    const old = server.caller(made.installationToken)
    server.clock.advance(3650 * DAY_MS)
    expect(await statusOf(old)).toBe(200)
    const fresh = server.caller(
      await database.write((db) => regenerateInstallationToken(db, made.connectionId, server.clock.now())),
    )
    expect([await statusOf(old), await statusOf(fresh)]).toStrictEqual([401, 200])
    await database.write((db) => setWorkspaceSuspended(db, workspaceId, true, server.clock.now()))
    expect([await statusOf(fresh), await statusOf(server.owner)]).toStrictEqual([401, 401])
    await database.write((db) => setWorkspaceSuspended(db, workspaceId, false, server.clock.now()))
    expect(await statusOf(fresh)).toBe(200)
  })

  it('gets 401 while its connection is disabled, with the same message as an unknown token', async () => {
    const { database } = server.service
    const made = await database.write((db) =>
      createConnection(db, { workspaceId, kind: 'internal', name: 'Crane', capabilities: [] }, server.clock.now()),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    const caller = server.caller(made.installationToken)
    await database.write((db) => setConnectionEnabled(db, made.connectionId, false, server.clock.now()))
    const response = await caller.call('retrieveMe')
    expectError(response, 401, 'unauthorized')
    expect(response.body['message']).toBe((await server.caller('itk_nobody').call('retrieveMe')).body['message'])
    await database.write((db) => setConnectionEnabled(db, made.connectionId, true, server.clock.now()))
    expect(await statusOf(caller)).toBe(200)
  })

  it('has the current capabilities of the connection', async () => {
    const { database } = server.service
    const made = await database.write((db) =>
      createConnection(db, { workspaceId, kind: 'internal', name: 'Crane', capabilities: [] }, server.clock.now()),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    const caller = server.caller(made.installationToken)
    const response = await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })
    expectError(response, 403, 'restricted_resource', 'read_content')
    expect(response.body['additional_data']).toStrictEqual({ required_capability: 'read_content' })
    await database.write((db) => updateConnection(db, made.connectionId, { capabilities: ['read_content'] }))
    expect((await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })).status).toBe(404)
  })
})

describe('an access token', () => {
  it('writes as its bot, and creates private pages of its member at the top of the workspace', async () => {
    const client = await makeClient(server)
    const { caller, botId } = await authorize(server, client, { email: tomas.email, pages: [exampleWorkspace.pages.checklist] })
    const response = await createPage(caller, { workspace: true })
    expect(response.body).toMatchObject({ parent: { type: 'workspace' }, created_by: { id: botId } })
    const page = idOf(response.body)
    const seen = async (by: Caller): Promise<number> => (await by.call('retrievePage', { path: { page_id: page } })).status
    const neighbor = await authorize(server, client, { email: aiko.email, pages: [exampleWorkspace.pages.checklist] })
    expect([await seen(caller), await seen((await makePersonalToken(server, tomas.id)).caller)]).toStrictEqual([200, 200])
    expect([await seen((await makePersonalToken(server, aiko.id)).caller), await seen(neighbor.caller)]).toStrictEqual([404, 404])
    expect((await append(caller, page, [paragraph('x')]))[0]).toMatchObject({ created_by: { id: botId } })
  })
})

describe('401 unauthorized with the same message', () => {
  it('for every kind of missing or invalid token', async () => {
    const expired = await makePersonalToken(server, ines.id, { days: 7 })
    server.clock.advance(8 * DAY_MS)
    const client = await makeClient(server)
    const { refreshToken, accessToken } = await authorize(server, client)
    await client.call('revokeToken', { token: accessToken })
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Token ${accessToken}`,
      accessToken,
      'Bearer itk_unknown',
      `Bearer ${expired.token}`,
      `Bearer ${accessToken}`,
      `Bearer ${refreshToken}`,
      `Bearer ${accessToken} ${accessToken}`,
    ]
    const texts = new Set<string>()
    for (const Authorization of headers) {
      const response = await server.caller(undefined).call('retrieveMe', { headers: { Authorization } })
      expectError(response, 401, 'unauthorized')
      expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api", (?:error="invalid_token", )?resource_metadata=/)
      texts.add(String(response.body['message']))
    }
    expect(texts.size).toBe(1)
    expectError(
      await server.caller(undefined).send('GET', `/v1/users/me?access_token=${accessToken}&token=${accessToken}`),
      401,
      'unauthorized',
    )
  })
})

it('the database contains only digests of secrets', async () => {
  const client = await makeClient(server)
  const { accessToken, refreshToken } = await authorize(server, client)
  const { token } = await makePersonalToken(server, ines.id)
  const tables = [
    'tokens',
    'connections',
    'client_secrets',
    'authorization_codes',
    'token_families',
    'browser_sessions',
    'sign_in_links',
    'accounts',
    'instance',
  ]
  const stored = await server.service.database.read(async (db) => {
    const rows: string[] = []
    for (const table of tables)
      rows.push(
        JSON.stringify(await db.all({}, `select * from ${table}`), (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      )
    return rows.join('\n')
  })
  expect(stored).toContain(client.clientId)
  for (const secret of [accessToken, refreshToken, token, client.clientSecret]) expect(stored).not.toContain(secret.slice(4))
})

describe('a token without the capability to read content', () => {
  const partials: readonly (readonly [
    capability: Capability,
    write: (caller: Caller, page: string) => ReturnType<Caller['call']>,
  ])[] = [
    ['insert_content', (caller, page) => createPage(caller, { page_id: page })],
    ['update_content', (caller, page) => caller.call('updatePage', { path: { page_id: page }, body: { icon: { emoji: '⛵' } } })],
  ]
  for (const [capability, write] of partials) {
    it(`gets the partial object from a write with only ${capability}`, async () => {
      const page = await makePage(server.owner)
      const client = await makeClient(server, { capabilities: [capability] })
      const { caller } = await authorize(server, client, { pages: [page] })
      const { status, body } = await write(caller, page)
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toStrictEqual(['id', 'object', 'request_id'])
    })
  }
})
