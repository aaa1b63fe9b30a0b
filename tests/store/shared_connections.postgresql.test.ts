import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Connection, Database } from '../../server/store/database.ts'
import { statements } from '../../server/store/dialects/postgresql_pool.ts'
import { storeLimits, type StoreLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'
import { until } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'

/** Quick statements that read share connections; each test looks at them from the server's side. */

/** On a busy machine, what is quick takes many times as long. */
const PATIENCE = 10
beforeEach(() => {
  const took = statements.took.bind(statements)
  vi.spyOn(statements, 'took').mockImplementation((sql, milliseconds) => took(sql, milliseconds / PATIENCE))
})
afterEach(() => vi.restoreAllMocks())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(limits: Partial<StoreLimits> = {}): Promise<Database> {
  const database = await makeDatabase()
  ends.push(() => database.drop())
  return openAt(database.url, limits)
}

function openAt(url: string, limits: Partial<StoreLimits> = {}): Database {
  const store = openDatabase(parseConfig({ DATABASE_URL: url }).database, { ...storeLimits, ...limits })
  ends.push(() => store.close())
  return store
}

async function openOverWire(limits: Partial<StoreLimits> = {}): Promise<{ store: Database; wire: Wire }> {
  const database = await makeDatabase()
  ends.push(() => database.drop())
  const wire = new Wire(database.url)
  ends.push(async () => wire.cut())
  return { store: openAt(await wire.mend(), limits), wire }
}

/** The process of the server that ran it. Every name is a statement of its own. */
const backendOf = async (db: Connection, name = 'pid'): Promise<number | undefined> => {
  const row = await db.get({ [name]: 'integer' }, `select pg_backend_pid() as ${name}`)
  return row && Number(Object.values(row)[0])
}

const manyBackends = async (store: Database, count = 60): Promise<(number | undefined)[]> =>
  store.read((db) => Promise.all(Array.from({ length: count }, () => backendOf(db))))

/** Runs it until it is known to be quick. */
async function shareable(store: Database): Promise<void> {
  await until(async () => {
    const backends = new Set(await manyBackends(store, 20))
    return backends.size <= 4 ? true : undefined
  })
}

it('many concurrent reads need four connections, not one each', async () => {
  const store = await open()
  expect(new Set(await store.read((db) => Promise.all(Array.from({ length: 40 }, () => backendOf(db))))).size).toBeGreaterThan(4)
  await shareable(store)
  expect(new Set(await manyBackends(store)).size).toBeLessThanOrEqual(4)
})

/** A statement that is quick, unless somebody holds the lock. */
const PASSING = 'select pg_advisory_xact_lock_shared(7)::text as passed'
const pass = async (store: Database): Promise<unknown> => store.read((db) => db.get({ passed: 'text' }, PASSING))

/** Takes the lock. @returns what lets it go */
async function holdLock(store: Database): Promise<() => Promise<void>> {
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = store.write(async (db) => {
    await db.all({ held: 'text' }, 'select pg_advisory_xact_lock(7)::text as held')
    held.resolve()
    await end.promise
  })
  await held.promise
  return async () => {
    end.resolve()
    await holding
  }
}

it('a slow read has its own connection, and later ones do not wait for it', async () => {
  const store = await open()
  await shareable(store)
  for (let turn = 0; turn < 6; turn += 1) await pass(store)
  statements.took(PASSING, 60_000)
  const release = await holdLock(store)
  const slow = Promise.all(Array.from({ length: 4 }, () => pass(store)))
  expect(await manyBackends(store)).toHaveLength(60)
  await release()
  expect(await slow).toHaveLength(4)
})

it('a read that has become slow is no longer shared', async () => {
  const store = await open()
  const backends = async (count: number, seconds: number): Promise<number> => {
    const one = async (): Promise<{ pid: number } | undefined> =>
      store.read((db) =>
        db.get({ slept: 'text', pid: 'integer' }, 'select pg_sleep(?)::text as slept, pg_backend_pid() as pid', seconds),
      )
    return new Set((await Promise.all(Array.from({ length: count }, one))).map((row) => row?.pid)).size
  }
  await until(async () => ((await backends(8, 0)) <= 4 ? true : undefined))
  await backends(1, 0.6)
  expect(await backends(8, 0.1)).toBe(8)
})

it('reads after one that has become slow respond before it', async () => {
  const store = await open()
  await shareable(store)
  for (let turn = 0; turn < 30; turn += 1) await pass(store)
  const release = await holdLock(store)
  const slow = pass(store)
  // More of them than connections, so that some are sent behind it on its own.
  expect(await manyBackends(store)).toHaveLength(60)
  expect(await manyBackends(store)).toHaveLength(60)
  await release()
  expect(await slow).toEqual({ passed: '' })
})

const endOthers = (store: Database): Promise<unknown> =>
  store.write((db) =>
    db.all(
      { ended: 'text' },
      'select pg_terminate_backend(pid)::text as ended from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    ),
  )

/** Connections of the pool may be gone without its knowledge: what fails then says so, and the next one finds another. */
const goesOn = (store: Database): Promise<true> =>
  until(() =>
    manyBackends(store, 20).then(
      () => true as const,
      () => undefined,
    ),
  )

it('reads continue when their connections are gone, and share new ones', async () => {
  const store = await open()
  await shareable(store)
  const before = new Set(await manyBackends(store))
  await endOthers(store)
  await goesOn(store)
  await until(async () => {
    const after = new Set(await manyBackends(store))
    return after.size <= 4 && after.isDisjointFrom(before) ? true : undefined
  })
})

it('reads on a reset connection are repeated on others', async () => {
  const { store, wire } = await openOverWire()
  const read = async (value: string): Promise<{ value: string; pid: number } | undefined> =>
    store.read((db) => db.get({ value: 'text', pid: 'integer' }, 'select ?::text as value, pg_backend_pid() as pid', value))
  const isShared = async (): Promise<true | undefined> => {
    const rows = await Promise.all(Array.from({ length: 20 }, () => read('before')))
    return new Set(rows.map((row) => row?.pid)).size <= 4 ? true : undefined
  }
  const values = ['before', 'the last straw', 'after']
  const found = await until(async () => {
    await until(isShared)
    wire.resetAt = 'the last straw'
    // On a busy machine one may have been slow, and run on a connection of its own: its loss is an error.
    return Promise.all(values.map(read)).catch(() => undefined)
  })
  expect(found.map((row) => row?.value)).toEqual(values)
  expect(wire.resetAt).toBeUndefined()
})

it('every read reports overload when the table of the first one stays locked', async () => {
  const store = await open({ turnMs: 300 })
  const count = async (): Promise<unknown> =>
    store.read((db) => db.get({ count: 'integer' }, 'select count(*) as count from instance where name is not null'))
  for (let turn = 0; turn < 30; turn += 1) await count()
  // The new connections do not know the statement yet.
  await endOthers(store)
  await goesOn(store)
  await shareable(store)
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = store.write(async (db) => {
    await db.change('lock table instance in access exclusive mode')
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const outcomes = await Promise.allSettled(Array.from({ length: 16 }, count))
  end.resolve()
  await locking
  const codes = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'found'))
  expect(new Set(codes)).toEqual(new Set(['service_overload']))
})

it('service_unavailable from a server that accepts connections and then sends nothing', async () => {
  const { store, wire } = await openOverWire({ connectMs: 300 })
  wire.holdAt = 'enable_seqscan'
  await expect(store.read((db) => backendOf(db))).rejects.toMatchObject({ code: 'service_unavailable' })
})

it('reads are not shared when few connections are allowed', async () => {
  const store = await open({ connectionsMax: 3 })
  expect(new Set(await manyBackends(store)).size).toBe(3)
  expect(new Set(await manyBackends(store)).size).toBe(3)
})

it('an error of a statement affects only its caller', async () => {
  const store = await open()
  const divide = async (by: number): Promise<unknown> =>
    store.read((db) => db.get({ result: 'integer' }, 'select (12 / ?::int)::bigint as result', by))
  for (let turn = 0; turn < 20; turn += 1) await divide(2)
  const results = await Promise.allSettled([3, 0, 4].map(divide))
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    { result: 4 },
    'failed',
    { result: 3 },
  ])
})
