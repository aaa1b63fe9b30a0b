import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { revokeTokens } from '../../server/store/tokens.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, children, makePage, paragraph } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { startPgBouncer } from '../harness/start_pg_bouncer.ts'
import { administer } from '../harness/postgres.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { withinASecond } from '../harness/within_a_second.ts'

/** The service behind a pooler that gives each transaction any of a few sessions. */

const SESSIONS = 8
const database = await databaseOfFile('none')
const pooler = await startPgBouncer(database.url, SESSIONS)
afterAll(() => pooler.stop())
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ DATABASE_URL: pooler.url, REQUESTS_IN_FLIGHT_MAX: '500' })
})
afterAll(() => server.stop())

const administered = (statement: string): Promise<object[]> =>
  administer(database.url, async (admin) => (await admin.query<object>(statement)).rows)

/** Ends the sessions of the pooler, so that it opens others. */
const endSessions = (): Promise<object[]> =>
  administered(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'workspace-service' and pid <> pg_backend_pid()`,
  )

const readiness = async (): Promise<unknown> => (await fetch(`${server.url}/readyz`)).json()

describe('behind a pooler in transaction mode', () => {
  it('400 simultaneous requests get 200, and each of their writes is kept', async () => {
    const page = await makePage(server.owner)
    const responses = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        index % 4 === 0
          ? server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [paragraph(`${index}`)] } })
          : server.owner.call('listBlockChildren', {
              path: { block_id: index % 4 === 1 ? page : exampleWorkspace.pages.checklist },
            }),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await children(server.owner, page)).toHaveLength(100)
  })

  it('the service leaves no state in the sessions that it shares with others', async () => {
    const held = await administered(`select 1 from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`)
    expect(held).toEqual([])
    const prepared = await administer(pooler.url, (admin) => admin.query('select 1 from pg_prepared_statements'))
    expect(prepared.rows).toEqual([])
    const channels = await administer(pooler.url, (admin) => admin.query('select pg_listening_channels()'))
    expect(channels.rows).toEqual([])
  })

  it('a token gets 401 within a second after another process revokes it', async () => {
    const { token, botId } = await makeConnection(server, { capabilities: ['read_content'] })
    const caller = server.caller(token)
    expect((await caller.call('retrieveMe')).status).toBe(200)
    const other = openDatabase(parseConfig({ DATABASE_URL: pooler.url }).database)
    await other.write((db) => revokeTokens(db, exampleWorkspace.workspace.id, botId, server.clock.now()))
    expect(await withinASecond(async () => (await caller.call('retrieveMe')).status, 401)).toBe(401)
    await other.close()
  })

  it("notifications arrive through the server's own address, if configured", async () => {
    const address = parseConfig({ DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: database.url }).database
    const store = openDatabase(address)
    expect(await server.service.database.presence?.own()).toBeUndefined()
    expect(await store.presence?.own()).toBeTypeOf('number')
    await store.close()
  })

  it('the service is ready while every session has the settings, and reports when new sessions lack some', async () => {
    await expect.poll(readiness, { timeout: 150_000 }).toMatchObject({ status: 'ready' })
    const cli = new InProcessCommandLine(pooler.url)
    expect((await cli.run(['doctor'])).output).toMatch(/^ok +sessions /m)
    const name = new URL(database.url).pathname.slice(1)
    await administered(`alter role postgres in database ${name} reset enable_seqscan`)
    await endSessions()
    await expect
      .poll(readiness)
      .toEqual({ status: 'not ready', reason: 'sessions of the database lack settings: enable_seqscan' })
    expect((await cli.run(['doctor'])).output).toMatch(
      /^PROBLEM +sessions +sessions of the database lack settings: enable_seqscan/m,
    )
    await cli.json('migrate')
    await endSessions()
    await expect.poll(readiness, { timeout: 150_000 }).toMatchObject({ status: 'ready' })
    await append(server.owner, await makePage(server.owner), [paragraph('again')])
  })
})
