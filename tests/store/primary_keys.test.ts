import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnTypes } from '../../server/store/dialects/column_types.ts'
import type { Transaction } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { titleKey } from '../../server/store/migrations/title_key.ts'
import { openDatabase } from '../../server/store/open.ts'
import { parseConfig } from '../../server/config.ts'
import { appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { engine, makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { makeDatabase as makeDatabaseBlock, makeRow } from '../harness/databases_content.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { idOf } from '../harness/json.ts'

/** Tables of our own that have no primary key. What an engine keeps for itself beside a virtual table is its own matter. */
const WITHOUT_KEY = {
  sqlite: `select name from pragma_table_list t where schema = 'main' and type = 'table' and name not like 'sqlite_%'
    and not exists (select 1 from pragma_table_info(t.name) where pk > 0)`,
  postgresql: `select c.relname as name from pg_class c
    where c.relnamespace = current_schema::regnamespace and c.relkind in ('r', 'p')
    and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
} as const

const ALL_TABLES = {
  sqlite: `select name from pragma_table_list where schema = 'main' and type = 'table'`,
  postgresql: `select relname as name from pg_class where relnamespace = current_schema::regnamespace and relkind in ('r', 'p')`,
} as const

it('every table has a primary key', async () => {
  const server = await startTestServer()
  try {
    const { database } = server.service
    // If you are here because a table is listed: replicas need a primary key on each; its migration gives it one.
    expect(await database.read((db) => db.all(WITHOUT_KEY[engine]))).toStrictEqual([])
    const names = (await database.read((db) => db.all<{ name: string }>(ALL_TABLES[engine]))).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['titles', 'blocks', 'cells', 'budget_windows', 'migrations']))
  } finally {
    await server.stop()
  }
})

/** A database as a release left it that knew the schema up to, but not with, one step. */
async function databaseBefore(step: string): Promise<TestDatabase> {
  const made = await makeDatabase('none')
  const store = openDatabase(parseConfig({ DATABASE_URL: made.url }).database)
  const write = (work: (db: Transaction) => Promise<unknown>): Promise<unknown> => store.exclusively(work)
  try {
    await write((db) => db.run('create table migrations (number integer primary key, name text not null)'))
    for (const [index, migration] of migrations
      .slice(
        0,
        migrations.findIndex(({ name }) => name === step),
      )
      .entries()) {
      await write(async (db) => {
        for (const statement of migration.statements(columnTypes[engine], engine)) await db.run(statement)
        await migration.fill?.(db)
        await db.run('insert into migrations (number, name) values (?, ?)', index + 1, migration.name)
      })
    }
  } finally {
    await store.close()
  }
  return made
}

it('a database of the release before gets the key of its titles, whose numbers stay as they are', async () => {
  const made = await databaseBefore(titleKey.name)
  const store = openDatabase(parseConfig({ DATABASE_URL: made.url }).database)
  try {
    const workspaceId = '6c1f3a52-0d5b-4b0e-9a33-0f1f5a6b7c8d'
    const ids = ['6c1f3a52-0d5b-4b0e-9a33-0f1f5a6b7c01', '6c1f3a52-0d5b-4b0e-9a33-0f1f5a6b7c02']
    await store.write(async (db) => {
      for (const id of ids) {
        await db.run(
          `insert into titles (workspace_id, id, kind, parent_id, above_id, words, head, in_trash, last_edited_time)
           values (?, ?, 'page', ?, ?, ' sextant', ' sextant', 0, 1)`,
          workspaceId,
          id,
          workspaceId,
          workspaceId,
        )
      }
    })
    const stored = (): Promise<object[]> => store.read((db) => db.all('select number, id, words from titles order by number'))
    const before = await stored()
    expect(before).toHaveLength(2)
    expect((await store.read((db) => db.all(WITHOUT_KEY[engine]))).length).toBe(engine === 'postgresql' ? 1 : 0)
    const steps: string[] = []
    await migrate(store, (name) => void steps.push(name))
    expect(steps[0]).toBe(titleKey.name)
    expect(await stored()).toStrictEqual(before)
    expect(await store.read((db) => db.all(WITHOUT_KEY[engine]))).toStrictEqual([])
  } finally {
    await store.close()
    await made.drop()
  }
})

describe.runIf(engine === 'postgresql')('in a database whose tables are all published to replicas', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await server.service.database.write((db) => db.run('create publication replicas for all tables'))
  })
  afterAll(() => server.stop())

  it('everything can be written: pages, blocks, titles, rows, moves, trash', async () => {
    const { owner } = server
    const [page, parent] = [await makePage(owner, 'Sextant'), await makePage(owner, 'Instruments')]
    const title = { title: { title: [text('Octant')] } }
    const path = { page_id: page }
    const block = await appendOne(owner, page, paragraph('Brass'))
    const { id: database, sourceId } = await makeDatabaseBlock(owner, page)
    const row = idOf(await makeRow(owner, sourceId, { Name: { title: [text('Mast')] } }))
    for (const answer of [
      await owner.call('updatePage', { path, body: { properties: title } }),
      await owner.call('updateBlock', { path: { block_id: block }, body: { paragraph: { rich_text: [text('Silver')] } } }),
      await owner.call('updatePage', { path: { page_id: row }, body: { properties: { Name: { title: [text('Boom')] } } } }),
      await owner.call('updateDatabase', { path: { database_id: database }, body: { title: [text('Spares')] } }),
      await owner.call('movePage', { path, body: { parent: { page_id: parent } } }),
      await owner.call('updatePage', { path: { page_id: row }, body: { in_trash: true } }),
      await owner.call('deleteBlock', { path: { block_id: block } }),
      await owner.call('updatePage', { path, body: { in_trash: true } }),
      await owner.call('updatePage', { path, body: { in_trash: false, erase_content: true } }),
    ])
      expect(answer.status, answer.text).toBe(200)
  })
})
