import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { closeItem, setMemberAccess } from '../../server/domain/people/sharing.ts'
import { memberOf } from '../../server/domain/shared/actor.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { memberLevels, type AccessLevel } from '../../server/store/access.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import type { Role } from '../../server/store/members.ts'
import { makeConnection } from '../harness/connections.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, tomas] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile()
const { database } = server.service
const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, tomas.email)

type Called = ReturnType<ConsoleCaller['call']>
const access = (id: string, viewer = owner, query = {}): Called =>
  viewer.call('retrieveItemAccess', { path: { item_id: id }, query })
const setRule = (id: string, subject: string, level: AccessLevel, viewer = owner): Called =>
  viewer.call('updateAccessRule', { path: { item_id: id, subject }, body: { level } })
const removeRule = (id: string, subject: string, viewer = owner): Called =>
  viewer.call('deleteAccessRule', { path: { item_id: id, subject } })
const removeShare = (id: string, botId: string, viewer = owner): Called =>
  viewer.call('deleteItemShare', { path: { item_id: id, bot_id: botId } })
const search = async (text?: string, viewer = owner): Promise<JsonObject[]> =>
  (await viewer.call('searchItems', { query: text === undefined ? {} : { text } })).body['results'] as JsonObject[]
const rule = (id: string, subject: string, level: AccessLevel | null): Promise<void> =>
  database.write((db) => setMemberAccess(db, workspaceId, id, subject, level, server.clock.now()))
const acts = async (): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 500))).map(
    ({ action, object_id: id, object_name: name }) => `${action} ${id}: ${name}`,
  )

let number = 0
function newPerson(role: Role): Promise<string> {
  const person = { workspaceId, email: `person${++number}@boats.example`, name: `Person ${number}`, role }
  return database.write((db) => createPerson(db, person, server.clock.now()))
}

async function newPage(title: string, parent: JsonObject = { workspace: true }): Promise<string> {
  const properties = { title: { title: [{ text: { content: title } }] } }
  const { body } = await server.owner.call('createPage', { body: { parent, properties } })
  return textAt(body, 'id')
}

/** A page on a page. */
async function twoPages(): Promise<{ above: string; page: string }> {
  const above = await newPage('Harbor')
  return { above, page: await newPage('Mooring list', { page_id: above }) }
}

async function personIn(id: string, personId: string, viewer = owner): Promise<JsonObject | undefined> {
  const people = (await access(id, viewer)).body['people'] as JsonObject[]
  return people.find((one) => one['id'] === personId)
}

describe('searchItems', () => {
  it('200 with the pages whose titles contain the words, with the page that contains each', async () => {
    const { above, page } = await twoPages()
    const results = await search('mooring')
    expect(results).toContainEqual({
      ...{ object: 'found_item', id: page, kind: 'page', title: 'Mooring list', icon: null, container: 'Harbor' },
      workspace: { id: workspaceId, name: exampleWorkspace.workspace.name },
    })
    expect(results.map(({ id }) => id)).not.toContain(above)
    expect((await search()).length).toBeGreaterThan(5)
  })

  it('200 with the page of a link or id', async () => {
    const id = exampleWorkspace.pages.handbook
    for (const text of [id, undashed(id), ` ${server.url}/Workshop-handbook-${undashed(id)}?v=1#top `, `/${undashed(id)}`])
      expect([text, (await search(text)).map((one) => one['id'])]).toEqual([text, [id]])
    expect((await search(exampleWorkspace.repairLog)).map(({ kind }) => kind)).toEqual(['database'])
  })

  it('200 with nothing for a closed page, and for people who own no workspace', async () => {
    const page = await newPage('Secret berth')
    expect(await search('berth', member)).toEqual([])
    expect(await search(page, member)).toEqual([])
    await database.write((db) => closeItem(db, workspaceId, page, tomas.id, server.clock.now()))
    expect(await search('berth')).toEqual([])
    expect(await search(page)).toEqual([])
  })
})

describe('retrieveItemAccess', () => {
  it('200 with the same level for each member as the API enforces, and its reason', async () => {
    const { above, page } = await twoPages()
    const people = new Map<string, Role>()
    for (const role of ['member', 'member', 'member', 'restricted', 'guest', 'guest'] as const)
      people.set(await newPerson(role), role)
    const [first = '', second = '', , fourth = '', fifth = ''] = people.keys()
    await rule(above, 'everybody', 'read')
    await rule(above, first, 'none')
    await rule(above, fourth, 'full')
    await rule(page, 'everybody', 'edit')
    await rule(page, second, 'none')
    await rule(page, fifth, 'read')
    await rule(page, ines.id, 'full')
    const { body } = await access(page)
    const listed = body['people'] as JsonObject[]
    for (const [id, role] of people) {
      const levels = await database.read((db) => memberLevels(db, memberOf(workspaceId, id, role), [page]))
      expect(listed.find((one) => one['id'] === id)).toMatchObject({ role, level: levels.get(page) })
    }
    const onPage = { id: page, title: 'Mooring list' }
    expect(listed.find(({ id }) => id === first)).toMatchObject({ level: 'edit', reason: 'rule_for_everybody', item: onPage })
    expect(listed.find(({ id }) => id === second)).toMatchObject({ level: 'none', reason: 'rule_for_person', item: onPage })
    expect(body['people_count']).toBe(listed.filter(({ level }) => level !== 'none').length)
    const rules = body['rules'] as JsonObject[]
    expect(rules.map(({ is_own: isOwn }) => isOwn)).toEqual([true, true, true, true, false, false, false])
    expect(rules).toContainEqual({
      ...{ object: 'access_rule', item: { id: above, title: 'Harbor' }, is_own: false, subject: 'everybody' },
      ...{ name: null, has_left: false, level: 'read' },
    })
  })

  it('200 with the role as the reason when no rule applies, and only people who match a name', async () => {
    const page = await newPage('Slipway')
    const guest = await newPerson('guest')
    expect(await personIn(page, ines.id)).toMatchObject({ level: 'full', reason: 'role', item: null })
    expect(await personIn(page, guest)).toMatchObject({ level: 'none', reason: 'role', role: 'guest' })
    const { body } = await access(page, owner, { name: 'TOMAS@' })
    expect((body['people'] as JsonObject[]).map(({ id }) => id)).toEqual([tomas.id])
    expect(body['people_count']).toBeGreaterThan(1)
  })

  it('200 with the connections, through a share of the item, of a page above or of the workspace', async () => {
    const { above, page } = await twoPages()
    const wide = await makeConnection(server, { name: 'Tide table', capabilities: ['read_content'], grants: [workspaceId] })
    const near = await makeConnection(server, { name: 'Winch', capabilities: ['update_content'], grants: [above] })
    const own = await authorize(server, await makeClient(server, { name: 'Mooring Log' }), { pages: [page] })
    const elsewhere = await makeConnection(server, {
      name: 'Gull',
      capabilities: ['read_content'],
      grants: [await newPage('Pier')],
    })
    const connections = (await access(page)).body['connections'] as JsonObject[]
    const ids = connections.map(({ bot_id: id }) => id)
    expect(ids.slice(0, 2)).toEqual([own.botId, near.botId])
    expect(ids).not.toContain(elsewhere.botId)
    expect(connections[0]).toMatchObject({ name: 'Mooring Log', person: { id: ines.id, name: ines.name }, is_own: true })
    expect(connections[1]).toMatchObject({
      item: { id: above, title: 'Harbor' },
      is_own: false,
      may_read: false,
      may_write: true,
    })
    expect(connections.find(({ bot_id: id }) => id === wide.botId)).toMatchObject({
      item: null,
      may_read: true,
      may_write: false,
    })
  })

  it('200 without the title of a page above that is closed to the person', async () => {
    const { above, page } = await twoPages()
    await rule(page, ines.id, 'full')
    await database.write((db) => closeItem(db, workspaceId, above, tomas.id, server.clock.now()))
    const { body } = await access(page)
    expect(body['rules']).toContainEqual(expect.objectContaining({ item: { id: above, title: null }, subject: 'everybody' }))
    expect(JSON.stringify(body)).not.toContain('Harbor')
  })

  it('404 with the same message when the item is missing, closed, in another workspace, or the person is not an owner', async () => {
    const closed = await newPage('Secret berth')
    await database.write((db) => closeItem(db, workspaceId, closed, tomas.id, server.clock.now()))
    const elsewhere = await database.write((db) => createWorkspace(db, 'Elsewhere', server.clock.now()))
    const stranger = { workspaceId: elsewhere, email: 'stranger@boats.example', name: 'Stranger', role: 'owner' } as const
    await database.write((db) => createPerson(db, stranger, server.clock.now()))
    const handbook = exampleWorkspace.pages.handbook
    const results = [
      await access(randomUUID()),
      await access(closed),
      await access(handbook, member),
      await access(handbook, await ConsoleCaller.of(server, stranger.email)),
      await setRule(handbook, 'everybody', 'none', member),
      await removeRule(handbook, 'everybody', member),
      await removeShare(handbook, exampleWorkspace.bot.id, member),
    ]
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 404))
    expect(new Set(results.map(({ body }) => body['message'])).size).toBe(1)
  })
})

describe('updateAccessRule and deleteAccessRule', () => {
  it('200 with the new access, which the API enforces, and an entry in the audit log', async () => {
    const page = await newPage('Slipway')
    const guest = await newPerson('guest')
    const { body } = await setRule(page, guest, 'read')
    expect(body['rules']).toMatchObject([{ subject: guest, level: 'read', is_own: true }])
    const levels = (): Promise<Map<string, AccessLevel>> =>
      database.read((db) => memberLevels(db, memberOf(workspaceId, guest, 'guest'), [page]))
    expect((await levels()).get(page)).toBe('read')
    await setRule(page, guest, 'edit')
    expect((await levels()).get(page)).toBe('edit')
    expect((await removeRule(page, guest)).body['rules']).toEqual([])
    expect((await levels()).get(page)).toBe('none')
    const email = `person${number}@boats.example`
    expect(await acts()).toEqual(
      expect.arrayContaining([
        `access_rule.set ${page}: read for ${email}`,
        `access_rule.set ${page}: edit for ${email}`,
        `access_rule.removed ${page}: ${email}`,
      ]),
    )
  })

  it('400 and no change when the person would lose full access', async () => {
    const page = await newPage('Slipway')
    const refused = [await setRule(page, 'everybody', 'none'), await setRule(page, ines.id, 'edit')]
    expect(refused.map(({ status, body }) => [status, body['message']])).toEqual(
      refused.map(() => [400, 'You would lose full access to this page yourself. Give yourself full access first.']),
    )
    expect((await access(page)).body['rules']).toEqual([])
    expect((await acts()).filter((one) => one.startsWith('access_rule') && one.includes(page))).toEqual([])
    await setRule(page, ines.id, 'full')
    expect((await setRule(page, 'everybody', 'none')).status).toBe(200)
    expect((await removeRule(page, ines.id)).status).toBe(400)
  })

  it('403 when the person does not have full access', async () => {
    const page = await newPage('Slipway')
    await rule(page, ines.id, 'edit')
    expect((await access(page)).body['may_change']).toBe(false)
    const results = [
      await setRule(page, ines.id, 'full'),
      await removeRule(page, ines.id),
      await removeShare(page, exampleWorkspace.bot.id),
    ]
    expect(results.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await access(page)).body['rules']).toMatchObject([{ level: 'edit' }])
  })

  it('404 for a person outside the workspace, and for a rule that does not exist', async () => {
    const page = await newPage('Slipway')
    expect((await setRule(page, randomUUID(), 'read')).status).toBe(404)
    expect((await removeRule(page, tomas.id)).status).toBe(404)
  })

  it('400 for another level', async () => {
    const page = await newPage('Slipway')
    const { status, body } = await owner.call('updateAccessRule', {
      path: { item_id: page, subject: 'everybody' },
      body: { level: 'own' },
    })
    expect([status, body['message']]).toEqual([400, expect.stringContaining('body.level')])
  })
})

describe('deleteItemShare', () => {
  it('200, after which the connection does not see the page; 404 when it is shared only above', async () => {
    const { above, page } = await twoPages()
    const { botId, caller } = await makeConnection(server, { name: 'Winch', capabilities: ['read_content'], grants: [page] })
    expect((await caller.call('retrievePage', { path: { page_id: page } })).status).toBe(200)
    const { body } = await removeShare(page, botId)
    expect((body['connections'] as JsonObject[]).map(({ bot_id: id }) => id)).not.toContain(botId)
    expect((await caller.call('retrievePage', { path: { page_id: page } })).status).toBe(404)
    expect(await acts()).toContain(`share.removed ${page}: Winch`)
    const near = await makeConnection(server, { name: 'Winch', capabilities: ['read_content'], grants: [above] })
    expect((await removeShare(page, near.botId)).status).toBe(404)
    expect((await near.caller.call('retrievePage', { path: { page_id: page } })).status).toBe(200)
  })
})
