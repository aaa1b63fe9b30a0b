import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import type { TestResponse } from '../harness/responses.ts'
import { children, makePage, paragraph } from '../harness/content.ts'
import { engine, makeDatabase, on, type TestDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { Wire } from '../harness/wire.ts'
import { holdWrites, type Lock } from '../process/support/lock.ts'

/** However a request with a key ended, the next one with that key is executed immediately: the clocks of these servers are stopped. */

let server: TestServer
let shared: TestDatabase
let page: string
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(settings: Readonly<Record<string, string>> = {}, url?: string): Promise<void> {
  shared = await makeDatabase()
  ends.push(() => shared.drop())
  server = await startTestServer({ DATABASE_URL: url ?? shared.url, ...settings })
  ends.push(() => server.stop())
  page = await makePage(server.owner)
}

const append = (key: string, text = 'once', from = server): Promise<TestResponse> =>
  from.owner.call('appendBlockChildren', {
    path: { block_id: page },
    body: { children: [paragraph(text)] },
    headers: { 'Idempotency-Key': key },
  })

/** Expects that the key is free, for the same request and for another, and has had no effect so far. */
async function expectFree(key: string, from = server): Promise<void> {
  expect((await children(from.owner, page)).length).toBe(0)
  const response = await append(key, 'once', from)
  expect([response.status, response.body['code'], response.headers['idempotency-replayed']]).toEqual([200, undefined, undefined])
  expect((await append(key, 'once', from)).headers['idempotency-replayed']).toBe('true')
  expect((await children(from.owner, page)).length).toBe(1)
}

async function holding(): Promise<Lock> {
  const lock = await holdWrites(shared.url)
  ends.push(() => lock.release().catch(() => undefined))
  return lock
}

/**
 * Makes a statement fail wherever it is used.
 * @param code PostgreSQL's error code; the other engine has a single one
 */
async function breakStatement(table: string, verb: 'insert' | 'delete', code: string): Promise<() => Promise<unknown>> {
  const name = `break_${table}`
  const made =
    engine === 'sqlite'
      ? [`create trigger ${name} before ${verb} on ${table} begin select raise(abort, 'broken'); end`]
      : [
          `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'broken' using errcode = '${code}'; end $$`,
          `create trigger ${name} before ${verb} on ${table} for each row execute function ${name}()`,
        ]
  const { database } = server.service
  await database.write(async (db) => {
    for (const sql of made) await db.run(sql)
  })
  return () => database.write((db) => db.run(`drop trigger ${name}${engine === 'sqlite' ? '' : ` on ${table}`}`))
}

/** Errors of the engine, and the responses. The embedded engine has no such errors. */
const FAILURES: readonly [says: string, code: string, status: number][] =
  engine === 'sqlite'
    ? [['a fault', '', 500]]
    : [
        ['a fault', 'P0001', 500],
        ['that it is unavailable', '57P01', 503],
        ['that its disk is full', '53100', 503],
        ['that a lock was not available', '55P03', 529],
        ['a serialization failure', '23505', 409],
      ]

describe('the key of a failed request is free', () => {
  it.each(FAILURES)('when the database reports %s (%s): %i', async (_says, code, status) => {
    await start()
    const restore = await breakStatement('blocks', 'insert', code)
    const key = randomUUID()
    expect((await append(key)).status).toBe(status)
    await restore()
    await expectFree(key)
  })

  it('when the database is unavailable, so that the key could not be released', async () => {
    await start()
    const [restore, restoreKeys] = [
      await breakStatement('blocks', 'insert', '57P01'),
      await breakStatement('idempotency_keys', 'delete', '57P01'),
    ]
    const [key, other] = [randomUUID(), randomUUID()]
    const { status } = await append(key)
    expect((await append(other)).status).toBe(status)
    await restore()
    await restoreKeys()
    await expectFree(key)
    expect((await append(other, 'something else')).status).toBe(200)
  })

  it('even on another server of the database, once the database is available', async () => {
    await start()
    const [restore, restoreKeys] = [
      await breakStatement('blocks', 'insert', '57P01'),
      await breakStatement('idempotency_keys', 'delete', '57P01'),
    ]
    const second = await startTestServer({ DATABASE_URL: shared.url })
    ends.push(() => second.stop())
    const key = randomUUID()
    await append(key)
    await restore()
    await restoreKeys()
    await until(async () =>
      (await server.service.database.read((db) => db.get({}, 'select 1 from idempotency_keys where key = ?', key)))
        ? undefined
        : true,
    )
    await expectFree(key, second)
  })

  it('after 503 at the time limit, without 409 while the cause lasts', async () => {
    await start({ REQUEST_SECONDS_MAX: '1' })
    const lock = await holding()
    const key = randomUUID()
    expectError(await append(key), 503, 'service_unavailable', 'Nothing was changed')
    expectError(await append(key), 503, 'service_unavailable', 'Nothing was changed')
    await lock.release()
    await expectFree(key)
  })

  it('when the service was overloaded', async () => {
    await start({ REQUESTS_IN_FLIGHT_MAX: '1' })
    const lock = await holding()
    const key = randomUUID()
    const busy = makePage(server.owner)
    await until(async () => ((await server.owner.call('retrieveMe')).status === 529 ? true : undefined))
    expectError(await append(key), 529, 'service_overload')
    await lock.release()
    await busy
    await expectFree(key)
  })

  it('when the caller disconnected within the body', async () => {
    await start()
    const key = randomUUID()
    const request = httpRequest(`${server.url}/v1/blocks/${page}/children`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Service-Version': newestRelease,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
    })
    request.on('error', () => undefined)
    request.write('{"children": [')
    const figures = (): Promise<string> => fetch(`${server.url}/metrics`).then((response) => response.text())
    await until(async () => ((await figures()).includes('workspace_unfinished_bodies 1') ? true : undefined))
    request.destroy()
    await until(async () => ((await figures()).includes('workspace_unfinished_bodies 0') ? true : undefined))
    await expectFree(key)
  })
})

on('postgresql', describe)('connection failures of the database', () => {
  it('503 when the connection breaks while the key is being claimed; the key stays free', async () => {
    shared = await makeDatabase()
    ends.push(() => shared.drop())
    const wire = new Wire(shared.url)
    server = await startTestServer({ DATABASE_URL: await wire.restore() })
    ends.push(async () => {
      await server.stop()
      wire.cut()
    })
    const [key, response] = await until(async () => {
      page = await makePage(server.owner)
      const content = randomUUID()
      wire.dropAt = 'commit'
      const response = await append(content)
      // The failure may have met a background commit.
      return response.status === 200 ? undefined : ([content, response] as const)
    })
    expectError(response, 503, 'service_unavailable', 'Nothing was changed')
    await expectFree(key)
  })

  it('the key of a request that a stopping server aborts is free on the next server', async () => {
    await start({ STOP_SECONDS_MAX: '1' })
    const lock = await holding()
    const key = randomUUID()
    const cut = append(key).catch(() => 'cut off')
    await until(() => server.service.database.read((db) => db.get({}, 'select 1 from idempotency_keys where key = ?', key)))
    const next = await startTestServer({ DATABASE_URL: shared.url })
    ends.push(() => next.stop())
    const stopped = server.stop()
    expect(await cut).toBe('cut off')
    await until(async () =>
      (await next.service.database.read((db) => db.get({}, 'select 1 from idempotency_keys where key = ?', key)))
        ? undefined
        : true,
    )
    await lock.release()
    await stopped
    await expectFree(key, next)
  })
})

it('a repeat of a request whose caller disconnected gets 200, without a second execution', async () => {
  await start()
  const lock = await holding()
  const key = randomUUID()
  const { hostname, port } = new URL(server.url)
  const request = httpRequest({
    hostname,
    port,
    method: 'PATCH',
    path: `/v1/blocks/${page}/children`,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Service-Version': newestRelease,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
  })
  request.on('error', () => undefined)
  request.end(JSON.stringify({ children: [paragraph('once')] }))
  const figures = (): Promise<string> => fetch(`${server.url}/metrics`).then((response) => response.text())
  await until(async () => ((await figures()).includes('workspace_requests_in_flight 1') ? true : undefined))
  request.destroy()
  await lock.release()
  const repeat = await until(async () => {
    const response = await append(key)
    return response.status === 200 ? response : undefined
  })
  expect(repeat.status).toBe(200)
  expect((await children(server.owner, page)).length).toBe(1)
})
