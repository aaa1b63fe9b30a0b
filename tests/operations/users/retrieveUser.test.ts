import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../../server/domain/administration/people.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { Caller } from '../../harness/caller.ts'
import { makePage } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const [ines] = exampleWorkspace.people
const retrieve = (id: string, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('retrieveUser', { path: { user_id: id } })

describe('retrieveUser', () => {
  it('200 with a person for any spelling of the id, and with the email only if the capability includes emails', async () => {
    const person = { object: 'user', id: ines.id, name: ines.name, avatar_url: null, type: 'person' }
    expect((await retrieve(ines.id.replaceAll('-', '').toUpperCase())).body).toMatchObject({
      ...person,
      person: { email: ines.email },
    })
    const { caller } = await makeConnection(server, { capabilities: ['read_user_without_email'] })
    expect((await retrieve(ines.id, caller)).body['person']).toStrictEqual({})
  })

  it("200 with details for the caller's own bot, but not for another bot", async () => {
    const other = await makeConnection(server, { capabilities: ['read_user_without_email'] })
    expect((await retrieve(exampleWorkspace.bot.id)).body).toMatchObject({
      type: 'bot',
      bot: { workspace_id: exampleWorkspace.workspace.id },
    })
    expect((await retrieve(exampleWorkspace.bot.id, other.caller)).body['bot']).toStrictEqual({})
    expect((await retrieve(other.botId, other.caller)).body).toMatchObject({
      bot: { owner: { type: 'workspace', workspace: true } },
    })
  })

  it('200 for a guest who can see a page that the connection sees, and 404 to other connections', async () => {
    const outer = await makePage(server.owner, 'Outer')
    const inner = await makePage(server.owner, 'Inner', outer)
    const { workspace } = exampleWorkspace
    const guest = await server.service.database.write((db) =>
      createPerson(
        db,
        { workspaceId: workspace.id, email: 'lena@sails.example', name: 'Lena', role: 'guest' },
        server.clock.now(),
      ),
    )
    const open = (itemId: string, level: 'read' | null): Promise<void> =>
      server.service.database.write((db) => setMemberAccess(db, workspace.id, itemId, guest, level, server.clock.now()))
    const connection = async (grant: string): Promise<Caller> =>
      (await makeConnection(server, { capabilities: ['read_user_without_email'], grants: [grant] })).caller
    const [ofOuter, ofInner, ofOther] = [
      await connection(outer),
      await connection(inner),
      await connection(exampleWorkspace.pages.handbook),
    ]
    for (const caller of [ofOuter, server.owner]) expectNotFound(await retrieve(guest, caller), guest)
    await open(inner, 'read')
    for (const caller of [ofOuter, ofInner, server.owner])
      expect((await retrieve(guest, caller)).body).toMatchObject({ name: 'Lena', type: 'person' })
    expectNotFound(await retrieve(guest, ofOther), guest)
    await open(inner, null)
    await open(outer, 'read')
    expect((await retrieve(guest, ofInner)).status, 'the guest sees what is around').toBe(200)
    await open(outer, null)
    expectNotFound(await retrieve(guest, ofInner), guest)
  })

  it('400 validation_error when the id is malformed', async () => {
    for (const id of ['ines', 'Me', `${ines.id}0`]) expectInvalid(await retrieve(id), 'path.user_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await retrieve(ines.id, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without a capability for user information, even if the user is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [exampleWorkspace.workspace.id] })
    for (const id of [ines.id, randomUUID()]) expectError(await retrieve(id, caller), 403, 'restricted_resource')
  })

  it('404 object_not_found when the user is missing, or the id belongs to another object', async () => {
    for (const id of [randomUUID(), exampleWorkspace.pages.handbook, exampleWorkspace.connection.id])
      expectNotFound(await retrieve(id), id)
  })
})
