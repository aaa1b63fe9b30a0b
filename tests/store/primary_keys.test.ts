import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { engine, on } from '../harness/databases.ts'
import { makeDatabase as makeDatabaseBlock, makeRow } from '../harness/databases_content.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { idOf } from '../harness/json.ts'

/** The project's tables without a primary key. Tables that an engine keeps for a virtual table do not count. */
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
    expect(await database.read((db) => db.all({}, WITHOUT_KEY[engine]))).toStrictEqual([])
    const names = (await database.read((db) => db.all({ name: 'text' }, ALL_TABLES[engine]))).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['titles', 'blocks', 'cells', 'budget_windows', 'migrations']))
  } finally {
    await server.stop()
  }
})

on('postgresql', describe)('a database whose tables are all published to replicas', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await server.service.database.write((db) => db.run('create publication replicas for all tables'))
  })
  afterAll(() => server.stop())

  it('the engine accepts every kind of write: pages, blocks, titles, rows, moves, trash', async () => {
    const { owner } = server
    const [page, parent] = [await makePage(owner, 'Sextant'), await makePage(owner, 'Instruments')]
    const title = { title: { title: [text('Octant')] } }
    const path = { page_id: page }
    const block = await appendOne(owner, page, paragraph('Brass'))
    const { id: database, sourceId } = await makeDatabaseBlock(owner, page)
    const row = idOf(await makeRow(owner, sourceId, { Name: { title: [text('Mast')] } }))
    for (const response of [
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
      expect(response.status, response.text).toBe(200)
  })
})
