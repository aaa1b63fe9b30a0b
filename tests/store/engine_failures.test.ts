import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import type { Database } from '../../server/store/database.ts'
import { storeLimits, type StoreLimits } from '../../server/store/limits.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { sql } from '../../server/store/sql.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { makeDatabase, on } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { administer } from '../harness/postgres.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { Wire } from '../harness/wire.ts'
import { inLongRuns } from '../harness/long_runs.ts'

/** The errors that callers get when the engine fails, and the recovery afterwards. */

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function open(limits: Partial<StoreLimits>): Promise<Database> {
  const database = await makeDatabase()
  ends.push(() => database.drop())
  const address = parseConfig({ DATABASE_URL: database.url }).database
  const ordinary = openDatabase(address)
  await migrate(ordinary).finally(() => ordinary.close())
  const store = openDatabase(address, { ...storeLimits, ...limits })
  ends.push(() => store.close())
  return store
}

describe('requests with U+0000', () => {
  it('400 in a value to look up, and 200 in content, which is kept unchanged', async () => {
    const server = await startTestServer()
    ends.push(() => server.stop())
    expectError(await server.owner.call('listCustomEmojis', { query: { name: 'rope\0coil' } }), 400, 'validation_error', 'U+0000')
    const page = await makePage(server.owner)
    const [block] = await append(server.owner, page, [paragraph('a\0b')])
    expect(block).toMatchObject({ paragraph: { rich_text: [{ plain_text: 'a\0b' }] } })
  })
})

describe('queued writers', () => {
  it('service_overload for a writer that waits too long, without effect on others', async () => {
    const store = await open({ lockWaitMs: 200, queueWaitMs: 200 })
    const held = Promise.withResolvers<void>()
    const first = store.write(async () => held.promise, exampleWorkspace.workspace.id)
    const second = store.write(async () => 'never', exampleWorkspace.workspace.id)
    await expect(second).rejects.toMatchObject({ code: 'service_overload', status: 529, headers: { 'Retry-After': '5' } })
    expect(await store.read((db) => db.get({}, 'select 1 as one'))).toMatchObject({ one: 1 })
    held.resolve()
    await first
    expect(await store.write(async () => 'done', exampleWorkspace.workspace.id)).toBe('done')
  })

  on('postgresql', it)('service_overload for a writer that another process blocks', async () => {
    const store = await open({ lockWaitMs: 1_000 })
    await store.write((db) => db.run('insert into workspaces (id, created_time) values (?, 1)', exampleWorkspace.workspace.id))
    const held = Promise.withResolvers<void>()
    // Without a workspace it does not enter this process's write queue, as if it were another process.
    const other = store.write(async (db) => {
      await db.run('update workspaces set name = ? where id = ?', 'held', exampleWorkspace.workspace.id)
      await held.promise
    })
    await expect(until(() => store.write(async () => undefined, exampleWorkspace.workspace.id))).rejects.toMatchObject({
      code: 'service_overload',
    })
    held.resolve()
    await other
  })
})

on('postgresql', describe)('a server with limits', () => {
  const few = { reads: 3, writes: 2, background: 1 }

  it('service_overload for writers while all write connections are in use, without effect on readers and jobs', async () => {
    const store = await open({ connectionsMax: few, lockWaitMs: 2_000 })
    const held = Promise.withResolvers<void>()
    const users = [1, 2].map(() => store.write(async () => held.promise))
    const one = sql`select 1 as one`
    const refused = expect(store.write((db) => db.get({}, one))).rejects.toMatchObject({
      code: 'service_overload',
      headers: { 'Retry-After': '5' },
    })
    expect(await store.read((db) => db.get({}, one))).toMatchObject({ one: 1 })
    expect(await store.background.read((db) => db.get({}, one))).toMatchObject({ one: 1 })
    await refused
    held.resolve()
    await Promise.all(users)
    expect(await store.write((db) => db.get({}, one))).toMatchObject({ one: 1 })
  })

  it('service_overload for further reads of a workspace whose reads do not end, without effect on others', async () => {
    const store = await open({ connectionsMax: few, readsOfWorkspaceMax: 2, lockWaitMs: 500 })
    const [stuck, other] = [randomUUID(), randomUUID()]
    const slow = [1, 2].map(() => store.read((db) => db.get({}, sql`select pg_sleep(2)`), stuck))
    const further = store.read((db) => db.get({}, sql`select 1 as one`), stuck)
    expect(await store.read((db) => db.get({}, sql`select 1 as one`), other)).toMatchObject({ one: 1 })
    await expect(further).rejects.toMatchObject({ code: 'service_overload' })
    await Promise.all(slow)
  })

  it('gateway_timeout for a commit that takes too long, whose change may still be made', async () => {
    const store = await open({ commitMs: 200 })
    await store.write((db) => db.run(sql`create table slow (number integer)`))
    await store.write((db) =>
      db.run(
        sql`create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$`,
      ),
    )
    await store.write((db) =>
      db.run(
        sql`create constraint trigger at_commit after insert on slow deferrable initially deferred for each row execute function wait_long()`,
      ),
    )
    const written = store.write((db) => db.run(sql`insert into slow values (1)`))
    await expect(written).rejects.toMatchObject({ code: 'gateway_timeout' })
    const count = sql`select count(*) as kept from slow`
    await expect.poll(() => store.read((db) => db.get({ kept: 'integer' }, count))).toEqual({ kept: 1 })
  })

  it('service_unavailable for a statement that takes too long', async () => {
    const store = await open({ statementMs: 200 })
    await expect(store.read((db) => db.get({}, 'select pg_sleep(5)'))).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    })
    await expect(store.write((db) => db.get({}, 'select pg_sleep(5)'))).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  it('service_unavailable for a transaction that idles too long, and its locks are released', async () => {
    const store = await open({ statementMs: 200 })
    await store.write((db) => db.run('insert into instance (name, value) values (?, ?)', 'idle', 'before'))
    const idle = store.write(async (db) => {
      await db.run('update instance set value = ? where name = ?', 'lost', 'idle')
      await pause(600)
      await db.run('update instance set value = ? where name = ?', 'lost too', 'idle')
    })
    await expect(idle).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await store.read((db) => db.get({}, 'select value from instance where name = ?', 'idle'))).toMatchObject({
      value: 'before',
    })
  })
})

on('postgresql', describe)('an unavailable server', () => {
  it('503 or 504 for requests whose connection breaks, and 200 for later ones', async () => {
    const database = await makeDatabase()
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url })
    ends.push(() => server.stop())
    const page = await makePage(server.owner)
    const statuses = new Set<number>()
    for (let cut = 0; cut < 10; cut += 1) {
      const requests = Array.from({ length: 16 }, (_, index) =>
        index % 2 === 0
          ? server.owner.call('listBlockChildren', { path: { block_id: page } })
          : server.owner.call('appendBlockChildren', {
              path: { block_id: page },
              body: { children: [paragraph(`${cut}.${index}`)] },
            }),
      )
      await pause(cut * 2)
      await cutConnections(database.url)
      for (const { status } of await Promise.all(requests)) statuses.add(status)
    }
    expect([200, 503, 504]).toEqual(expect.arrayContaining([...statuses]))
    expect(statuses).toContain(503)
    expect((await server.owner.call('listBlockChildren', { path: { block_id: page } })).status).toBe(200)
    await append(server.owner, page, [paragraph('after all')])
  })

  it('503 and not ready while PostgreSQL is unreachable, and 200 and ready afterwards', async () => {
    const database = await makeDatabase()
    ends.push(() => database.drop())
    const wire = new Wire(database.url)
    ends.push(async () => wire.cut())
    const server = await startTestServer({ DATABASE_URL: await wire.restore() })
    ends.push(() => server.stop())
    expect((await server.owner.page('/readyz')).status).toBe(200)
    wire.cut()
    await expectAway(server)
    await wire.restore()
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    expect((await server.owner.page('/readyz')).status).toBe(200)
  })
})

async function expectAway(server: TestServer): Promise<void> {
  expect((await server.owner.page('/readyz')).status).toBe(503)
  expect((await server.owner.page('/healthz')).status).toBe(200)
  const responses = await Promise.all([
    server.owner.call('retrieveMe'),
    server.owner.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.checklist } }),
    server.owner.call('appendBlockChildren', {
      path: { block_id: exampleWorkspace.pages.checklist },
      body: { children: [paragraph('lost')] },
    }),
  ])
  for (const response of responses) expectError(response, 503, 'service_unavailable', 'Nothing was changed')
}

async function cutConnections(url: string): Promise<void> {
  const { adminUrl } = inject('postgres')
  await administer(adminUrl, (admin) =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [new URL(url).pathname.slice(1)]),
  )
}

on('sqlite', describe)('the SQLite file', () => {
  inLongRuns(it)('the write-ahead log stays bounded under many writes and reads', async () => {
    const database = await makeDatabase()
    ends.push(() => database.drop())
    const server = await startTestServer({ DATABASE_URL: database.url })
    ends.push(() => server.stop())
    const page = await makePage(server.owner)
    const many = Array.from({ length: 100 }, (_, index) => paragraph(`${index} ${'x'.repeat(1_500)}`))
    let [log, file] = [0, 0]
    for (let round = 0; round < 40; round += 1) {
      await Promise.all([
        append(server.owner, page, many),
        append(server.owner, page, many),
        server.owner.call('listBlockChildren', { path: { block_id: page } }),
      ])
      const path = database.url.replace('sqlite:', '')
      log = Math.max(log, statSync(`${path}-wal`).size)
      file = statSync(path).size
    }
    expect(file).toBeGreaterThan(12_000_000)
    expect(log).toBeLessThan(20_000_000)
  })

  it('service_unavailable while another process locks the file, and success afterwards', async () => {
    const database = await makeDatabase()
    ends.push(() => database.drop())
    const address = parseConfig({ DATABASE_URL: database.url }).database
    const [mine, other] = [openDatabase(address, { ...storeLimits, queueWaitMs: 200 }), openDatabase(address)]
    ends.push(
      () => mine.close(),
      () => other.close(),
    )
    await migrate(mine)
    const held = Promise.withResolvers<void>()
    const keeping = other.write(async () => held.promise)
    await expect(mine.write(async () => undefined)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await mine.read((db) => db.get({}, 'select 1 as one'))).toMatchObject({ one: 1 })
    const patient = mine.write(async () => 'done')
    held.resolve()
    await keeping
    expect(await patient).toBe('done')
  })
})
