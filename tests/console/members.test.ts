import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import type { Role } from '../../server/store/members.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, tomas, aiko] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile()
const { database } = server.service
const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, tomas.email)

type Called = ReturnType<ConsoleCaller['call']>
const inWorkspace = { workspace_id: workspaceId }
const listed = async (viewer = owner): Promise<JsonObject[]> =>
  (await viewer.call('listWorkspaceMembers', { path: inWorkspace })).body['results'] as JsonObject[]
const invite = (email: string, role: Role = 'member', viewer = owner): Called =>
  viewer.call('createInvitation', { path: inWorkspace, body: { email, name: 'Nora Lind', role } })
const setRole = (id: string, role: Role, viewer = owner): Called =>
  viewer.call('updateMember', { path: { ...inWorkspace, person_id: id }, body: { role } })
const remove = (id: string, viewer = owner): Called => viewer.call('deleteMember', { path: { ...inWorkspace, person_id: id } })
const acts = async (): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 500))).map(
    ({ action, object_name: name }) => `${action} ${name}`,
  )

let number = 0
async function newPerson(role: Role, workspace: string = workspaceId): Promise<{ id: string; email: string }> {
  const email = `member${++number}@boats.example`
  const person = { workspaceId: workspace, email, name: `Person ${number}`, role }
  return { id: await database.write((db) => createPerson(db, person, server.clock.now())), email }
}

/** A member with a personal token. */
async function tokenHolder(): Promise<{ id: string; email: string; status: () => Promise<number> }> {
  const person = await newPerson('member')
  const { token } = await database.write((db) =>
    createPersonalToken(db, { workspaceId, personId: person.id }, server.clock.now()),
  )
  return { ...person, status: async () => (await server.caller(token).call('retrieveMe')).status }
}

describe('listWorkspaceMembers', () => {
  it('200 with the role of each member, the latest sign-in, and the only owner', async () => {
    const people = await listed()
    const today = new Date(server.clock.now()).toISOString().slice(0, 10)
    expect(people.find(({ id }) => id === ines.id)).toMatchObject({
      ...{ name: ines.name, email: ines.email, role: 'owner', is_last_owner: true },
      last_sign_in_time: expect.stringContaining(today),
    })
    expect(people.find(({ id }) => id === aiko.id)).toMatchObject({
      ...{ role: 'member', last_sign_in_time: null, is_last_owner: false },
    })
  })

  it('404 with the same message for members and owners of another workspace as for a missing workspace', async () => {
    const elsewhere = await database.write((db) => createWorkspace(db, 'Elsewhere', server.clock.now()))
    const stranger = await ConsoleCaller.of(server, (await newPerson('owner', elsewhere)).email)
    const group = { ...inWorkspace, group_id: randomUUID(), person_id: tomas.id }
    const results = [
      await owner.call('listWorkspaceMembers', { path: { workspace_id: randomUUID() } }),
      await owner.call('listWorkspaceMembers', { path: { workspace_id: elsewhere } }),
    ]
    for (const viewer of [member, stranger])
      results.push(
        await viewer.call('listWorkspaceMembers', { path: inWorkspace }),
        await viewer.call('listMemberGroups', { path: inWorkspace }),
        await invite('nobody@boats.example', 'guest', viewer),
        await setRole(tomas.id, 'owner', viewer),
        await remove(aiko.id, viewer),
        await viewer.call('createMemberGroup', { path: inWorkspace, body: { name: 'Riggers' } }),
        await viewer.call('updateMemberGroup', { path: group, body: { name: 'Riggers' } }),
        await viewer.call('createGroupMember', { path: group }),
        await viewer.call('deleteGroupMember', { path: group }),
      )
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 404))
    expect(new Set(results.map(({ body }) => body['message'])).size).toBe(1)
    expect((await listed()).map(({ email }) => email)).not.toContain('nobody@boats.example')
  })
})

describe('createInvitation', () => {
  it('200 with a link that signs the new member in once, and is not shown again', async () => {
    const { body } = await invite(' Nora@Boats.example ', 'guest')
    expect(body).toMatchObject({ email: 'nora@boats.example', members: { type: 'workspace_member' } })
    const [address = '', token = ''] = textAt(body, 'sign_in_url').split('?token=')
    expect(address).toBe(`${server.url}/sign-in/link`)
    expect(Date.parse(textAt(body, 'expires_time')) - server.clock.now()).toBe(24 * 60 * 60 * 1000)
    expect(JSON.stringify([await listed(), await acts()])).not.toContain(token)
    expect(await acts()).toContain('member.invited nora@boats.example: guest')
    const signIn = async (): Promise<number> => {
      const browser = new Browser(server)
      const { text } = await browser.open(`/sign-in/link?token=${token}`)
      return (await browser.submit('/sign-in/link', hiddenFields(text))).status
    }
    expect([await signIn(), await signIn()]).toEqual([303, 400])
  })

  it('200 without a link for a former member, whose token works again', async () => {
    const { id, email, status } = await tokenHolder()
    expect((await remove(id)).status).toBe(200)
    expect(await status()).toBe(401)
    expect((await invite(email)).body).toMatchObject({ sign_in_url: null, expires_time: null })
    expect(await status()).toBe(200)
  })

  it('400 without a link for a person who has an account in another workspace', async () => {
    const elsewhere = await database.write((db) => createWorkspace(db, 'Pier', server.clock.now()))
    const { email } = await newPerson('member', elsewhere)
    const { status, body } = await invite(email)
    expect([status, body['message']]).toEqual([400, expect.stringContaining(`workspace-service user create ${email}`)])
    expect(JSON.stringify(body)).not.toContain('Pier')
    expect((await listed()).map((one) => one['email'])).not.toContain(email)
  })

  it('400 for a member, and for an invalid email address', async () => {
    expect((await invite(tomas.email)).body['message']).toBe(`${tomas.email} is already a member.`)
    expect((await invite('nora at boats')).body['message']).toContain('is not an email address')
  })
})

describe('updateMember and deleteMember', () => {
  it('200 with the new role, which applies at once', async () => {
    const { id, email } = await newPerson('owner')
    const other = await ConsoleCaller.of(server, email)
    expect((await listed(other)).length).toBeGreaterThan(1)
    const { body } = await setRole(id, 'guest')
    expect((body['results'] as JsonObject[]).find((one) => one['id'] === id)).toMatchObject({ role: 'guest' })
    expect((await other.call('listWorkspaceMembers', { path: inWorkspace })).status).toBe(404)
    expect(await acts()).toContain(`member.role_changed ${email}: guest`)
  })

  it('200 without the removed member, whose token stops working', async () => {
    const { id, email, status } = await tokenHolder()
    const { body } = await remove(id)
    expect((body['results'] as JsonObject[]).map((one) => one['id'])).not.toContain(id)
    expect(await status()).toBe(401)
    expect(await acts()).toContain(`member.removed ${email}`)
    expect((await remove(id)).status).toBe(404)
  })

  it('400 and no change for the last owner', async () => {
    const refused = [await setRole(ines.id, 'member'), await remove(ines.id)]
    expect(refused.map(({ status, body }) => [status, body['message']])).toEqual(
      refused.map(() => [400, 'The workspace would be without an owner. Make another member an owner first.']),
    )
    expect((await listed()).find(({ id }) => id === ines.id)).toMatchObject({ role: 'owner', is_last_owner: true })
    expect((await acts()).filter((one) => one.startsWith('member.') && one.includes(ines.email))).toEqual([])
  })

  it('400 for one of two owners who give up the role at the same time', async () => {
    const { id, email } = await newPerson('owner')
    const other = await ConsoleCaller.of(server, email)
    const [theirs, own] = await Promise.all([setRole(id, 'member', other), setRole(ines.id, 'member')])
    expect([theirs.status, own.status].toSorted()).toEqual([200, 400])
    const left = own.status === 200 ? other : owner
    expect((await listed(left)).filter(({ role }) => role === 'owner').length).toBe(1)
    if (own.status === 200) await setRole(ines.id, 'owner', other)
    await setRole(id, 'member')
  })

  it('404 for a person outside the workspace', async () => {
    expect((await setRole(randomUUID(), 'guest')).status).toBe(404)
    expect((await remove(exampleWorkspace.bot.id)).status).toBe(404)
  })
})

describe('groups', () => {
  async function groupNamed(name: string): Promise<JsonObject> {
    const { body } = await owner.call('listMemberGroups', { path: inWorkspace })
    return (body['results'] as JsonObject[]).find((group) => group['name'] === name) ?? {}
  }

  it('200 when a group is created and renamed, and members are added and removed', async () => {
    await owner.call('createMemberGroup', { path: inWorkspace, body: { name: 'Riggers' } })
    const id = textAt(await groupNamed('Riggers'), 'id')
    const path = { ...inWorkspace, group_id: id, person_id: tomas.id }
    await owner.call('updateMemberGroup', { path, body: { name: 'Sailmakers' } })
    await owner.call('createGroupMember', { path })
    expect(await groupNamed('Sailmakers')).toMatchObject({
      ...{ id, gives_tokens: false, members: [{ id: tomas.id, name: tomas.name }] },
    })
    await owner.call('deleteGroupMember', { path })
    expect(await groupNamed('Sailmakers')).toMatchObject({ members: [] })
    expect((await owner.call('deleteGroupMember', { path })).status).toBe(400)
    expect(await acts()).toEqual(
      expect.arrayContaining([
        'group.created Riggers',
        'group.renamed Riggers: Sailmakers',
        `group.member_added Sailmakers: ${tomas.email}`,
        `group.member_removed Sailmakers: ${tomas.email}`,
      ]),
    )
  })

  it('404 for a group or member that does not exist, 400 for a name with a line break', async () => {
    await owner.call('createMemberGroup', { path: inWorkspace, body: { name: 'Caulkers' } })
    const id = textAt(await groupNamed('Caulkers'), 'id')
    const unknown = { ...inWorkspace, group_id: randomUUID(), person_id: tomas.id }
    expect((await owner.call('createGroupMember', { path: unknown })).status).toBe(404)
    expect((await owner.call('updateMemberGroup', { path: unknown, body: { name: 'Riggers' } })).status).toBe(404)
    const stranger = { ...inWorkspace, group_id: id, person_id: randomUUID() }
    expect((await owner.call('createGroupMember', { path: stranger })).status).toBe(404)
    const { status, body } = await owner.call('createMemberGroup', { path: inWorkspace, body: { name: 'Rig\ngers' } })
    expect([status, body['message']]).toEqual([400, expect.stringContaining('line breaks')])
  })
})
