import { randomUUID } from 'node:crypto'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import type { Transaction } from '../../server/store/database.ts'
import { storeLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'
import { until } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'

/** Writers of a workspace run one after another, each in a separate transaction. */

const shared = await makeDatabase('example')
const wire = new Wire(shared.url)
const address = parseConfig({ DATABASE_URL: await wire.restore() }).database
const database = openDatabase(address)
const other = openDatabase(address)
afterAll(async () => {
  await Promise.all([database.close(), other.close()])
  wire.cut()
  await shared.drop()
})

beforeAll(() => database.write((db) => db.run('create table marks (place integer, name text primary key)')))
beforeEach(() => database.write((db) => db.run('delete from marks')))

const WRITERS = 40

/**
 * Adds a row after the existing ones.
 * @returns the transaction
 */
const mark =
  (name: string): ((db: Transaction) => Promise<string | undefined>) =>
  async (db) => {
    const last = await db.get({ place: 'integer?' }, 'select max(place) as place from marks')
    await db.run('insert into marks values (?, ?)', (last?.place ?? 0) + 1, name)
    return (await db.get({ id: 'text' }, 'select pg_current_xact_id()::text as id'))?.id
  }

async function marks(): Promise<string[]> {
  const rows = await database.read((db) => db.all({ name: 'text' }, 'select name from marks order by place'))
  return rows.map(({ name }) => name)
}

/**
 * Takes the workspace's lock as another process would.
 * @returns a function that releases it
 */
async function holdWorkspace(): Promise<() => Promise<unknown>> {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = other.write(async () => (begun.resolve(), end.promise), exampleWorkspace.workspace.id)
  await begun.promise
  return async () => {
    end.resolve()
    await holding
  }
}

const names = (count: number): string[] => Array.from({ length: count }, (_name, index) => `writer ${index}`)

it('queued writers commit in their own transactions, in the order of arrival', async () => {
  const transactions = await Promise.all(names(WRITERS).map((name) => database.write(mark(name), exampleWorkspace.workspace.id)))
  expect(new Set(transactions).size).toBe(WRITERS)
  expect(await marks()).toEqual(names(WRITERS))
})

it('queued writers run in the context of their own requests', async () => {
  const requests = new AsyncLocalStorage<number>()
  const written = [0, 1, 2].map((request) =>
    requests.run(request, () => database.write(async () => requests.getStore(), exampleWorkspace.workspace.id)),
  )
  expect(await Promise.all(written)).toEqual([0, 1, 2])
})

it('readers and other workspaces are served while more writers than connections wait for another process', async () => {
  const release = await holdWorkspace()
  const waiting = names(WRITERS).map((name) => database.write(mark(name), exampleWorkspace.workspace.id))
  await until(async () => ((await database.statistics()).counts['waiting'] === WRITERS - 1 ? true : undefined))
  expect(await marks()).toEqual([])
  expect(await database.write(async () => 'written', randomUUID())).toBe('written')
  await release()
  await Promise.all(waiting)
  expect(await marks()).toEqual(names(WRITERS))
})

it('service_unavailable when the connection breaks before a commit, and gateway_timeout when it breaks during a commit', async () => {
  const broken = database.write(async (db) => {
    await mark('before')(db)
    wire.drop()
    await mark('after')(db)
  }, exampleWorkspace.workspace.id)
  await expect(broken).rejects.toMatchObject({ status: 503, code: 'service_unavailable' })
  expect(await until(() => marks().catch(() => undefined))).toEqual([])
  const unsure = database.write(async (db) => {
    await mark('last')(db)
    wire.dropAt = 'commit'
  }, exampleWorkspace.workspace.id)
  await expect(unsure).rejects.toMatchObject({ status: 504, code: 'gateway_timeout' })
})

it('service_unavailable when the database server accepts connections and then stays silent', async () => {
  const silent = new Wire(shared.url)
  const store = openDatabase(parseConfig({ DATABASE_URL: await silent.restore() }).database, { ...storeLimits, connectMs: 300 })
  silent.holdAt = 'enable_seqscan'
  await expect(store.read((db) => db.get({}, 'select 1 as one'))).rejects.toMatchObject({ code: 'service_unavailable' })
  await store.close()
  silent.cut()
})

it('service_overload for readers of a table that stays locked', async () => {
  const impatient = openDatabase(address, { ...storeLimits, lockWaitMs: 300 })
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = database.write(async (db) => {
    await db.run('lock table marks in access exclusive mode')
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const read = impatient.read((db) => db.all({}, 'select name from marks'))
  await expect(read).rejects.toMatchObject({ code: 'service_overload' })
  end.resolve()
  await locking
  await impatient.close()
})
