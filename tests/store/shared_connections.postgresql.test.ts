import { afterEach, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Connection, Database } from '../../server/store/database.ts'
import { storeLimits, type StoreLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'
import { until } from '../harness/process.ts'

/** Quick statements that read share connections; each test looks at them from the server's side. */

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(limits: Partial<StoreLimits> = {}): Promise<Database> {
  const database = await makeDatabase()
  ends.push(() => database.drop())
  const store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database, { ...storeLimits, ...limits })
  ends.push(() => store.close())
  return store
}

/** The process of the server that ran it. Every name is a statement of its own. */
const backendOf = (db: Connection, name = 'pid'): Promise<number | undefined> =>
  db.get({ [name]: 'integer' }, `select pg_backend_pid() as ${name}`).then((row) => row && Number(Object.values(row)[0]))

const manyBackends = (store: Database, count = 60): Promise<(number | undefined)[]> =>
  store.read((db) => Promise.all(Array.from({ length: count }, () => backendOf(db))))

/** Runs it until it is known to be quick. */
async function shareable(store: Database): Promise<void> {
  await until(async () => {
    const backends = new Set(await manyBackends(store, 20))
    return backends.size <= 4 ? true : undefined
  })
}

it('many at once need four connections, where each would have had one of its own', async () => {
  const store = await open()
  expect(new Set(await store.read((db) => Promise.all(Array.from({ length: 40 }, () => backendOf(db))))).size).toBeGreaterThan(4)
  await shareable(store)
  expect(new Set(await manyBackends(store)).size).toBeLessThanOrEqual(4)
})

it('a slow one has a connection of its own, and those that come later do not wait for it', async () => {
  const store = await open()
  await shareable(store)
  const slow = (seconds: number): Promise<unknown> =>
    store.read((db) => db.get({ slept: 'text' }, 'select pg_sleep(?)::text as slept', seconds))
  for (let turn = 0; turn < 6; turn += 1) await slow(0.06)
  const ended: string[] = []
  const slept = Promise.all(Array.from({ length: 4 }, () => slow(2))).then(() => ended.push('slow'))
  await manyBackends(store).then(() => ended.push('quick'))
  await slept
  expect(ended).toEqual(['quick', 'slow'])
})

it('one that has become slow is not shared any more', async () => {
  const store = await open()
  const backends = async (count: number, seconds: number): Promise<number> => {
    const one = (): Promise<{ pid: number } | undefined> =>
      store.read((db) =>
        db.get({ slept: 'text', pid: 'integer' }, 'select pg_sleep(?)::text as slept, pg_backend_pid() as pid', seconds),
      )
    return new Set((await Promise.all(Array.from({ length: count }, one))).map((row) => row?.pid)).size
  }
  await until(async () => ((await backends(8, 0)) <= 4 ? true : undefined))
  await backends(1, 0.1)
  expect(await backends(8, 0.1)).toBe(8)
})

it('reads go on when their connections are gone, and share new ones', async () => {
  const store = await open()
  await shareable(store)
  const before = new Set(await manyBackends(store))
  await store.write((db) =>
    db.all(
      { ended: 'text' },
      'select pg_terminate_backend(pid)::text as ended from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    ),
  )
  // Connections of the pool may be gone without its knowledge, too: what fails then says so, and the next one finds another.
  await until(() =>
    manyBackends(store, 20).then(
      () => true,
      () => undefined,
    ),
  )
  await until(async () => {
    const after = new Set(await manyBackends(store))
    return after.size <= 4 && after.isDisjointFrom(before) ? true : undefined
  })
})

it('there are none where few connections are allowed', async () => {
  const store = await open({ connectionsMax: 3 })
  expect(new Set(await manyBackends(store)).size).toBe(3)
  expect(new Set(await manyBackends(store)).size).toBe(3)
})

it('an error of a statement is that of its caller alone', async () => {
  const store = await open()
  const divide = (by: number): Promise<unknown> =>
    store.read((db) => db.get({ result: 'integer' }, 'select (12 / ?::int)::bigint as result', by))
  for (let turn = 0; turn < 20; turn += 1) await divide(2)
  const results = await Promise.allSettled([3, 0, 4].map(divide))
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    { result: 4 },
    'failed',
    { result: 3 },
  ])
})
