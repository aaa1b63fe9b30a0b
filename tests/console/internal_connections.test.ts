import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { closeItem } from '../../server/domain/people/sharing.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { children, makePage } from '../harness/content.ts'
import { idOf, textAt, type JsonObject } from '../harness/json.ts'
import { makeClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const { handbook, checklist } = exampleWorkspace.pages
const server = await serverOfFile()
const { database } = server.service

const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, other.email)

const settings = { workspace_id: workspaceId, name: 'Yard Lights', capabilities: ['read_content'] }
const details = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveInternalConnection', { path: { connection_id: id } })
const search = (id: string, text?: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('searchShareableItems', { path: { connection_id: id }, ...(text !== undefined && { query: { text } }) })
const share = (id: string, itemId: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('createInternalConnectionShare', { path: { connection_id: id }, body: { item_id: itemId } })
const unshare = (id: string, itemId: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('deleteInternalConnectionShare', { path: { connection_id: id, item_id: itemId } })
const rotate = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('createInternalConnectionToken', { path: { connection_id: id } })
const remove = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('deleteInternalConnection', { path: { connection_id: id } })
const actsOn = async (name: string): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 200)))
    .filter((one) => one.object_name?.startsWith(name))
    .map(({ action, object_name: name }) => `${action} ${name}`)
    .toSorted()
const listed = ({ body }: { body: JsonObject }, key = 'results'): JsonObject[] => body[key] as JsonObject[]
const sees = async (token: string, pageId: string): Promise<number> =>
  (await server.caller(token).call('retrievePage', { path: { page_id: pageId } })).status

/** A connection made in the console. */
async function newConnection(changes: object = {}): Promise<{ id: string; token: string; body: JsonObject }> {
  const { body } = await owner.call('createInternalConnection', { body: { ...settings, ...changes } })
  return { id: idOf(body['connection'] as JsonObject), token: textAt(body, 'token'), body }
}

/** A workspace that the owner does not belong to. */
async function elsewhere(): Promise<{ quay: string; page: string }> {
  const { quay, token } = await database.write(async (db) => {
    const id = await createWorkspace(db, 'South Quay', server.clock.now())
    const person = { workspaceId: id, email: `${randomUUID()}@quay.example`, name: 'Wanda', role: 'member' } as const
    const personId = await createPerson(db, person, server.clock.now())
    return { quay: id, token: (await createPersonalToken(db, { workspaceId: id, personId }, server.clock.now())).token }
  })
  return { quay, page: await makePage(server.caller(token)) }
}

/** A page that only another member sees. */
async function hiddenPage(title: string): Promise<string> {
  const id = await makePage(await makeMember(server, other.id), title, handbook)
  await database.write((db) => closeItem(db, workspaceId, id, other.id, server.clock.now()))
  return id
}

describe('createInternalConnection', () => {
  it('200 with a token that works, is never shown again, and sees nothing at first', async () => {
    const { id, token, body } = await newConnection({ name: 'Berth Lamp' })
    expect(body['command']).toContain(`-H 'Authorization: Bearer ${token}'`)
    expect((await server.caller(token).call('retrieveMe')).body).toMatchObject({ type: 'bot', name: 'Berth Lamp' })
    expect(await sees(token, handbook)).toBe(404)
    const shown = [await details(id), await owner.call('listInternalConnections')]
    expect(JSON.stringify(shown.map((one) => one.body))).not.toContain(token)
    expect(shown[0]?.body).toMatchObject({ sees_workspace: false, shared: [], other_count: 0 })
    expect(await actsOn('Berth Lamp')).toEqual(['connection.created Berth Lamp'])
  })

  it('200 with a connection that has only the chosen capabilities', async () => {
    const { id, token } = await newConnection({ capabilities: ['insert_content', 'read_user_with_email'] })
    await share(id, handbook)
    expect(await sees(token, handbook)).toBe(403)
    expect((await details(id)).body['connection']).toMatchObject({
      capabilities: [{ is_given: true }, { words: expect.stringContaining('email addresses'), is_given: true }],
    })
  })

  it('400 when the name is unfit, a capability is unknown, or none is chosen', async () => {
    for (const changes of [{ name: ' ' }, { name: 'two\nlines' }, { capabilities: [] }, { capabilities: ['all'] }])
      expect((await owner.call('createInternalConnection', { body: { ...settings, ...changes } })).status).toBe(400)
  })

  it('403 with the same message for a member, for a foreign workspace, and for a missing one', async () => {
    const create = (viewer: ConsoleCaller, workspace: string): ReturnType<ConsoleCaller['call']> =>
      viewer.call('createInternalConnection', { body: { ...settings, workspace_id: workspace } })
    const responses = [
      await create(member, workspaceId),
      await create(owner, (await elsewhere()).quay),
      await create(owner, randomUUID()),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(new Set(responses.map(({ body }) => body['message'])).size).toBe(1)
  })
})

describe('listInternalConnections', () => {
  it('200 with connections only of owned workspaces, newest first, without OAuth apps', async () => {
    await makeConnection(server, { name: 'Foreign one', capabilities: [], workspaceId: (await elsewhere()).quay })
    await makeClient(server, { name: 'An app' })
    server.clock.advance(1_000)
    await newConnection({ name: 'First' })
    server.clock.advance(1_000)
    await newConnection({ name: 'Second' })
    const names = listed(await owner.call('listInternalConnections')).map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['Second', 'First'])
    expect(names).not.toContain('Foreign one')
    expect(names).not.toContain('An app')
    expect((await member.call('listInternalConnections')).body).toMatchObject({ results: [], has_more: false })
  })
})

describe('createInternalConnectionToken', () => {
  it('200 with a new token; the previous one stops at once, and what is shared stays shared', async () => {
    const { id, token } = await newConnection({ name: 'Tide Lamp' })
    await share(id, handbook)
    const next = textAt((await rotate(id)).body, 'token')
    expect([await sees(token, handbook), await sees(next, handbook)]).toEqual([401, 200])
    expect(await actsOn('Tide Lamp')).toContain('connection.token_rotated Tide Lamp')
  })
})

describe('searchShareableItems', () => {
  it('200 with pages and databases by words of their titles, without shared ones', async () => {
    const { id } = await newConnection()
    expect(listed(await search(id, 'handbook'))).toMatchObject([
      { id: handbook, kind: 'page', title: 'Workshop handbook', container: null },
    ])
    expect(listed(await search(id, 'safety check'))).toMatchObject([{ id: checklist, container: 'Workshop handbook' }])
    expect(listed(await search(id, 'boat register'))).toMatchObject([{ kind: 'database' }])
    await share(id, handbook)
    expect(listed(await search(id, 'handbook'))).toEqual([])
    expect(listed(await search(id)).length).toBeGreaterThan(1)
  })

  it('200 without the private pages of other members, and without those in the trash', async () => {
    const { id } = await newConnection()
    await hiddenPage('Secret moorings')
    const trashed = await makePage(server.owner, 'Discarded moorings', handbook)
    await server.owner.call('updatePage', { path: { page_id: trashed }, body: { in_trash: true } })
    expect(listed(await search(id, 'moorings'))).toEqual([])
  })

  it('400 when the text is too long', async () => {
    const { id } = await newConnection()
    expect((await search(id, 'x'.repeat(201))).status).toBe(400)
  })
})

describe('createInternalConnectionShare and deleteInternalConnectionShare', () => {
  it('200 and the connection sees the page and what is below it, until it is no longer shared', async () => {
    const { id, token } = await newConnection({ name: 'Gate Lamp' })
    expect(listed(await share(id, handbook), 'shared')).toMatchObject([{ id: handbook, title: 'Workshop handbook' }])
    expect([await sees(token, handbook), await sees(token, checklist)]).toEqual([200, 200])
    expect((await details(id)).body).toMatchObject({ shared: [{ id: handbook }], other_count: 0 })
    expect((await unshare(id, handbook)).body).toMatchObject({ shared: [], other_count: 0 })
    expect([await sees(token, handbook), await sees(token, checklist)]).toEqual([404, 404])
    expect(await actsOn('Gate Lamp')).toEqual([
      'connection.created Gate Lamp',
      `connection.shared Gate Lamp: ${handbook}`,
      `connection.unshared Gate Lamp: ${handbook}`,
    ])
  })

  it('200 and takes the whole workspace back, which the command line has shared', async () => {
    const { connectionId, token } = await makeConnection(server, { capabilities: ['read_content'], grants: [workspaceId] })
    expect((await details(connectionId)).body).toMatchObject({ sees_workspace: true, shared: [], other_count: 0 })
    expect((await unshare(connectionId, workspaceId)).body).toMatchObject({ sees_workspace: false })
    expect(await sees(token, handbook)).toBe(404)
    expect((await share(connectionId, workspaceId)).status).toBe(404)
  })

  it('404 with the same message for a hidden page, a foreign one, a block and a missing one, which stay as they are', async () => {
    const { id, token } = await newConnection({ name: 'Pier Lamp' })
    const hidden = await hiddenPage('Private pier')
    const { page: foreign } = await elsewhere()
    const withBlock = await makePage(server.owner, 'Pier plan', handbook, [{ divider: {} }])
    const [block = {}] = await children(server.owner, withBlock)
    const responses = []
    for (const item of [hidden, foreign, idOf(block), randomUUID()])
      responses.push(await share(id, item), await unshare(id, item))
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(8).fill(404))
    expect(new Set(responses.map(({ body: { message } }) => message)).size).toBe(1)
    expect(await sees(token, hidden)).toBe(404)
    expect(await actsOn('Pier Lamp')).toEqual(['connection.created Pier Lamp'])
  })

  it('200 without the title of a shared page that the owner cannot see, and 404 when the owner takes it back', async () => {
    const hidden = await hiddenPage('Private jetty')
    const { connectionId, token } = await makeConnection(server, { capabilities: ['read_content'], grants: [hidden, handbook] })
    const { body } = await details(connectionId)
    expect(body).toMatchObject({ shared: [{ id: handbook }], other_count: 1 })
    expect(JSON.stringify(body)).not.toContain('jetty')
    expect((await unshare(connectionId, hidden)).status).toBe(404)
    expect(await sees(token, hidden)).toBe(200)
  })
})

describe('deleteInternalConnection', () => {
  it('200 with the remaining connections; its token stops working', async () => {
    const { id, token } = await newConnection({ name: 'Broken Lamp' })
    const names = listed(await remove(id)).map(({ name }) => name)
    expect(names).not.toContain('Broken Lamp')
    expect((await server.caller(token).call('retrieveMe')).status).toBe(401)
    expect((await details(id)).status).toBe(404)
    expect(await actsOn('Broken Lamp')).toContain('connection.deleted Broken Lamp')
  })
})

describe('each operation about one internal connection', () => {
  it('404 with the same message for a member, an OAuth app, a foreign connection and a missing one', async () => {
    const { id, token } = await newConnection({ name: 'Untouched' })
    const app = await makeClient(server)
    const foreign = await makeConnection(server, { capabilities: [], workspaceId: (await elsewhere()).quay })
    const targets: [ConsoleCaller, string][] = [
      [member, id],
      [owner, app.connectionId],
      [owner, foreign.connectionId],
      [owner, randomUUID()],
    ]
    const messages = new Set<unknown>()
    for (const [viewer, target] of targets)
      for (const response of [
        await details(target, viewer),
        await search(target, 'handbook', viewer),
        await share(target, handbook, viewer),
        await unshare(target, handbook, viewer),
        await rotate(target, viewer),
        await remove(target, viewer),
      ]) {
        expect(response.status).toBe(404)
        messages.add(response.body['message'])
      }
    expect(messages.size).toBe(1)
    expect(await actsOn('Untouched')).toEqual(['connection.created Untouched'])
    for (const one of [token, foreign.token]) expect((await server.caller(one).call('retrieveMe')).status).toBe(200)
  })
})
