import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Connection, Database } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase, on, type TestDatabase } from '../harness/databases.ts'

/** A cached read may return an earlier result, but never one that is out of date. */

let shared: TestDatabase
let stores: readonly [Database, Database]
beforeAll(async () => {
  shared = await makeDatabase('none')
  const open = (): Database => openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
  stores = [open(), open()]
  await migrate(stores[0])
})
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await shared.drop()
})

const set = (store: Database, value: string): Promise<void> =>
  store.write(async (db) => {
    await db.run('delete from instance where name = ?', 'again')
    await db.run('insert into instance (name, value) values (?, ?)', 'again', value)
  })

function counted(): { work: (db: Connection) => Promise<string | undefined>; times: () => number } {
  let times = 0
  return {
    work: async (db) => {
      times += 1
      return (await db.get({ value: 'text' }, 'select value from instance where name = ?', 'again'))?.value
    },
    times: () => times,
  }
}

describe('readCached', () => {
  it('sees every commit, of this process and of another one', async () => {
    const { work } = counted()
    for (let round = 0; round < 20; round += 1) {
      await set(stores[round % 3 === 0 ? 0 : 1], `value ${round}`)
      for (const store of stores)
        for (let times = 0; times < 2; times += 1) expect(await store.readCached('k', work)).toBe(`value ${round}`)
    }
  })

  on('sqlite', it)('reads once as long as nothing is committed, for each key', async () => {
    const [store] = stores
    await set(store, 'kept')
    const [one, other] = [counted(), counted()]
    for (let times = 0; times < 5; times += 1) {
      expect(await store.readCached('one', one.work)).toBe('kept')
      expect(await store.readCached('other', other.work)).toBe('kept')
    }
    expect([one.times(), other.times()]).toEqual([1, 1])
    await store.write(async (db) => db.run('delete from instance where name = ?', 'nothing of that name'))
    await store.write(async () => undefined)
    expect(await store.readCached('one', one.work)).toBe('kept')
    expect(one.times()).toBeLessThanOrEqual(2)
  })

  it('keeps nothing that was not found, and no failure', async () => {
    const [store] = stores
    let times = 0
    const nothing = async (): Promise<undefined> => void (times += 1)
    await store.readCached('nothing', nothing)
    await store.readCached('nothing', nothing)
    expect(times).toBe(2)
    await expect(store.readCached('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await store.readCached('fails', async () => 'yes')).toBe('yes')
  })

  it('what is read while somebody commits is not taken for what is true afterwards', async () => {
    const [store, other] = stores
    await set(store, 'before')
    const { work } = counted()
    const slow = store.readCached('slow', async (db) => {
      const found = await work(db)
      await set(other, 'after')
      return found
    })
    expect(await slow).toBe('before')
    expect(await store.readCached('slow', work)).toBe('after')
  })

  it('forgets when there is much to remember', async () => {
    const [store] = stores
    for (let key = 0; key < 2_500; key += 1) expect(await store.readCached(`key ${key}`, async () => key)).toBe(key)
  })
})
