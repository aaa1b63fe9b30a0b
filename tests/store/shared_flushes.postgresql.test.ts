import { attempt } from '../../server/kernel/maybe_promise.ts'
import { afterAll, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { parseConfig } from '../../server/config.ts'
import type { Database } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { storeLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { administer, startServer } from '../harness/postgres.ts'
import { until } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'

/** Commits that share a flush, on a server of their own, whose crash no other test has to survive. */

// What was committed without a flush stays in memory for as long as the test takes.
const server = await startServer('wal_writer_delay=10s')
const wire = new Wire(server.url)
const address = parseConfig({ DATABASE_URL: await wire.mend() }).database
const database = openDatabase(address)
await migrate(database)
await database.write((db) => db.run('create table marks (number integer)'))
afterAll(async () => {
  await database.close()
  wire.cut()
  await server.stop()
})

const insert = (store: Database, number: number, then: () => unknown = () => undefined): Promise<unknown> =>
  store.write(async (db) => {
    await db.run('insert into marks values (?)', number)
    await then()
  }, story.workspace.id)

it('shared flushes start although there was no connection for one at first', async () => {
  const store = openDatabase(address, { ...storeLimits, connectionsMax: 6, connectMs: 100 })
  const end = Promise.withResolvers<void>()
  const begun = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const held = begun.map(({ resolve }) => store.write(async () => (resolve(), end.promise)))
  await Promise.all(begun.map(({ promise }) => promise))
  await Promise.all([insert(store, 1), insert(store, 2)])
  expect(await hasFlushed()).toBeUndefined()
  end.resolve()
  await Promise.all(held)
  await until(async () => {
    await Promise.all([insert(store, 1), insert(store, 2)])
    return hasFlushed()
  })
  await store.close()
})

it('no write is confirmed by a flush of a server that started after it', async () => {
  await Promise.all([insert(database, 1), insert(database, 2)])
  await until(hasFlushed)
  await database.write((db) => db.run('delete from marks'))

  wire.holdAt = 'pg_logical_emit_message'
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const written = [insert(database, 1), insert(database, 2)]
  const last = insert(database, 3, async () => {
    begun.resolve()
    await end.promise
  })
  const outcomes = Promise.allSettled([...written, last])
  await begun.promise
  await crash()
  wire.holdAt = undefined
  wire.drop()
  end.resolve()

  const answered = (await outcomes).flatMap(({ status }, index) => (status === 'fulfilled' ? [{ number: index + 1 }] : []))
  const kept = await until(() =>
    attempt<{ number: number }[] | undefined>(
      () => database.read((db) => db.all({ number: 'integer' }, 'select number from marks')),
      () => undefined,
    ),
  )
  expect(kept).toEqual(expect.arrayContaining(answered))
})

/** Whether the server has been asked to flush: from then on, commits share flushes. */
async function hasFlushed(): Promise<true | undefined> {
  const { rows } = await administer(server.url, (admin) =>
    admin.query("select from pg_stat_activity where query like '%emit_message%' and state = 'idle' and pid <> pg_backend_pid()"),
  )
  return rows.length > 0 ? true : undefined
}

/** Kills a process of the server, which then starts anew without what it had in memory. */
async function crash(): Promise<void> {
  await administer(server.url, async (admin) => {
    const { rows } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = new Promise((resolve) => admin.once('error', resolve))
    process.kill(rows[0]?.pid ?? NaN, 'SIGKILL')
    await ended
  })
  await until(() =>
    administer(server.url, (admin) => admin.query('select 1')).then(
      () => true,
      () => undefined,
    ),
  )
}
