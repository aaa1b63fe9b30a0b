import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Connection, Database } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { databaseOfFile, on } from '../harness/databases.ts'

/** A cached read may return an earlier result, but never one that is out of date. */

const shared = await databaseOfFile('none')
let stores: readonly [Database, Database]
beforeAll(async () => {
  const open = (): Database => openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
  stores = [open(), open()]
  await migrate(stores[0])
})
afterAll(() => Promise.all(stores.map((store) => store.close())))

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

  on('sqlite', it)('reads each key once while nothing is committed', async () => {
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

  on('sqlite', it)('reads again only after commits that change its own tables', async () => {
    const [store, other] = stores
    await set(store, 'kept')
    const { work, times } = counted()
    const register = (from: Database): Promise<void> =>
      from.write((db) =>
        db.run('insert into accounts (id, email, created_time) values (?, ?, 0)', randomUUID(), `${randomUUID()}@example.com`),
      )
    const read = async (): Promise<number> => {
      await store.readCached('often', work)
      return times()
    }
    expect(await read()).toBe(1)
    await register(store)
    expect(await read()).toBe(1)
    await register(other)
    expect(await read()).toBe(2)
    await store.write((db) => db.run(`update instance set value = 'seen' where name = ?`, 'again'))
    expect(await read()).toBe(3)
    await store.write((db) =>
      db.get({ name: 'text' }, `update instance set value = 'twice' where name = ? returning name`, 'again'),
    )
    expect(await read()).toBe(4)
    await store.write((db) => db.run(`with one as (select 1) update instance set value = 'thrice' where name = ?`, 'again'))
    expect(await read()).toBe(5)
    await store.write((db) => db.insert({ table: 'instance', columns: ['name', 'value'], rows: [['another', 'one']] }))
    expect(await read()).toBe(6)
  })

  on('sqlite', it)(
    'may rely on statements to change only the table that they name and, by triggers, uncached tables',
    async () => {
      const [{ read }] = stores
      const tables = await read((db) => db.all({ name: 'text' }, `select name from sqlite_master where type = 'table'`))
      const chains = await read((db) =>
        db.all(
          { name: 'text' },
          `select m.name from sqlite_master m, pragma_foreign_key_list(m.name) f
          where m.type = 'table' and (f.on_delete <> 'NO ACTION' or f.on_update <> 'NO ACTION')`,
        ),
      )
      const triggers = await read((db) => db.all({ sql: 'text' }, `select sql from sqlite_master where type = 'trigger'`))
      const changed = triggers.flatMap(({ sql }) => {
        const [, body = ''] = sql.split(/\bbegin\b/i)
        return [...body.matchAll(/\b(?:insert into|(?<!do )update|delete from)\s+(\w+)/gi)].map(([, table]) => table)
      })
      expect(tables.length).toBeGreaterThan(50)
      expect(chains).toEqual([])
      expect(triggers.length).toBeGreaterThan(0)
      expect(new Set(changed)).toEqual(new Set(['titles', 'workspace_usage']))
    },
  )

  it('stores neither missing values nor failures', async () => {
    const [store] = stores
    let times = 0
    const nothing = async (): Promise<undefined> => void (times += 1)
    await store.readCached('nothing', nothing)
    await store.readCached('nothing', nothing)
    expect(times).toBe(2)
    await expect(store.readCached('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await store.readCached('fails', async () => 'yes')).toBe('yes')
  })

  it('discards a value read during a commit', async () => {
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

  it('evicts entries when it is full', async () => {
    const [store] = stores
    for (let key = 0; key < 2_500; key += 1) expect(await store.readCached(`key ${key}`, async () => key)).toBe(key)
  })
})
