import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import {
  createConnection,
  regenerateInstallationToken,
  setConnectionEnabled,
  updateConnection,
} from '../../server/domain/administration/connections.ts'
import { changeRole, removePerson, createPerson } from '../../server/domain/administration/people.ts'
import { createPersonalToken, revokeToken } from '../../server/domain/administration/tokens.ts'
import { setWorkspacePolicies, setWorkspaceSuspended } from '../../server/domain/administration/workspaces.ts'
import { share, unshare } from '../../server/domain/people/sharing.ts'
import { accessTables } from '../../server/store/access_tables.ts'
import type { Database, Transaction } from '../../server/store/database.ts'
import { tokenDigest } from '../../server/store/tokens.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { observed } from '../harness/observed.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { withinASecond } from '../harness/within_a_second.ts'

/**
 * A token that was valid a moment ago: whatever revokes it takes effect at the next request to the same process, and within a second in
 * others.
 */

const { id: workspaceId } = exampleWorkspace.workspace
const DAY_MS = 24 * 60 * 60_000
const database = await databaseOfFile('none')
const statements = new Set<string>()

function recording(database: Database): Database {
  return {
    ...database,
    readCached: (key, work) =>
      database.readCached(key, (db) =>
        work(
          observed(db, {
            all: async (shape, statement) => db.all(shape, statements.add(statement.sql) && statement),
            get: async (shape, statement) => db.get(shape, statements.add(statement.sql) && statement),
          }),
        ),
      ),
  }
}

let servers: readonly [TestServer, TestServer]
beforeAll(async () => {
  const start = (): Promise<TestServer> =>
    startTestServer({ DATABASE_URL: database.url }, undefined, undefined, { wrapDatabase: recording })
  servers = [await start(), await start()]
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const change = (by: TestServer, work: (db: Transaction, now: number) => Promise<unknown>): Promise<unknown> =>
  by.service.database.write((db) => work(db, by.clock.now()))

/**
 * Expects a status from both servers, twice, because the second response may come from a cache. The changing server responds correctly at
 * once, the other one within a second.
 */
async function expectStatus(
  by: TestServer,
  token: string,
  status: number,
  id: 'retrieveMe' | 'retrievePage' = 'retrieveMe',
): Promise<void> {
  const statusOf = async (server: TestServer): Promise<number> =>
    (await server.caller(token).call(id, { path: { page_id: exampleWorkspace.pages.handbook } })).status
  expect([await statusOf(by), await statusOf(by)]).toEqual([status, status])
  for (const server of servers) {
    expect(await withinASecond(() => statusOf(server), status)).toBe(status)
    expect(await statusOf(server)).toBe(status)
  }
}

describe.each([
  ['the process that serves the request', 0],
  ['another process', 1],
] as const)('a change by %s takes effect at the next request', (_who, index) => {
  it('with an installation token', async () => {
    const by = servers[index]
    const made = await by.service.database.write((db) =>
      createConnection(db, { workspaceId, kind: 'internal', name: 'Crane', capabilities: ['read_content'] }, by.clock.now()),
    )
    if (made.kind !== 'internal') throw new Error('not internal')
    const { connectionId, installationToken: token } = made
    await expectStatus(by, token, 200)
    await expectStatus(by, token, 404, 'retrievePage')
    await change(by, (db, now) => share(db, workspaceId, { connectionId }, workspaceId, now))
    await expectStatus(by, token, 200, 'retrievePage')
    await change(by, (db) => unshare(db, workspaceId, { connectionId }, workspaceId))
    await expectStatus(by, token, 404, 'retrievePage')
    await change(by, (db) => updateConnection(db, connectionId, { capabilities: [] }))
    await expectStatus(by, token, 403, 'retrievePage')
    await change(by, (db, now) => setConnectionEnabled(db, connectionId, false, now))
    await expectStatus(by, token, 401)
    await change(by, (db, now) => setConnectionEnabled(db, connectionId, true, now))
    await expectStatus(by, token, 200)
    await change(by, (db, now) => setWorkspaceSuspended(db, workspaceId, true, now))
    await expectStatus(by, token, 401)
    await change(by, (db, now) => setWorkspaceSuspended(db, workspaceId, false, now))
    await expectStatus(by, token, 200)
    await change(by, (db, now) => regenerateInstallationToken(db, connectionId, now))
    await expectStatus(by, token, 401)
  })

  it('with an access token whose first use has started and is not yet recorded', async () => {
    const client = await makeClient(servers[0])
    const { accessToken, caller } = await authorize(servers[0], client)
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const revoking = change(servers[index], async (db, now) => {
      await db.run('update tokens set revoked_time = ? where digest = ?', now, tokenDigest(accessToken))
      // Waits for a result, which proves that the change has been executed and not only sent.
      await db.get({ revoked_time: 'integer' }, 'select revoked_time from tokens where digest = ?', tokenDigest(accessToken))
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    // The request reads the old token, but cannot record its use until the other change is committed.
    const using = caller.call('retrieveMe')
    for (let count = 0; count < 5; count += 1) expect((await servers[0].owner.call('retrieveMe')).status).toBe(200)
    gate.resolve()
    await revoking
    expect((await using).status).toBe(401)
  })

  it('with a personal token, which also expires without any change', async () => {
    const by = servers[index]
    const email = `kit${index}@northshore.example`
    const personId = await by.service.database.write((db) =>
      createPerson(db, { workspaceId, email, name: 'Kit', role: 'member' }, by.clock.now()),
    )
    const make = (): Promise<{ token: string; id: string }> =>
      by.service.database.write((db) => createPersonalToken(db, { workspaceId, personId, days: 7 }, by.clock.now()))
    const [first, second] = [await make(), await make()]
    await expectStatus(by, first.token, 200)
    await change(by, (db, now) => revokeToken(db, first.id, now))
    await expectStatus(by, first.token, 401)
    await expectStatus(by, second.token, 200)
    await change(by, (db) => setWorkspacePolicies(db, workspaceId, { token_holders: 'owners' }))
    await expectStatus(by, second.token, 401)
    await change(by, (db) => setWorkspacePolicies(db, workspaceId, { token_holders: 'groups' }))
    await expectStatus(by, second.token, 401)
    await change(by, (db) => setWorkspacePolicies(db, workspaceId, { token_holders: 'members' }))
    await expectStatus(by, second.token, 200)
    await change(by, (db) => changeRole(db, workspaceId, personId, 'guest'))
    await expectStatus(by, second.token, 401)
    await change(by, (db) => changeRole(db, workspaceId, personId, 'member'))
    await expectStatus(by, second.token, 200)
    for (const { clock } of servers) clock.advance(7 * DAY_MS)
    await expectStatus(by, second.token, 401)
    const third = await make()
    await expectStatus(by, third.token, 200)
    await change(by, (db, now) => removePerson(db, workspaceId, personId, now))
    await expectStatus(by, third.token, 401)
  })
})

// If you are here because a table is missing: name it in `accessTables`, otherwise caches miss its changes.
it('cached reads use only tables whose changes invalidate the cache', () => {
  const tables = [...statements].flatMap((sql) => [...sql.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, table]) => table))
  expect(new Set(tables)).toEqual(accessTables)
})
