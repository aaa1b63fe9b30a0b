import { describe, expect, it } from 'vitest'
import { instanceValue, settleInstanceValue } from '../../server/store/instance.ts'
import { migrate } from '../../server/store/migrations.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { makeDatabase } from '../harness/databases.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })

describe('migrate', () => {
  it('changes nothing the second time', async () => {
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

describe('write', () => {
  it('keeps all of it or nothing', async () => {
    const { database } = server.service
    await expect(
      database.write(async (db) => {
        await settleInstanceValue(db, 'half', 'done')
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    expect(await database.read((db) => instanceValue(db, 'half'))).toBeUndefined()
    expect(await database.write((db) => settleInstanceValue(db, 'whole', 'first'))).toBe('first')
    expect(await database.write((db) => settleInstanceValue(db, 'whole', 'second'))).toBe('first')
  })

  it('gives the word of an engine for what it refuses, and goes on', async () => {
    const { database } = server.service
    await expect(database.write((db) => db.run('insert into nowhere values (1)'))).rejects.toThrow()
    expect(await database.write(async () => 'still here')).toBe('still here')
  })
})

it('a database outlives its server', async () => {
  const database = await makeDatabase()
  for (const isNew of [true, false]) {
    const own = await startTestServer({ DATABASE_URL: database.url })
    expect(own.service.bootstrapped.isNew).toBe(isNew)
    await own.stop()
  }
  await database.drop()
})
