import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../server/store/database.ts'
import { instanceValue, ensureInstanceValue } from '../../server/store/instance.ts'
import { migrate } from '../../server/store/migrations.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { makeDatabase } from '../harness/databases.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })

describe('migrate', () => {
  it('changes nothing when run again', async () => {
    const { database } = server.service
    const done = async (): Promise<object[]> =>
      database.read((db) => db.all({}, 'select number, name from migrations order by number'))
    const before = await done()
    await migrate(database)
    expect(await done()).toStrictEqual(before)
    expect(before).toHaveLength(migrations.length)
  })

  it('refuses a database of a newer release', async () => {
    const { database } = server.service
    await database.write((db) => db.run("insert into migrations (number, name) values (999, 'from the future')"))
    await expect(migrate(database)).rejects.toThrow(/newer release/)
    await database.write((db) => db.run('delete from migrations where number = 999'))
  })
})

describe('a write transaction', () => {
  it('commits all or nothing', async () => {
    const { database } = server.service
    await expect(
      database.write(async (db) => {
        await ensureInstanceValue(db, 'half', 'done')
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    expect(await database.read((db) => instanceValue(db, 'half'))).toBeUndefined()
    expect(await database.write((db) => ensureInstanceValue(db, 'whole', 'first'))).toBe('first')
    expect(await database.write((db) => ensureInstanceValue(db, 'whole', 'second'))).toBe('first')
  })

  it('fails when one of its statements fails, whatever its function does afterwards, and commits nothing', async () => {
    const { database } = server.service
    await database.write((db) => ensureInstanceValue(db, 'taken', 'before'))
    const take = (db: Transaction, name: string): Promise<void> =>
      db.run('insert into instance (name, value) values (?, ?)', name, 'after')
    const endings: Readonly<Record<string, (db: Transaction) => Promise<unknown>>> = {
      nothing: async () => undefined,
      'a change': (db) => take(db, 'behind'),
      'many changes': async (db) => {
        for (let index = 0; index < 100; index += 1) await take(db, `behind ${index}`)
      },
      'a read': async (db) => db.get({ value: 'text' }, 'select value from instance where name = ?', 'taken'),
      'an error of its own': async () => {
        throw new Error('stop')
      },
    }
    for (const [ending, end] of Object.entries(endings)) {
      const written = database.write(async (db) => {
        await db.get({ value: 'text' }, 'select value from instance where name = ?', 'taken')
        await take(db, 'before it')
        await take(db, 'taken')
        await end(db)
      })
      await expect(written, ending).rejects.toMatchObject({ code: 'conflict_error', status: 409 })
    }
    expect(await database.read((db) => db.all({ name: 'text' }, `select name from instance where value = 'after'`))).toEqual([])
    expect(await database.write(async () => 'still here')).toBe('still here')
  })

  it('does not execute a statement of another request while it waits', async () => {
    const { database } = server.service
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const name = 'waits'
    const failing = database.write(async (db) => {
      await ensureInstanceValue(db, name, 'first')
      begun.resolve()
      await gate.promise
      throw new Error('stop')
    })
    await begun.promise
    const other = database.write((db) => ensureInstanceValue(db, name, 'second'))
    const others = database.read((db) => instanceValue(db, name))
    gate.resolve()
    await expect(failing).rejects.toThrow('stop')
    expect(await others).not.toBe('first')
    expect(await other).toBe('second')
    expect(await database.read((db) => instanceValue(db, name))).toBe('second')
  })

  it('refuses a statement after it has ended', async () => {
    const { database } = server.service
    for (const fails of [false, true]) {
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> = Promise.resolve()
      const written = database.write(async (db) => {
        late = gate.promise.then(() => ensureInstanceValue(db, 'late', 'written'))
        if (fails) throw new Error('stop')
      })
      await Promise.allSettled([written])
      const next = database.write(async () => gate.resolve())
      await expect(late).rejects.toThrow(/ended|stop/)
      await next
      expect(await database.read((db) => instanceValue(db, 'late'))).toBeUndefined()
    }
  })

  it('fails with a refused statement, and the next transaction succeeds', async () => {
    const { database } = server.service
    await expect(database.write((db) => db.run('insert into nowhere values (1)'))).rejects.toThrow()
    expect(await database.write(async () => 'still here')).toBe('still here')
  })
})

it('a restarted server finds the data of its database', async () => {
  const database = await makeDatabase()
  for (const isNew of [true, false]) {
    const own = await startTestServer({ DATABASE_URL: database.url })
    expect(own.service.bootstrapped.isNew).toBe(isNew)
    await own.stop()
  }
  await database.drop()
})
