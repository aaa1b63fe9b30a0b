import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { removeConnection } from '../../server/domain/administration/connections.ts'
import { createPerson, removePerson } from '../../server/domain/administration/people.ts'
import { createWorkspace, setWorkspaceSuspended } from '../../server/domain/administration/workspaces.ts'
import { share, unshare } from '../../server/domain/people/sharing.ts'
import { makePage } from '../harness/content.ts'
import {
  authorize,
  decide,
  makeClient,
  obtainCode,
  readTokens,
  RETURN_URI,
  type Authorization,
  type OAuthClient,
} from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const { handbook, checklist, launchPlan } = exampleWorkspace.pages

let client: OAuthClient

const server = await serverOfFile()

async function sees({ caller }: Authorization, page: string): Promise<boolean> {
  const { status } = await caller.call('retrievePage', { path: { page_id: page } })
  expect([200, 401, 404]).toContain(status)
  return status === 200
}

describe('a repeated authorization', () => {
  it('keeps the bot, adds to the shared pages, and keeps older pairs of tokens valid', async () => {
    client = await makeClient(server)
    const first = await authorize(server, client, { pages: [checklist] })
    expect([await sees(first, checklist), await sees(first, launchPlan)]).toStrictEqual([true, false])
    const second = await authorize(server, client, { pages: [launchPlan] })
    expect(second.botId).toBe(first.botId)
    for (const pair of [first, second])
      expect([await sees(pair, checklist), await sees(pair, launchPlan)]).toStrictEqual([true, true])
    expect(
      (await client.call('createToken', { grant_type: 'refresh_token', refresh_token: first.refreshToken })).body['bot_id'],
    ).toBe(first.botId)
    expect(await sees(second, checklist)).toBe(true)
  })

  it('at the same moment as the first creates one bot with all chosen pages', async () => {
    client = await makeClient(server)
    const [first, second] = [
      await obtainCode(server, client, { pages: [checklist] }),
      await obtainCode(server, client, { pages: [launchPlan] }),
    ]
    const responses = await Promise.all(
      [first, second].map((code) =>
        client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI }),
      ),
    )
    const [one, other] = responses.map((response) => readTokens(server, response))
    expect(one?.botId).toBe(other?.botId)
    for (const pair of [one, other])
      expect(pair && [await sees(pair, checklist), await sees(pair, launchPlan)]).toStrictEqual([true, true])
  })

  it('after removal of the connection has the same bot, without its earlier access', async () => {
    client = await makeClient(server, { name: 'Comes and goes' })
    const first = await authorize(server, client, { pages: [checklist] })
    await server.service.database.write((db) =>
      removeConnection(db, client.connectionId, exampleWorkspace.workspace.id, server.clock.now()),
    )
    expect((await first.caller.call('retrieveMe')).status).toBe(401)
    expect(
      (await client.call('createToken', { grant_type: 'refresh_token', refresh_token: first.refreshToken })).body['error'],
    ).toBe('invalid_grant')
    expect(JSON.stringify((await server.owner.call('listUsers')).body)).not.toContain('Comes and goes')
    const second = await authorize(server, client, { pages: [launchPlan] })
    expect(second.botId).toBe(first.botId)
    expect([await sees(second, checklist), await sees(second, launchPlan)]).toStrictEqual([false, true])
    expect((await first.caller.call('retrieveMe')).status).toBe(401)
  })

  it('in another workspace creates another bot, which sees nothing of the first workspace', async () => {
    client = await makeClient(server)
    const { database } = server.service
    const other = await database.write(async (db) => {
      const id = await createWorkspace(db, 'Annexe', server.clock.now())
      await createPerson(
        db,
        { workspaceId: id, email: exampleWorkspace.people[0].email, name: 'Ines V.', role: 'owner' },
        server.clock.now(),
      )
      return id
    })
    const first = await authorize(server, client, { pages: [checklist], workspaceId: exampleWorkspace.workspace.id })
    const template = await makePage(server.owner, 'Kit')
    const away = await makeClient(server, { templatePageId: template })
    const second = await authorize(server, away, { takesTemplate: true, workspaceId: other })
    expect(second.body['workspace_id']).toBe(other)
    expect(second.body['workspace_name']).toBe('Annexe')
    expect(second.botId).not.toBe(first.botId)
    expect(await sees(second, checklist)).toBe(false)
    const copy = String(second.body['duplicated_template_id'])
    expect([await sees(second, copy), await sees(first, copy)]).toStrictEqual([true, false])
    expect((await second.caller.call('retrieveMe')).body['bot']).toMatchObject({ workspace_id: other, workspace_name: 'Annexe' })
    await database.write((db) => setWorkspaceSuspended(db, other, true, server.clock.now()))
    expect((await second.caller.call('retrieveMe')).status).toBe(401)
    expect((await first.caller.call('retrieveMe')).status).toBe(200)
    expect(
      (await away.call('createToken', { grant_type: 'refresh_token', refresh_token: second.refreshToken })).body['error'],
    ).toBe('invalid_grant')
    await database.write((db) => setWorkspaceSuspended(db, other, false, server.clock.now()))
    expect((await second.caller.call('retrieveMe')).status).toBe(200)
    await database.write((db) => removePerson(db, other, exampleWorkspace.people[0].id, server.clock.now()))
  })
})

describe('different members of one workspace', () => {
  it('have separate bots with separate access', async () => {
    client = await makeClient(server)
    const ines = await authorize(server, client, { pages: [checklist] })
    const tomas = await authorize(server, client, { email: exampleWorkspace.people[1].email, pages: [launchPlan] })
    expect(tomas.botId).not.toBe(ines.botId)
    expect([await sees(ines, checklist), await sees(ines, launchPlan)]).toStrictEqual([true, false])
    expect([await sees(tomas, checklist), await sees(tomas, launchPlan)]).toStrictEqual([false, true])
    expect((await tomas.caller.call('retrieveMe')).body['bot']).toMatchObject({
      owner: { type: 'user', user: { id: exampleWorkspace.people[1].id } },
    })
  })

  it('lose their tokens when they leave, and regain them when they return', async () => {
    client = await makeClient(server)
    const { database } = server.service
    const aiko = await authorize(server, client, { email: exampleWorkspace.people[2].email, pages: [launchPlan] })
    await database.write((db) =>
      removePerson(db, exampleWorkspace.workspace.id, exampleWorkspace.people[2].id, server.clock.now()),
    )
    expect((await aiko.caller.call('retrieveMe')).status).toBe(401)
    await database.write((db) =>
      createPerson(
        db,
        { workspaceId: exampleWorkspace.workspace.id, email: exampleWorkspace.people[2].email, name: '', role: 'member' },
        server.clock.now(),
      ),
    )
    expect(await sees(aiko, launchPlan)).toBe(true)
  })
})

describe('sharing with a connection', () => {
  it('includes new children immediately, and takes effect at the next request', async () => {
    client = await makeClient(server)
    const pair = await authorize(server, client, { pages: [checklist] })
    const child = await makePage(server.owner, 'New below', checklist)
    expect(await sees(pair, child)).toBe(true)
    const { database } = server.service
    await database.write((db) => share(db, exampleWorkspace.workspace.id, { botId: pair.botId }, launchPlan, server.clock.now()))
    expect(await sees(pair, launchPlan)).toBe(true)
    expect(
      await database.write((db) => unshare(db, exampleWorkspace.workspace.id, { connectionId: client.connectionId }, checklist)),
    ).toBe(true)
    expect([await sees(pair, checklist), await sees(pair, child), await sees(pair, launchPlan)]).toStrictEqual([
      false,
      false,
      true,
    ])
    expect(
      await database.write((db) => unshare(db, exampleWorkspace.workspace.id, { connectionId: client.connectionId }, checklist)),
    ).toBe(false)
    await expect(
      database.write((db) =>
        share(db, exampleWorkspace.workspace.id, { botId: pair.botId }, '479dd02e-5974-4f6b-8eeb-4467a5c46004', 1),
      ),
    ).rejects.toThrow('Only pages')
  })

  it("applies to each of the connection's bots, as does its end", async () => {
    client = await makeClient(server)
    const ines = await authorize(server, client, { pages: [checklist] })
    const tomas = await authorize(server, client, { email: exampleWorkspace.people[1].email, pages: [checklist] })
    const { database } = server.service
    const [recipient, workspaceId] = [{ connectionId: client.connectionId }, exampleWorkspace.workspace.id]
    const seen = async (): Promise<boolean[]> => [await sees(ines, launchPlan), await sees(tomas, launchPlan)]
    await database.write((db) => share(db, workspaceId, recipient, launchPlan, server.clock.now()))
    expect(await seen()).toStrictEqual([true, true])
    expect(await database.write((db) => unshare(db, workspaceId, recipient, launchPlan))).toBe(true)
    expect(await seen()).toStrictEqual([false, false])
  })

  it('does not occur, and no bot exists, after an authorization is canceled', async () => {
    client = await makeClient(server, { name: 'Never allowed' })
    await decide(server, client, 'cancel', { pages: [handbook] })
    expect(JSON.stringify((await server.owner.call('listUsers')).body)).not.toContain('Never allowed')
  })
})
