import { afterAll, beforeAll, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { titles } from '../../server/store/migrations/titles.ts'
import { putTitle, removeTitle } from '../../server/store/titles.ts'
import { walkTitles } from '../../server/store/title_search.ts'
import { makePage } from '../harness/content.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { findAll } from '../operations/search/support.ts'

const workspaceId = story.workspace.id

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('the migration indexes what is there already', async () => {
  const pages: string[] = []
  for (let index = 0; index < 12; index += 1) pages.push(await makePage(server.owner, `Lapwing ${index}`, pages[0]))
  await server.owner.call('deleteBlock', { path: { block_id: pages[3] ?? '' } })
  const stored = (): Promise<object[]> =>
    server.service.database.read((db) =>
      db.all(`select id, kind, parent_id, above_id, words, head, in_trash, last_edited_time from titles order by id`),
    )
  const before = await stored()
  const found = await findAll(server.owner, { query: 'lapwing', sort: { property: 'relevance' } })
  await server.service.database.write(async (db) => {
    for (const { id } of await db.all<{ id: string }>('select id from titles')) await removeTitle(db, workspaceId, id)
  })
  expect(await findAll(server.owner, {})).toStrictEqual([])
  await server.service.database.write(async (db) => titles.fill?.(db))
  expect(await stored()).toStrictEqual(before)
  expect(found).toHaveLength(11)
  expect(await findAll(server.owner, { query: 'lapwing', sort: { property: 'relevance' } })).toStrictEqual(found)
})

it('what is no block is put, changed and removed by one function each', async () => {
  const id = 'c7e7a1de-4b52-4d0e-8a4f-6f9b6b1f2a10'
  const field = { workspaceId, kinds: ['data_source'], inTrash: false } as const
  const words = (): Promise<string[]> =>
    server.service.database.read(async (db) =>
      (await walkTitles(db, field, undefined, 'descending', undefined, { titles: 10, matches: 10 })).titles.map(
        (row) => row.words,
      ),
    )
  const put = (text: string, inTrash = false): Promise<void> =>
    server.service.database.write((db) =>
      putTitle(db, workspaceId, {
        id,
        kind: 'data_source',
        parentId: story.repairLog,
        aboveId: story.repairLog,
        title: [{ type: 'text', text: { content: text } }],
        lastEditedTime: 5,
        inTrash,
      }),
    )
  await put('Repairs')
  expect(await words()).toStrictEqual([' repairs '])
  await put('Mended')
  expect(await words()).toStrictEqual([' mended '])
  await put('Mended', true)
  expect(await words()).toStrictEqual([])
  await server.service.database.write((db) => removeTitle(db, workspaceId, id))
  await put('Again')
  expect(await words()).toStrictEqual([' again '])
})

it('nothing is left of a title whose transaction failed', async () => {
  const id = await makePage(server.owner, 'Dunlin')
  await expect(
    server.service.database.write(async (db) => {
      await removeTitle(db, workspaceId, id)
      throw new Error('enough')
    }),
  ).rejects.toThrow('enough')
  expect(await findAll(server.owner, { query: 'dunlin' })).toStrictEqual([id])
})
