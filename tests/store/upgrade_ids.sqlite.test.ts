import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase } from '../harness/databases.ts'

/** The fixture has ids as text, as release 0.1.0 stored them. */
const made = await makeDatabase('none')
const path = made.url.replace(/^sqlite:/, '')
writeFileSync(path, gunzipSync(readFileSync(new URL('fixtures/release_0_1_0.db.gz', import.meta.url))))
afterAll(() => made.drop())

type Rows = readonly Readonly<Record<string, unknown>>[]

function queried<T>(work: (all: (sql: string) => Rows) => T): T {
  const file = new DatabaseSync(path)
  try {
    return work((sql) => file.prepare(sql).all())
  } finally {
    file.close()
  }
}

const TABLES = `select name from sqlite_master where type = 'table' and name not like 'title_keys%' and name <> 'migrations'`

/** The rows of every table, in no particular order, without columns that later migrations drop or add. */
const comparable = (rows: Rows, columns: readonly string[]): string[] =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted()

it('every row of an older release has the same values after the upgrade, with ids as bytes and valid references', async () => {
  const before = queried((all) => new Map(all(TABLES).map(({ name }) => [String(name), all(`select * from ${String(name)}`)])))
  const store = openDatabase(parseConfig({ DATABASE_URL: made.url }).database)
  try {
    await migrate(store)
    let compared = 0
    for (const [table, rows] of before) {
      const after: Rows = await store.read((db) => db.all({}, `select * from ${table}`))
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (after[0] ?? {}))
      expect(comparable(after, columns), table).toEqual(comparable(rows, columns))
      compared += rows.length
    }
    expect(compared).toBeGreaterThan(200)
  } finally {
    await store.close()
  }
  queried((all) => {
    expect(all('pragma foreign_key_check')).toEqual([])
    for (const { name } of all(TABLES)) {
      for (const column of all(`select name, type from pragma_table_xinfo('${String(name)}')`)) {
        const isId = column['type'] === 'uuid blob'
        const wrong = isId
          ? `typeof(c) not in ('blob', 'null') or length(c) <> 16`
          : `c glob '????????-????-????-????-????????????'`
        const found = all(`select c from (select ${String(column['name'])} as c from ${String(name)}) where ${wrong}`)
        expect(found, `${String(name)}.${String(column['name'])}`).toEqual([])
      }
    }
  })
})
