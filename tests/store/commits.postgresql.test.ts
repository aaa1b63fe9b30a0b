import { afterAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import type { Connection } from '../../server/store/database.ts'
import { storeLimits } from '../../server/store/limits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'

/** An acknowledged commit is on disk, and nothing of a failed one is. */

const shared = await makeDatabase('example')
const database = openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
afterAll(async () => {
  await database.close()
  await shared.drop()
})

const WRITERS = 40

/** A position in the log, as a number. */
const position = async (db: Connection, name: string): Promise<number> =>
  Number((await db.get({ at: 'integer' }, `select (${name}() - '0/0'::pg_lsn)::bigint as at`))?.at)

it('confirmed writes are on disk, however many run at the same time', async () => {
  await database.write((db) => db.run('create table marks (number integer)'), exampleWorkspace.workspace.id)
  for (let round = 0; round < 5; round += 1) {
    const writes = Array.from({ length: WRITERS }, async (_writer, number) => {
      const written = await database.write(async (db) => {
        await db.run('insert into marks values (?)', number)
        return position(db, 'pg_current_wal_insert_lsn')
      }, exampleWorkspace.workspace.id)
      expect(await database.read((db) => position(db, 'pg_current_wal_flush_lsn'))).toBeGreaterThanOrEqual(written)
    })
    await Promise.all(writes)
  }
  expect(await database.read((db) => db.get({ kept: 'integer' }, 'select count(*) as kept from marks'))).toEqual({
    kept: 5 * WRITERS,
  })
})

it('a failing writer rolls back none of the others', async () => {
  await database.write((db) => db.run('create table others (number integer primary key)'), exampleWorkspace.workspace.id)
  const results = await Promise.allSettled(
    Array.from({ length: WRITERS }, (_writer, number) =>
      database.write(async (db) => {
        await db.run('insert into others values (?)', number)
        if (number % 4 === 0) throw new Error('stop')
      }, exampleWorkspace.workspace.id),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: WRITERS }, (_writer, number) => (number % 4 === 0 ? 'rejected' : 'fulfilled')),
  )
  expect(await database.read((db) => db.get({ kept: 'integer' }, 'select count(*) as kept from others'))).toEqual({ kept: 30 })
})

it('a writer that continues after a failed statement is not confirmed', async () => {
  const written = database.write(async (db) => {
    await db.run('insert into instance (name, value) values (?, ?)', 'half', 'made')
    await expect(db.get({}, 'select 1 / 0 as none')).rejects.toThrow()
  })
  await expect(written).rejects.toThrow('division by zero')
})

it('a write fails if one of its statements fails, even if its function does not await that statement', async () => {
  const name = 'not awaited'
  const written = database.write(async (db) => {
    await db.run('insert into instance (name, value) values (?, ?)', name, 'first')
    db.run('insert into instance (name, value) values (?, ?)', name, 'second').catch(() => undefined)
  })
  await expect(written).rejects.toMatchObject({ code: 'conflict_error' })
  expect(
    await database.read((db) => db.get({ value: 'text' }, 'select value from instance where name = ?', name)),
  ).toBeUndefined()
})

it('a writer that has ended writes nothing more, even if its function continues', async () => {
  const ended = Promise.withResolvers<void>()
  let late: Promise<void> | undefined
  const written = database.write(async (db) => {
    late = ended.promise.then(() => db.run('insert into instance (name, value) values (?, ?)', 'late', 'made'))
    throw new Error('given up')
  })
  await expect(written).rejects.toThrow('given up')
  ended.resolve()
  await expect(late).rejects.toThrow('The transaction has ended.')
  const found = await database.read((db) => db.get({ value: 'text' }, `select value from instance where name = 'late'`))
  expect(found).toBeUndefined()
})

it('a writer that waits too long for another process does not start', async () => {
  const address = parseConfig({ DATABASE_URL: shared.url }).database
  const impatient = openDatabase(address, { ...storeLimits, lockWaitMs: 200 })
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = database.write(async () => (begun.resolve(), end.promise), exampleWorkspace.workspace.id)
  await begun.promise
  let hasBegun = false
  const written = impatient.write(async () => void (hasBegun = true), exampleWorkspace.workspace.id)
  await expect(written).rejects.toMatchObject({ code: 'service_overload' })
  end.resolve()
  await other
  await impatient.close()
  expect(hasBegun).toBe(false)
})
