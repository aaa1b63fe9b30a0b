import { afterAll, beforeAll, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { columnTypes } from '../../server/store/dialects/column_types.ts'
import { titleKey } from '../../server/store/migrations/title_key.ts'
import { titleNumbers } from '../../server/store/migrations/title_numbers.ts'
import { titles } from '../../server/store/migrations/titles.ts'
import { titlesInTrash } from '../../server/store/migrations/titles_in_trash.ts'
import type { Transaction } from '../../server/store/database.ts'
import { makePage } from '../harness/content.ts'
import { engine } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { findAll } from '../operations/search/support.ts'

const workspaceId = story.workspace.id

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Takes all titles out of the index. */
async function forgetAll(db: Transaction): Promise<void> {
  for (const { number, ...title } of await db.all<{ id: string; number: number }>('select id, number from titles')) {
    await db.titleKeys.remove(db, { workspaceId, ...title, number })
  }
  await db.run('delete from titles')
}

it('the migrations index what is there already', async () => {
  const pages: string[] = []
  for (let index = 0; index < 12; index += 1) pages.push(await makePage(server.owner, `Lapwing ${index}`, pages[0]))
  await server.owner.call('deleteBlock', { path: { block_id: pages[3] ?? '' } })
  const databases = [await makeDatabase(server.owner, pages[1] ?? ''), await makeDatabase(server.owner, pages[2] ?? '')]
  await makeRow(server.owner, databases[0]?.sourceId ?? '')
  await server.owner.call('deleteBlock', { path: { block_id: databases[1]?.id ?? '' } })
  const stored = (): Promise<object[]> =>
    server.service.database.read((db) =>
      db.all(`select id, kind, parent_id, above_id, words, head, in_trash, last_edited_time from titles order by id`),
    )
  const before = await stored()
  const found = await findAll(server.owner, { query: 'lapwing', sort: { property: 'relevance' } })
  await server.service.database.write(forgetAll)
  expect(await findAll(server.owner, {})).toStrictEqual([])
  await server.service.database.write(async (db) => {
    await titles.fill?.(db)
    await titlesInTrash.fill?.(db)
  })
  expect(await stored()).toStrictEqual(before)
  expect(found).toHaveLength(11)
  expect(await findAll(server.owner, { query: 'lapwing', sort: { property: 'relevance' } })).toStrictEqual(found)
})

it.runIf(engine === 'postgresql')('the words of what is there already get numbers', async () => {
  const id = await makePage(server.owner, 'Phalarope')
  await server.service.database.write(async (db) => {
    // As it was before.
    await db.run('drop function number_keys() cascade')
    await db.run('alter table titles drop constraint titles_by_number')
    await db.run('create unique index titles_by_number on titles (number)')
    await db.run('alter table title_keys drop column number')
    for (const step of [titleNumbers, titleKey])
      for (const statement of step.statements(columnTypes[engine], engine)) await db.run(statement)
  })
  const numbers = await server.service.database.read((db) =>
    db.all<{ id: string }>('select t.id from title_keys k join titles t on t.number = k.number and t.id = k.id'),
  )
  const titled = await server.service.database.read((db) => db.all<{ id: string }>(`select id from titles where words <> ' '`))
  expect(numbers.map((row) => row.id).sort()).toStrictEqual(titled.map((row) => row.id).sort())
  const query = { query: 'phalarope', sort: { property: 'relevance' } }
  expect(await findAll(server.owner, query)).toStrictEqual([id])
  const later = await makePage(server.owner, 'Phalaropes')
  expect((await findAll(server.owner, query)).sort()).toStrictEqual([id, later].sort())
})

it('nothing is left of a title whose transaction failed', async () => {
  const id = await makePage(server.owner, 'Dunlin')
  await expect(
    server.service.database.write(async (db) => {
      await forgetAll(db)
      throw new Error('enough')
    }),
  ).rejects.toThrow('enough')
  expect(await findAll(server.owner, { query: 'dunlin' })).toStrictEqual([id])
})
