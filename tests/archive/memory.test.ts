import { expect, it } from 'vitest'
import { exportPages } from '../../archive/src/export/export_pages.ts'
import { ROWS_AT_ONCE } from '../../archive/src/export/record_index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { openFiles } from '../../server/store/files/open.ts'
import { makePage, paragraph, text } from '../harness/content.ts'
import { scratchFolder } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { serverOfFile } from '../harness/server.ts'
import { filesOf, newPath } from './support/archives.ts'
import { countingReads } from './support/counting.ts'

const server = await serverOfFile()

it('an export of pages holds at most one batch of rows in memory', async () => {
  const { owner } = server
  const page = await makePage(owner, 'Many')
  const { sourceId } = await makeDatabase(owner, page)
  const rows = 2 * ROWS_AT_ONCE + 50
  for (let index = 0; index < rows; index += 1) {
    const children = index % 10 === 0 ? { children: [paragraph(`Text ${index}`)] } : {}
    await makeRow(owner, sourceId, { Name: { title: [text(`Row ${index}`)] } }, children)
  }
  const storage = await openFiles({ kind: 'folder', path: scratchFolder('files-') })
  const { database, peak } = countingReads(server.service.database)
  const path = newPath()
  await exportPages({ database, storage, origin: undefined }, exampleWorkspace.workspace.id, path, Date.now())
  await storage.close()
  expect(peak()).toBe(ROWS_AT_ONCE)
  const files = await filesOf(path)
  expect(String(files['Many/Repairs.csv']).trim().split('\r\n')).toHaveLength(rows + 1)
  expect(Object.keys(files).filter((name) => name.startsWith('Many/Repairs/'))).toHaveLength(Math.ceil(rows / 10))
})
