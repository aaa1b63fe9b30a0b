import { expect, it } from 'vitest'
import type { Connection } from '../../server/store/database.ts'
import { makePage, text } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'
import { findAll } from '../operations/search/support.ts'

const server = await serverOfFile()

const wordsOf = async (db: Connection): Promise<string[]> =>
  (await db.all({ word: 'text' }, 'select word from title_words order by word')).map(({ word }) => word)
const words = async (): Promise<string[]> => server.service.database.read(wordsOf)

it('the index of titles has each word of a title once, as long as the title has it', async () => {
  const before = await words()
  const id = await makePage(server.owner, `Dunlin and dunlin, a "\\${'x'.repeat(30)}`)
  const added = ['a', 'and', 'dunlin', 'x'.repeat(24)]
  expect(await words()).toEqual([...before, ...added].sort())
  const title = [text('Dunlin only')]
  await server.owner.call('updatePage', { path: { page_id: id }, body: { properties: { title } } })
  expect(await words()).toEqual([...before, 'dunlin', 'only'].sort())
  await server.service.database.write((db) => db.run('delete from titles where id = ?', id))
  expect(await words()).toEqual(before)
})

it('a title of a failed transaction leaves no words in the index', async () => {
  const id = await makePage(server.owner, 'Dunlin')
  await expect(
    server.service.database.write(async (db) => {
      await db.run('delete from titles')
      expect(await wordsOf(db)).toEqual([])
      throw new Error('enough')
    }),
  ).rejects.toThrow('enough')
  expect(await findAll(server.owner, { query: 'dunlin' })).toStrictEqual([id])
})
