import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Connection, Database, Transaction } from '../../server/store/database.ts'
import { accessTables, changesAccess } from '../../server/store/access_tables.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { sql } from '../../server/store/sql.ts'
import { databaseOfFile, engine, on } from '../harness/databases.ts'
import { Wire } from '../harness/wire.ts'
import { withinASecond } from '../harness/within_a_second.ts'

/** A cached read may return an earlier result until any process commits a change of the data. */

const shared = await databaseOfFile('none')
let stores: readonly [Database, Database]
beforeAll(async () => {
  const open = (): Database => openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
  stores = [open(), open()]
  await migrate(stores[0])
  await stores[0].write((db) => insertWorkspace(db, randomUUID()))
})
afterAll(() => Promise.all(stores.map((store) => store.close())))

const NAMED = sql`select name from workspaces where icon_url = 'again'`

function insertWorkspace(db: Transaction, id: string): Promise<void> {
  return db.insert({
    table: 'workspaces',
    columns: ['id', 'name', 'icon_url', 'created_time'],
    rows: [[id, 'first', 'again', 0]],
  })
}

const set = (store: Database, value: string): Promise<void> =>
  store.write((db) => db.run(sql`update workspaces set name = ${value} where icon_url = 'again'`))

/** Expects a value at once on SQLite, where processes see each other's commits, and after a notification on PostgreSQL. */
async function expectSoon(read: () => Promise<string | undefined>, value: string): Promise<void> {
  expect(await (engine === 'sqlite' ? read() : withinASecond(read, value))).toBe(value)
}

function counted(): { work: (db: Connection) => Promise<string | undefined>; times: () => number } {
  let times = 0
  return {
    work: async (db) => {
      times += 1
      return (await db.get({ name: 'text' }, NAMED))?.name
    },
    times: () => times,
  }
}

describe('readCached', () => {
  it('sees every commit of this process and of another one', async () => {
    const { work } = counted()
    for (let round = 0; round < 20; round += 1) {
      const writer = stores[round % 3 === 0 ? 0 : 1]
      await set(writer, `value ${round}`)
      expect(await writer.readCached('k', work)).toBe(`value ${round}`)
      for (const store of stores) await expectSoon(async () => store.readCached('k', work), `value ${round}`)
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
    await store.write(async () => undefined)
    expect(await store.readCached('one', one.work)).toBe('kept')
    expect(one.times()).toBe(1)
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
    await set(store, 'seen')
    expect(await read()).toBe(3)
    await store.write((db) =>
      db.get({ name: 'text' }, sql`update workspaces set name = 'twice' where icon_url = 'again' returning name`),
    )
    expect(await read()).toBe(4)
    await store.write((db) => db.run(sql`with one as (select 1) update workspaces set name = 'thrice' where icon_url = 'again'`))
    expect(await read()).toBe(5)
    await store.write((db) => insertWorkspace(db, randomUUID()))
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
      expect(new Set(changed)).toEqual(new Set(['titles', 'title_words', 'workspace_usage']))
    },
  )

  it('notices statements that change access', () => {
    expect([...accessTables].every((table) => changesAccess(`delete from ${table} where id = ?`))).toBe(true)
    expect(changesAccess('with one as (select 1)\n  insert into grants (id) select 1')).toBe(true)
    expect(changesAccess('drop table tokens')).toBe(true)
    expect(changesAccess('update blocks set type = ?')).toBe(false)
    expect(changesAccess('insert into users_of_nobody (id) values (?)')).toBe(false)
    expect(changesAccess('select * from tokens for no key update')).toBe(false)
  })

  on('postgresql', it)('uses a result for at most a second while notifications do not arrive', async () => {
    const wire = new Wire(shared.url)
    const apart = openDatabase(parseConfig({ DATABASE_URL: await wire.restore() }).database)
    const { work, times } = counted()
    await set(stores[0], 'before')
    // Blocks the connection that listens.
    wire.holdAt = 'listen access_changed'
    expect(await apart.readCached('k', work)).toBe('before')
    await set(stores[0], 'after')
    expect(await apart.readCached('k', work)).toBe('before')
    await pause(1_000)
    expect(await apart.readCached('k', work)).toBe('after')
    expect(times()).toBe(2)
    wire.cut()
    await apart.close()
  })

  it('stores neither missing values nor errors', async () => {
    const [store] = stores
    let times = 0
    const nothing = async (): Promise<undefined> => void (times += 1)
    await store.readCached('nothing', nothing)
    await store.readCached('nothing', nothing)
    expect(times).toBe(2)
    await expect(store.readCached('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await store.readCached('fails', async () => 'yes')).toBe('yes')
  })

  it('does not keep a value read during a commit', async () => {
    const [store, other] = stores
    await set(store, 'before')
    const { work } = counted()
    for (const [writer, value] of [
      [other, 'after'],
      [store, 'later'],
    ] as const) {
      let found: string | undefined
      const slow = store.readCached(`slow ${value}`, async (db) => {
        found = await work(db)
        await set(writer, value)
        return found
      })
      expect(await slow).toBe(found)
      await expectSoon(async () => store.readCached(`slow ${value}`, work), value)
      await set(writer, 'before')
    }
  })

  it('reads correctly with more keys than the cache holds', async () => {
    const [store] = stores
    for (let key = 0; key < 2_500; key += 1) expect(await store.readCached(`key ${key}`, async () => key)).toBe(key)
  })
})
