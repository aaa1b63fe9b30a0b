import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { setConnectionEnabled } from '../../server/domain/administration/connections.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import { makeConnection } from '../harness/connections.ts'
import { makePage } from '../harness/content.ts'
import { idOf, textAt, type JsonObject } from '../harness/json.ts'
import { authorize, authorizeAddress, basic, decide, makeClient, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile()
const { database } = server.service

const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, other.email)

const settings = { workspace_id: workspaceId, name: 'Mooring Log', redirect_uris: [RETURN_URI], capabilities: ['read_content'] }
const details = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveOAuthApp', { path: { connection_id: id } })
const setUris = (id: string, uris: readonly string[], viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('updateOAuthApp', { path: { connection_id: id }, body: { redirect_uris: uris } })
const rotate = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('createOAuthAppSecret', { path: { connection_id: id } })
const revoke = (id: string, botId: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('deleteOAuthAppAuthorization', { path: { connection_id: id, bot_id: botId } })
const remove = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('deleteOAuthApp', { path: { connection_id: id } })
const actsOn = async (name: string): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 100)))
    .filter((one) => one.object_name === name)
    .map(({ action }) => action)
    .toSorted()
const namesIn = (list: JsonObject): unknown[] => (list['results'] as JsonObject[]).map(({ name }) => name)
const introspect = async (client: { clientId: string; clientSecret: string }, token: string): Promise<number> => {
  const headers = { Authorization: basic(client.clientId, client.clientSecret) }
  return (await server.caller(undefined, undefined).call('introspectToken', { body: { token }, headers })).status
}

/** An app made in the console. */
async function newApp(changes: object = {}): Promise<{ id: string; clientId: string; clientSecret: string }> {
  const { body } = await owner.call('createOAuthApp', { body: { ...settings, ...changes } })
  const app = body['oauth_app'] as JsonObject
  return { id: idOf(app), clientId: textAt(app, 'client_id'), clientSecret: textAt(body, 'client_secret') }
}

interface Elsewhere {
  readonly quay: string
  readonly page: string
}

/** A workspace that the owner does not belong to, with a page of a member who may authorize apps. */
async function elsewhere(email: string): Promise<Elsewhere> {
  const { quay, token } = await database.write(async (db) => {
    const id = await createWorkspace(db, 'South Quay', server.clock.now())
    const personId = await createPerson(db, { workspaceId: id, email, name: 'Wanda', role: 'member' }, server.clock.now())
    const made = await createPersonalToken(db, { workspaceId: id, personId }, server.clock.now())
    return { quay: id, token: made.token }
  })
  return { quay, page: await makePage(server.caller(token)) }
}

describe('createOAuthApp', () => {
  it('200 with a client whose secret works and is never shown again', async () => {
    const app = await newApp({ name: 'Berth Plan' })
    expect(await introspect(app, 'nothing')).toBe(200)
    const { body: list } = await owner.call('listOAuthApps')
    const shown = { ...list, details: (await details(app.id)).body }
    expect(list['results']).toContainEqual(
      expect.objectContaining({
        ...{ id: app.id, name: 'Berth Plan', client_id: app.clientId, redirect_uris: [RETURN_URI], is_enabled: true },
        workspace: { id: workspaceId, name: exampleWorkspace.workspace.name },
        capabilities: [
          { words: 'Read the pages and databases that you share', is_given: true },
          { words: 'It will not see who is in the workspace', is_given: false },
        ],
      }),
    )
    expect(JSON.stringify(shown)).not.toContain(app.clientSecret)
    expect(await actsOn('Berth Plan')).toEqual(['connection.created'])
  })

  it('200 with an authorization URL that shows the consent page', async () => {
    const { id } = await newApp()
    const url = textAt((await details(id)).body['oauth_app'] as JsonObject, 'authorization_url')
    const page = await owner.browser.open(url.slice(server.url.length))
    expect([page.status, page.text.includes('Mooring Log')]).toEqual([200, true])
  })

  it('400 when a redirect URI is unsafe, the name is unfit, or no capability is chosen', async () => {
    const create = (changes: object): ReturnType<ConsoleCaller['call']> =>
      owner.call('createOAuthApp', { body: { ...settings, name: 'Refused', ...changes } })
    for (const uri of ['http://planner.example/return', 'https://planner.example/#back', 'javascript:alert(1)'])
      expect([uri, (await create({ redirect_uris: [uri] })).status]).toEqual([uri, 400])
    const unsafe = await create({ redirect_uris: ['http://planner.example/return'] })
    expect(unsafe.body['message']).toContain('http://planner.example/return')
    expect((await create({ name: 'two\nlines' })).body['message']).toContain('line breaks')
    expect((await create({ capabilities: [] })).body['message']).toContain('body.capabilities')
    expect((await create({ redirect_uris: [] })).body['message']).toContain('body.redirect_uris')
    expect(await actsOn('Refused')).toEqual([])
  })

  it('403 with the same message for a member, for a foreign workspace, and for a missing one', async () => {
    const { quay } = await elsewhere('foreign@quay.example')
    const responses = [
      await member.call('createOAuthApp', { body: settings }),
      await owner.call('createOAuthApp', { body: { ...settings, workspace_id: quay } }),
      await owner.call('createOAuthApp', { body: { ...settings, workspace_id: randomUUID() } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(new Set(responses.map(({ body }) => body['message'])).size).toBe(1)
  })
})

describe('listOAuthApps', () => {
  it('200 with apps only of owned workspaces, newest first, without internal connections', async () => {
    await makeClient(server, { name: 'Foreign app', workspaceId: (await elsewhere('list@quay.example')).quay })
    await makeConnection(server, { name: 'Internal one', capabilities: [] })
    server.clock.advance(1_000)
    await newApp({ name: 'First' })
    server.clock.advance(1_000)
    await newApp({ name: 'Second' })
    const names = namesIn((await owner.call('listOAuthApps')).body)
    expect(names.slice(0, 2)).toEqual(['Second', 'First'])
    expect(names).not.toContain('Foreign app')
    expect(names).not.toContain('Internal one')
    expect((await member.call('listOAuthApps')).body).toMatchObject({ results: [], has_more: false })
  })
})

describe('retrieveOAuthApp', () => {
  it('200 with who authorized it, but without the names of people in workspaces of others', async () => {
    const client = await makeClient(server, { name: 'Sail Loft' })
    const mine = await authorize(server, client, { email: other.email })
    const email = 'wanda@quay.example'
    const { quay, page } = await elsewhere(email)
    server.clock.advance(1_000)
    const theirs = await authorize(server, client, { email, workspaceId: quay, pages: [page] })
    const { body } = await details(client.connectionId)
    expect(body['authorizations']).toMatchObject([
      { bot_id: theirs.botId, workspace: { id: quay, name: 'South Quay' }, person: null },
      { bot_id: mine.botId, workspace: { id: workspaceId }, person: { id: other.id, name: other.name } },
    ])
    expect(JSON.stringify(body)).not.toContain('Wanda')
  })

  it('200 with is_enabled false when an operator has disabled it', async () => {
    const { id } = await newApp()
    await database.write((db) => setConnectionEnabled(db, id, false, server.clock.now()))
    expect((await details(id)).body['oauth_app']).toMatchObject({ is_enabled: false })
  })
})

describe('updateOAuthApp', () => {
  it('200 and only the new addresses are accepted', async () => {
    const app = await newApp({ name: 'Chart Room' })
    const next = 'http://localhost:8080/return'
    expect((await setUris(app.id, [next])).body['oauth_app']).toMatchObject({ redirect_uris: [next] })
    const open = async (uri: string): Promise<number> =>
      (await owner.browser.open(authorizeAddress(app, { redirect_uri: uri }))).status
    expect([await open(next), await open(RETURN_URI)]).toEqual([200, 400])
    expect(await actsOn('Chart Room')).toEqual(['connection.created', 'connection.redirect_uris_changed'])
  })

  it('400 when an address is unsafe or repeated; the others stay', async () => {
    const { id } = await newApp()
    for (const uris of [['https://a.example', 'http://b.example'], [RETURN_URI, RETURN_URI], []])
      expect((await setUris(id, uris)).status).toBe(400)
    expect((await details(id)).body['oauth_app']).toMatchObject({ redirect_uris: [RETURN_URI] })
  })
})

describe('createOAuthAppSecret', () => {
  it('200 with a new secret, while the previous one still works', async () => {
    const app = await newApp({ name: 'Tide Bell' })
    const { body } = await rotate(app.id)
    const next = { ...app, clientSecret: textAt(body, 'client_secret') }
    expect([await introspect(app, 'x'), await introspect(next, 'x')]).toEqual([200, 200])
    expect(await actsOn('Tide Bell')).toEqual(['connection.created', 'connection.secret_rotated'])
  })
})

describe('deleteOAuthAppAuthorization', () => {
  it('200 and revokes that authorization only, which the person can give again', async () => {
    const client = await makeClient(server, { name: 'Rope Walk' })
    const mine = await authorize(server, client)
    const theirs = await authorize(server, client, { email: other.email })
    const { body } = await revoke(client.connectionId, theirs.botId)
    expect(body['authorizations']).toMatchObject([{ bot_id: mine.botId }])
    expect((await theirs.caller.call('retrieveMe')).status).toBe(401)
    expect((await mine.caller.call('retrieveMe')).status).toBe(200)
    expect(await actsOn('Rope Walk')).toEqual([
      'connection.authorization_revoked',
      'connection.authorized',
      'connection.authorized',
    ])
    const again = await authorize(server, client, { email: other.email })
    expect([again.botId, (await again.caller.call('retrieveMe')).status]).toEqual([theirs.botId, 200])
  })

  it('200 for an authorization in a workspace of others', async () => {
    const client = await makeClient(server, { name: 'Far Quay' })
    const email = 'far@quay.example'
    const { quay, page } = await elsewhere(email)
    const theirs = await authorize(server, client, { email, workspaceId: quay, pages: [page] })
    expect((await revoke(client.connectionId, theirs.botId)).body['authorizations']).toEqual([])
    expect((await theirs.caller.call('retrieveMe')).status).toBe(401)
  })

  it('404 for an authorization of another app, a revoked one and a missing one', async () => {
    const [client, foreign] = [await makeClient(server), await makeClient(server)]
    const [mine, theirs] = [await authorize(server, client), await authorize(server, foreign)]
    await revoke(client.connectionId, mine.botId)
    for (const botId of [mine.botId, theirs.botId, randomUUID()])
      expect((await revoke(client.connectionId, botId)).status).toBe(404)
    expect((await theirs.caller.call('retrieveMe')).status).toBe(200)
  })
})

describe('deleteOAuthApp', () => {
  it('200 with the remaining apps; its tokens, secrets and consent page stop working', async () => {
    const client = await makeClient(server, { name: 'Sunk' })
    const { caller, refreshToken } = await authorize(server, client)
    expect(namesIn((await remove(client.connectionId)).body)).not.toContain('Sunk')
    expect((await caller.call('retrieveMe')).status).toBe(401)
    const refreshed = await client.call('createToken', { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect(refreshed.status).toBe(401)
    expect((await owner.browser.open(authorizeAddress(client))).status).toBe(400)
    expect((await details(client.connectionId)).status).toBe(404)
    expect(await actsOn('Sunk')).toEqual(['connection.authorized', 'connection.deleted'])
  })
})

describe('each operation about one app', () => {
  it('404 with the same message for a member, an internal connection, a foreign app and a missing one', async () => {
    const { id } = await newApp({ name: 'Untouched' })
    const internal = await makeConnection(server, { capabilities: [] })
    const foreign = await makeClient(server, { workspaceId: (await elsewhere('each@quay.example')).quay })
    const targets: [ConsoleCaller, string][] = [
      [member, id],
      [owner, internal.connectionId],
      [owner, foreign.connectionId],
      [owner, randomUUID()],
    ]
    const messages = new Set<unknown>()
    for (const [viewer, target] of targets)
      for (const response of [
        await details(target, viewer),
        await setUris(target, [RETURN_URI], viewer),
        await rotate(target, viewer),
        await revoke(target, randomUUID(), viewer),
        await remove(target, viewer),
      ]) {
        expect(response.status).toBe(404)
        messages.add(response.body['message'])
      }
    expect(messages.size).toBe(1)
    expect(await actsOn('Untouched')).toEqual(['connection.created'])
    expect((await internal.caller.call('retrieveMe')).status).toBe(200)
    expect((await decide(server, foreign, 'cancel', { email: 'each@quay.example' })).searchParams.get('error')).toBe(
      'access_denied',
    )
  })
})
