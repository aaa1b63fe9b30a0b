import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { addToGroup, createGroup, removeFromGroup } from '../../server/domain/administration/groups.ts'
import { changeRole, createPerson, removePerson } from '../../server/domain/administration/people.ts'
import { revokeToken } from '../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies } from '../../server/domain/administration/workspaces.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { expectError, expectNotFound } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { createPage, statusOf } from './support/calls.ts'
import { makePersonalToken } from '../harness/connections.ts'

const DAY_MS = 24 * 60 * 60_000
const [ines, tomas] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()

describe('a personal access token', () => {
  it("acts as the member, with full access to the member's pages, without sharing", async () => {
    const { caller, token } = await makePersonalToken(server, tomas.id)
    expect(token).toMatch(/^pat_[A-Za-z0-9]{40,76}$/)
    expect((await caller.call('retrieveMe')).body).toMatchObject({
      object: 'user',
      id: tomas.id,
      type: 'person',
      name: tomas.name,
      person: { email: tomas.email },
    })
    expect((await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.launchPlan } })).status).toBe(200)
    const [block] = await append(caller, exampleWorkspace.pages.launchPlan, [paragraph('by Tomas')])
    expect(block).toMatchObject({ created_by: { id: tomas.id }, last_edited_by: { id: tomas.id } })
    expect((await caller.call('listCustomEmojis')).status).toBe(200)
  })

  it('lists no users, and finds only its own member', async () => {
    const { caller } = await makePersonalToken(server, tomas.id)
    expectError(await caller.call('listUsers'), 403, 'restricted_resource')
    expect((await caller.call('retrieveUser', { path: { user_id: tomas.id } })).body).toMatchObject({
      id: tomas.id,
      person: { email: tomas.email },
    })
    expect((await caller.call('retrieveUser', { path: { user_id: tomas.id.replaceAll('-', '').toUpperCase() } })).status).toBe(
      200,
    )
    const [known, unknown] = [
      await caller.call('retrieveUser', { path: { user_id: ines.id } }),
      await caller.call('retrieveUser', { path: { user_id: '11111111-2222-4333-8444-555555555555' } }),
    ]
    for (const response of [known, unknown]) {
      expectError(response, 404, 'object_not_found')
      expect(response.body['additional_data']).toBeUndefined()
    }
    expect(String(known.body['message']).replace(ines.id, '')).toBe(
      String(unknown.body['message']).replace('11111111-2222-4333-8444-555555555555', ''),
    )
    expect((await caller.call('retrieveUser', { path: { user_id: exampleWorkspace.bot.id } })).status).toBe(404)
  })

  it('creates private pages of its member at the top of the workspace', async () => {
    const mine = await makePersonalToken(server, tomas.id)
    const page = idOf((await createPage(mine.caller)).body)
    const below = await makePage(mine.caller, 'Below', page)
    for (const id of [page, below]) {
      expect((await mine.caller.call('retrievePage', { path: { page_id: id } })).status).toBe(200)
      expectNotFound(await (await makePersonalToken(server, ines.id)).caller.call('retrievePage', { path: { page_id: id } }), id)
    }
  })

  it('shows the email addresses of mentioned people', async () => {
    const { caller } = await makePersonalToken(server, tomas.id)
    const page = await makePage(caller)
    const [block] = await append(caller, page, [{ paragraph: { rich_text: [{ mention: { user: { id: ines.id } } }] } }])
    expect(JSON.stringify(block)).toContain(ines.email)
  })

  it('gets 403 if it was created without access to this API', async () => {
    const { caller } = await makePersonalToken(server, tomas.id, { callsApi: false })
    expectError(await caller.call('retrieveMe'), 403, 'restricted_resource')
    expectError(
      await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } }),
      403,
      'restricted_resource',
    )
  })

  for (const days of [7, 30, 90, 180, 365] as const) {
    it(`expires after ${days} days${days === 365 ? ' by default' : ''}`, async () => {
      const { caller } = await makePersonalToken(server, ines.id, days === 365 ? {} : { days })
      server.clock.advance(days * DAY_MS - 1)
      expect(await statusOf(caller)).toBe(200)
      server.clock.advance(1)
      expect(await statusOf(caller)).toBe(401)
    })
  }

  it('stops working when revoked, which succeeds only once', async () => {
    const { caller, id } = await makePersonalToken(server, ines.id)
    const other = await makePersonalToken(server, ines.id)
    await server.service.database.write((db) => revokeToken(db, id, server.clock.now()))
    expect([await statusOf(caller), await statusOf(other.caller)]).toStrictEqual([401, 200])
    await expect(server.service.database.write((db) => revokeToken(db, id, server.clock.now()))).rejects.toThrow(
      'No valid token has',
    )
  })

  it('stops working when its member leaves or is no longer a full member', async () => {
    const { database } = server.service
    const email = 'kit@northshore.example'
    const join = (role: 'member' | 'guest'): Promise<string> =>
      database.write((db) => createPerson(db, { workspaceId, email, name: 'Kit', role }, server.clock.now()))
    const id = await join('member')
    const { caller } = await makePersonalToken(server, id)
    expect(await statusOf(caller)).toBe(200)
    for (const role of ['guest', 'restricted'] as const) {
      await database.write((db) => changeRole(db, workspaceId, id, role))
      expect(await statusOf(caller)).toBe(401)
      await expect(makePersonalToken(server, id)).rejects.toThrow('may not have personal tokens')
    }
    await database.write((db) => changeRole(db, workspaceId, id, 'member'))
    expect(await statusOf(caller)).toBe(200)
    await database.write((db) => removePerson(db, workspaceId, id, server.clock.now()))
    expect(await statusOf(caller)).toBe(401)
    await expect(makePersonalToken(server, id)).rejects.toThrow('No member of the workspace has')
    expect(await join('guest')).toBe(id)
    expect(await statusOf(caller)).toBe(401)
  })

  it('stops working while the policy excludes its member, and works again afterwards', async () => {
    const { database } = server.service
    const [owner, member] = [await makePersonalToken(server, ines.id), await makePersonalToken(server, tomas.id)]
    const statuses = async (): Promise<number[]> => [await statusOf(owner.caller), await statusOf(member.caller)]
    const policy = (holders: 'owners' | 'groups' | 'members'): Promise<void> =>
      database.write((db) => setWorkspacePolicies(db, workspaceId, { token_holders: holders }))
    await policy('owners')
    expect(await statuses()).toStrictEqual([200, 401])
    await expect(makePersonalToken(server, tomas.id)).rejects.toThrow('may not have personal tokens')
    await policy('groups')
    expect(await statuses()).toStrictEqual([200, 401])
    const [selected, others] = await database.write(async (db) => [
      await createGroup(db, workspaceId, 'Riggers', true, server.clock.now()),
      await createGroup(db, workspaceId, 'Painters', false, server.clock.now()),
    ])
    await database.write((db) => addToGroup(db, workspaceId, String(others), tomas.id))
    expect(await statuses()).toStrictEqual([200, 401])
    await database.write((db) => addToGroup(db, workspaceId, String(selected), tomas.id))
    expect(await statuses()).toStrictEqual([200, 200])
    await policy('owners')
    expect(await statuses()).toStrictEqual([200, 401])
    await policy('groups')
    await database.write((db) => removeFromGroup(db, workspaceId, String(selected), tomas.id))
    expect(await statuses()).toStrictEqual([200, 401])
    await policy('members')
    expect(await statuses()).toStrictEqual([200, 200])
  })
})
