import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { REFUSED_REQUESTS_MAX, RefusalLog, type FailedRequest } from '../../server/domain/shared/refused_requests.ts'
import { findRefusedRequest, listRefusedRequests } from '../../server/store/refused_requests.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { resultsOf, type JsonObject } from '../harness/json.ts'
import { basic, makeClient } from '../harness/oauth.ts'
import { runService, until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { inLongRuns, withoutSql } from '../harness/long_runs.ts'

const SECRET = 'hunter2Zq9xVb'

const database = await databaseOfFile()
let server: TestServer
let cli: InProcessCommandLine
beforeAll(async () => {
  server = await startTestServer({ DATABASE_URL: database.url, REFUSED_BODIES: 'true' })
  cli = new InProcessCommandLine(database.url)
})
afterAll(() => server.stop())

/** The stored record of a refused request, once it exists. */
async function shown(requestId: unknown): Promise<JsonObject> {
  await expect.poll(async () => (await cli.run(['request', 'show', String(requestId)])).code, { timeout: 20_000 }).toBe(0)
  return cli.json('request', 'show', String(requestId))
}

describe('a stored refusal', () => {
  it('names the connection, its workspace, the location and the reason', async () => {
    const { caller, connectionId } = await makeConnection(server, { capabilities: ['insert_content'], name: 'Crate Counter' })
    const { status, body } = await caller.call('createPage', { body: { parent: { page_id: 'x' } } })
    expect(status).toBe(400)
    expect(await shown(body['request_id'])).toMatchObject({
      ...{ request_id: body['request_id'], status: 400, code: 'validation_error', operation: 'createPage' },
      ...{ method: 'POST', path: '/v1/pages', places: ['body.parent.page_id'], message: body['message'] },
      workspace: { id: exampleWorkspace.workspace.id, name: exampleWorkspace.workspace.name },
      connection: { id: connectionId, name: 'Crate Counter' },
      member: null,
      body: { parent: { page_id: 'x' } },
    })
    const { output } = await cli.run(['request', 'show', String(body['request_id'])])
    expect(output).toMatch(/^Connection: +Crate Counter \(/m)
    expect(output).toMatch(/^Locations: +body\.parent\.page_id$/m)
  })

  it('names the member of its token', async () => {
    const member = await makeMember(server, exampleWorkspace.people[1].id)
    const { body } = await member.call('retrievePage', { path: { page_id: randomUUID() } })
    expect(await shown(body['request_id'])).toMatchObject({
      ...{ status: 404, code: 'object_not_found', connection: null, body: null },
      member: { id: exampleWorkspace.people[1].id, name: exampleWorkspace.people[1].name },
    })
  })

  it("names the connection of an OAuth client, without the client's secrets", async () => {
    const client = await makeClient(server)
    const response = await fetch(`${server.url}/v1/oauth/token`, {
      method: 'POST',
      headers: { Authorization: basic(client.clientId, client.clientSecret), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: SECRET,
        code_verifier: SECRET,
        a: { password: SECRET },
      }),
    })
    const { request_id: id } = (await response.json()) as JsonObject
    const found = await shown(id)
    expect(found).toMatchObject({
      operation: 'createToken',
      connection: { id: client.connectionId },
      body: { code: '[redacted]' },
    })
    expect(found).toMatchObject({ places: ['body.code_verifier'] })
    expect(JSON.stringify(found)).not.toContain(SECRET)
  })

  it('has no caller when the token is invalid, and no secret from the query', async () => {
    const { body } = await server.caller('itk_wrong_wrong_wrong_wrong').call('retrieveMe', {})
    expect(await shown(body['request_id'])).toMatchObject({ status: 401, workspace: null, connection: null, member: null })
    const wrong = await server.owner.page(`/v1/users?token=${SECRET}`)
    const found = await shown((JSON.parse(wrong.text) as JsonObject)['request_id'])
    expect(found).toMatchObject({ status: 400, places: ['query.token'] })
    expect(JSON.stringify(found)).not.toContain(SECRET)
  })

  it('is listed with all others, latest first, filtered by status, operation and workspace', async () => {
    const list = async (...words: string[]): Promise<JsonObject[]> => resultsOf(await cli.json('request', 'list', ...words))
    const all = await list()
    expect(all.length).toBeGreaterThan(3)
    const times = all.map(({ time }) => String(time))
    expect(times).toEqual(times.toSorted().toReversed())
    expect((await list('--status', '401')).map(({ status }) => status)).toEqual([401])
    expect((await list('--operation', 'createPage')).map(({ operation }) => operation)).toEqual(['createPage'])
    expect((await list('--workspace', exampleWorkspace.workspace.id)).every(({ workspace }) => workspace !== null)).toBe(true)
    expect(await list('--limit', '1')).toHaveLength(1)
    const { output } = await cli.run(['request', 'list', '--operation', 'createPage'])
    expect(output).toMatch(
      /^TIME +REQUEST +STATUS +OPERATION +CALLER +PLACE +REASON\n.*createPage +Crate Counter +body\.parent\.page_id/,
    )
  })

  it('that does not exist is reported with possible causes', async () => {
    expect(await cli.refusal(['request', 'show', randomUUID()], 1)).toContain('The service keeps the latest 1000')
  })
})

const refusal = (index: number): FailedRequest => ({
  ...{ requestId: randomUUID(), method: 'GET', path: `/v1/${index}`, operation: 'unknown', caller: undefined },
  ...{ status: 404, code: 'object_not_found', message: 'gone', places: [], body: { large: 'x'.repeat(100) } },
})

describe('a flood of refused requests', () => {
  /** For each of two callers: together more than are kept, and each more than half of them. */
  const FLOOD = 0.7 * REFUSED_REQUESTS_MAX
  const AT_ONCE = 25

  async function flood(refuse: () => Promise<number>, status: number): Promise<void> {
    for (let sent = 0; sent < FLOOD; sent += AT_ONCE)
      expect(await Promise.all(Array.from({ length: AT_ONCE }, refuse))).toStrictEqual(Array(AT_ONCE).fill(status))
  }

  withoutSql(it)("does not displace another caller's refusal, whether or not the flooding caller is authenticated", async () => {
    const quiet = await makeConnection(server, { capabilities: ['insert_content'], name: 'Quiet' })
    const { body } = await quiet.caller.call('createPage', { body: { parent: { page_id: 'x' } } })
    const first = await shown(body['request_id'])
    const loud = await makeConnection(server, { capabilities: ['insert_content'], name: 'Loud' })
    const wrong = server.caller('itk_wrong_wrong_wrong_wrong')
    await flood(async () => (await loud.caller.call('createPage', { body: {} })).status, 400)
    await flood(async () => (await wrong.call('retrieveMe', {})).status, 401)
    const { body: last } = await loud.caller.call('createPage', { body: { parent: { page_id: 'y' } } })
    await shown(last['request_id'])
    expect(await shown(body['request_id'])).toStrictEqual(first)
    const all = resultsOf(await cli.json('request', 'list', '--limit', String(REFUSED_REQUESTS_MAX)))
    expect(all).toHaveLength(REFUSED_REQUESTS_MAX)
    const ofLoud = all.filter(({ connection }) => (connection as JsonObject | null)?.['name'] === 'Loud')
    const ofNobody = all.filter(({ workspace }) => workspace === null)
    expect(Math.abs(ofLoud.length - ofNobody.length), 'callers with many have equal shares').toBeLessThanOrEqual(1)
  })
})

describe('the store of refused requests', () => {
  it('keeps the newest thousand of many refusals, and stores each batch in one write', async () => {
    const { database: store } = server.service
    let writes = 0
    const log = new RefusalLog({ keepsBodies: false })
    log.begin({
      ...store,
      write: (work, workspaceId) => {
        writes += 1
        return store.write(work, workspaceId)
      },
    })
    for (let index = 0; index < 7_500; index += 1) log.add(refusal(index))
    await log.store()
    for (let index = 7_500; index < 7_510; index += 1) log.add(refusal(index))
    await log.stop()
    expect(writes).toBe(2)
    const rows = await store.read((db) => listRefusedRequests(db, 2 * REFUSED_REQUESTS_MAX))
    expect(rows).toHaveLength(REFUSED_REQUESTS_MAX)
    const ofFlood = rows.filter(({ path }) => /^\/v1\/\d+$/.test(path))
    expect(ofFlood.length).toBeGreaterThan(300)
    expect(ofFlood.map(({ path }) => path)).toEqual(ofFlood.map((_, index) => `/v1/${7_509 - index}`))
    expect(ofFlood.every(({ body }) => body === null)).toBe(true)
  })

  it('keeps a refusal, with its body, even if a flood follows before it is stored', async () => {
    const { database: store } = server.service
    const log = new RefusalLog({ keepsBodies: true })
    log.begin(store)
    const flood = (caller: FailedRequest['caller']): void => {
      for (let index = 0; index < 2_500; index += 1) log.add({ ...refusal(index), caller })
    }
    flood(undefined)
    const quiet = { ...refusal(1), caller: { connectionId: randomUUID() } }
    log.add(quiet)
    flood({ personId: randomUUID() })
    await log.stop()
    const found = await store.read((db) => findRefusedRequest(db, quiet.requestId))
    expect(found).toMatchObject({ connection_id: quiet.caller.connectionId, body: expect.stringContaining('large') })
  })

  it('keeps the refusals of a connection and of a member when a flood names the same connection', async () => {
    const { database: store } = server.service
    const [connectionId, personId] = [randomUUID(), randomUUID()]
    const own = [
      { ...refusal(1), caller: { connectionId } },
      { ...refusal(2), operation: 'createAuthorization', caller: { connectionId, personId } },
    ]
    // One flood is cut before it is stored, the other while it is stored.
    for (const count of [2_500, 900]) {
      const log = new RefusalLog({ keepsBodies: false })
      log.begin(store)
      if (count > REFUSED_REQUESTS_MAX) for (const one of own) log.add(one)
      for (let index = 0; index < count; index += 1)
        log.add({ ...refusal(index), operation: 'createAuthorization', caller: { connectionId } })
      await log.stop()
    }
    const found = await store.read(async (db) => Promise.all(own.map(({ requestId }) => findRefusedRequest(db, requestId))))
    expect(found).toMatchObject([{ connection_id: connectionId, member_id: null }, { member_id: personId }])
  })

  it('keeps only the beginning of large fields in a flood, and at most twenty bodies of a caller at a time', async () => {
    const { database: store } = server.service
    const log = new RefusalLog({ keepsBodies: true })
    log.begin(store)
    const large: FailedRequest = {
      ...{ ...refusal(0), path: 'p'.repeat(10_000), message: 'm'.repeat(10_000) },
      ...{ places: Array.from({ length: 100 }, () => `body.${'x'.repeat(10_000)}`), body: { text: 'x'.repeat(16_000) } },
    }
    const grows = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`token[${index}]`, '12345']))
    log.add({ ...large, requestId: randomUUID(), body: grows })
    const count = 100
    for (let index = 1; index < count; index += 1) log.add({ ...large, requestId: randomUUID() })
    await log.stop()
    const rows = await store.read((db) => listRefusedRequests(db, count))
    expect(rows.filter(({ body }) => body !== null)).toHaveLength(19)
    for (const { body, ...row } of rows) {
      expect(JSON.stringify(row).length).toBeLessThan(5_000)
      expect(body?.length ?? 0).toBeLessThan(16_384)
    }
  })

  it('is not written by successful requests', async () => {
    const before = await server.service.database.read((db) => listRefusedRequests(db, 1))
    for (let times = 0; times < 20; times += 1) expect((await server.owner.call('retrieveMe', {})).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await server.service.database.read((db) => listRefusedRequests(db, 1))).toEqual(before)
  })

  it('keeps refusals while the database is unavailable, and stores them afterwards', async () => {
    const { database: store } = server.service
    let isAway = true
    const log = new RefusalLog({ keepsBodies: false })
    log.begin({
      ...store,
      write: (work, workspaceId) => (isAway ? Promise.reject(new Error('away')) : store.write(work, workspaceId)),
    })
    const late = refusal(1)
    log.add(late)
    await log.store()
    isAway = false
    await log.stop()
    expect((await store.read((db) => listRefusedRequests(db, 1)))[0]?.request_id).toBe(late.requestId)
  })
})

describe('several workers with refused requests', () => {
  inLongRuns(it)('share one list, and store no bodies by default', async () => {
    const service = await runService({ DATABASE_URL: database.url, WORKERS: '2' })
    const ids: unknown[] = []
    for (let index = 0; index < 20; index += 1)
      ids.push((await service.owner.call('createPage', { body: { parent: { page_id: 'x' } } })).body['request_id'])
    service.kill('SIGTERM')
    await service.ended
    const listed = resultsOf(await cli.json('request', 'list', '--limit', '1000')).map(({ request_id: id }) => id)
    for (const id of ids) expect(listed).toContain(id)
    expect(await cli.json('request', 'show', String(ids[0]))).toMatchObject({ body: null, code: 'validation_error' })
  })

  it('name the caller of each failed request in the log', async () => {
    const service = await runService({ DATABASE_URL: database.url })
    const { body } = await service.owner.call('retrievePage', { path: { page_id: randomUUID() } })
    const line = await until(() => service.log().find((one) => one['request_id'] === body['request_id']))
    expect(line).toMatchObject({
      workspace_id: exampleWorkspace.workspace.id,
      connection_id: expect.any(String),
      code: 'object_not_found',
    })
    const { body: unknown } = await service.owner.call('retrieveMe', {
      headers: { Authorization: 'Bearer itk_wrong_wrong_wrong' },
    })
    const stranger = await until(() => service.log().find((one) => one['request_id'] === unknown['request_id']))
    expect(stranger).not.toHaveProperty('workspace_id')
  })
})
