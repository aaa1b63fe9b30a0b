import { expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import type { Transaction } from '../../server/store/database.ts'
import { makePage } from '../harness/content.ts'
import { serverOfFile } from '../harness/server.ts'
import { findAll } from '../operations/search/support.ts'

const workspaceId = story.workspace.id

const server = await serverOfFile()

/** Takes all titles out of the index. */
async function forgetAll(db: Transaction): Promise<void> {
  for (const { number, ...title } of await db.all({ id: 'text', number: 'integer' }, 'select id, number from titles')) {
    await db.titleKeys.remove(db, { workspaceId, ...title, number })
  }
  await db.run('delete from titles')
}

it('a title of a failed transaction leaves nothing in the index', async () => {
  const id = await makePage(server.owner, 'Dunlin')
  await expect(
    server.service.database.write(async (db) => {
      await forgetAll(db)
      throw new Error('enough')
    }),
  ).rejects.toThrow('enough')
  expect(await findAll(server.owner, { query: 'dunlin' })).toStrictEqual([id])
})
