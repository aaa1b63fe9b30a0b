import { expect, it } from 'vitest'
import { exportPages } from '../../server/archive/export/export_pages.ts'
import { ROWS_AT_ONCE } from '../../server/archive/export/record_index.ts'
import { story } from '../../server/bootstrap/story.ts'
import type { Connection, Database } from '../../server/store/database.ts'
import { openFiles } from '../../server/store/files/open.ts'
import { makePage, paragraph, text } from '../harness/content.ts'
import { scratchFolder } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { serverOfFile } from '../harness/server.ts'
import { filesOf, newPath } from './support/archives.ts'

const server = await serverOfFile()

/** A database that counts the most rows that one statement gives to an export. */
function counting(database: Database): { readonly database: Pick<Database, 'snapshot'>; readonly peak: () => number } {
  let peak = 0
  const counted = (db: Connection): Connection =>
    new Proxy(db, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        if (key !== 'all') return member.bind(target)
        return async (...words: unknown[]) => {
          const found: unknown = await member.apply(target, words)
          if (Array.isArray(found)) peak = Math.max(peak, found.length)
          return found
        }
      },
    })
  return { database: { snapshot: (work) => database.snapshot((db) => work(counted(db))) }, peak: () => peak }
}

it('an export holds a page of rows at a time, however many there are', async () => {
  const { owner } = server
  const page = await makePage(owner, 'Many')
  const { sourceId } = await makeDatabase(owner, page)
  const rows = 2 * ROWS_AT_ONCE + 50
  for (let index = 0; index < rows; index += 1) {
    const children = index % 10 === 0 ? { children: [paragraph(`Text ${index}`)] } : {}
    await makeRow(owner, sourceId, { Name: { title: [text(`Row ${index}`)] } }, children)
  }
  const storage = await openFiles({ kind: 'folder', path: scratchFolder('files-') })
  const { database, peak } = counting(server.service.database)
  const path = newPath()
  await exportPages({ database, storage, origin: undefined }, story.workspace.id, path, Date.now())
  await storage.close()
  expect(peak()).toBe(ROWS_AT_ONCE)
  const files = await filesOf(path)
  expect(String(files['Many/Repairs.csv']).trim().split('\r\n')).toHaveLength(rows + 1)
  expect(Object.keys(files).filter((name) => name.startsWith('Many/Repairs/'))).toHaveLength(Math.ceil(rows / 10))
})
