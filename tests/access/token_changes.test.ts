import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import {
  createConnection,
  regenerateInstallationToken,
  setConnectionEnabled,
  updateConnection,
} from '../../server/domain/administration/connections.ts'
import { changeRole, removePerson, createPerson } from '../../server/domain/administration/people.ts'
import { createPersonalToken, revokeToken } from '../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies, setWorkspaceSuspended } from '../../server/domain/administration/workspaces.ts'
import { share, unshare } from '../../server/domain/sharing.ts'
import type { Transaction } from '../../server/store/database.ts'
import { tokenDigest } from '../../server/store/tokens.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** A token that was good a moment ago: whatever ends it, in whichever process, ends it at the next request. */

const { id: workspaceId } = story.workspace
const DAY_MS = 24 * 60 * 60_000
const database = await databaseOfFile('none')
let servers: readonly [TestServer, TestServer]
beforeAll(async () => {
  const start = (): Promise<TestServer> => startTestServer({ DATABASE_URL: database.url })
  servers = [await start(), await start()]
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const change = (by: TestServer, work: (db: Transaction, now: number) => Promise<unknown>): Promise<unknown> =>
  by.service.database.write((db) => work(db, by.clock.now()))

/** What both servers answer, twice, because the second answer may come from what the first has found. */
async function answers(token: string, id: 'retrieveMe' | 'retrievePage' = 'retrieveMe'): Promise<number> {
  const found = new Set<number>()
  for (const server of [...servers, ...servers])
    found.add((await server.caller(token).call(id, { path: { page_id: story.pages.handbook } })).status)
  expect([...found]).toHaveLength(1)
  return [...found][0] ?? 0
}

describe.each([
  ['the process that serves the request', 0],
  ['another process', 1],
] as const)('a change by %s takes effect at the next request', (_who, index) => {
  it('an installation token', async () => {
    const by = servers[index]
    const made = await by.service.database.write((db) =>
      createConnection(db, { workspaceId, kind: 'internal', name: 'Crane', capabilities: ['read_content'] }, by.clock.now()),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    const { connectionId, installationToken: token } = made
    expect([await answers(token), await answers(token, 'retrievePage')]).toEqual([200, 404])
    await change(by, (db, now) => share(db, workspaceId, { connectionId }, workspaceId, now))
    expect(await answers(token, 'retrievePage')).toBe(200)
    await change(by, (db) => unshare(db, workspaceId, { connectionId }, workspaceId))
    expect(await answers(token, 'retrievePage')).toBe(404)
    await change(by, (db) => updateConnection(db, connectionId, { capabilities: [] }))
    expect(await answers(token, 'retrievePage')).toBe(403)
    await change(by, (db, now) => setConnectionEnabled(db, connectionId, false, now))
    expect(await answers(token)).toBe(401)
    await change(by, (db, now) => setConnectionEnabled(db, connectionId, true, now))
    expect(await answers(token)).toBe(200)
    await change(by, (db, now) => setWorkspaceSuspended(db, workspaceId, true, now))
    expect(await answers(token)).toBe(401)
    await change(by, (db, now) => setWorkspaceSuspended(db, workspaceId, false, now))
    expect(await answers(token)).toBe(200)
    await change(by, (db, now) => regenerateInstallationToken(db, connectionId, now))
    expect(await answers(token)).toBe(401)
  })

  it('an access token whose first use has started and is not yet recorded', async () => {
    const client = await makeClient(servers[0])
    const { accessToken, caller } = await authorize(servers[0], client)
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const revoking = change(servers[index], async (db, now) => {
      await db.run('update tokens set revoked_time = ? where digest = ?', now, tokenDigest(accessToken))
      // The change may only have been sent: a result proves that it has been made.
      await db.get({ revoked_time: 'integer' }, 'select revoked_time from tokens where digest = ?', tokenDigest(accessToken))
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    // It finds the token as it was, and waits with the note of its use until the other change is made.
    const using = caller.call('retrieveMe')
    for (let count = 0; count < 5; count += 1) expect((await servers[0].owner.call('retrieveMe')).status).toBe(200)
    gate.resolve()
    await revoking
    expect((await using).status).toBe(401)
  })

  it('a personal token, which also expires by time alone', async () => {
    const by = servers[index]
    const email = `kit${index}@northshore.example`
    const personId = await by.service.database.write((db) =>
      createPerson(db, { workspaceId, email, name: 'Kit', role: 'member' }, by.clock.now()),
    )
    const make = (): Promise<{ token: string; id: string }> =>
      by.service.database.write((db) => createPersonalToken(db, { workspaceId, personId, days: 7 }, by.clock.now()))
    const [first, second] = [await make(), await make()]
    expect(await answers(first.token)).toBe(200)
    await change(by, (db, now) => revokeToken(db, first.id, now))
    expect([await answers(first.token), await answers(second.token)]).toEqual([401, 200])
    await change(by, (db) => setWorkspacePolicies(db, workspaceId, { token_holders: 'owners' }))
    expect(await answers(second.token)).toBe(401)
    await change(by, (db) => setWorkspacePolicies(db, workspaceId, { token_holders: 'members' }))
    expect(await answers(second.token)).toBe(200)
    await change(by, (db) => changeRole(db, workspaceId, personId, 'guest'))
    expect(await answers(second.token)).toBe(401)
    await change(by, (db) => changeRole(db, workspaceId, personId, 'member'))
    expect(await answers(second.token)).toBe(200)
    for (const { clock } of servers) clock.advance(7 * DAY_MS)
    expect(await answers(second.token)).toBe(401)
    const third = await make()
    expect(await answers(third.token)).toBe(200)
    await change(by, (db, now) => removePerson(db, workspaceId, personId, now))
    expect(await answers(third.token)).toBe(401)
  })
})
