import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newId } from '../../server/kernel/ids.ts'
import { raw, sql } from '../../server/store/sql.ts'
import type { Manifest } from '../../server/domain/workspace_archive/archive.ts'
import { story } from '../../server/bootstrap/story.ts'
import { children } from '../harness/content.ts'
import { at } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { hostileExport } from './support/hostile.ts'

const FOREIGN = newId()
const { cli, copy, edited, other, settingsOf, url } = await hostileExport()

it('404 at the address of a file of another workspace when an imported block names that file', async () => {
  let [page, own] = ['', '']
  const from = edited(
    'blocks',
    (row) => {
      const content = JSON.parse(String(row['content'])) as { file: { id: string } }
      ;[page, own] = [String(row['parent_id']), content.file.id]
      row['content'] = JSON.stringify({ ...content, file: { id: FOREIGN } })
    },
    (row) => row['type'] === 'image' && String(row['content']).includes('"file":{"id"'),
  )()
  await cli.json('workspace', 'import', from, '--with-credentials')
  const server = await startTestServer(settingsOf('target', url))
  try {
    const { tables } = JSON.parse(readFileSync(join(copy, 'workspace.json'), 'utf8')) as Manifest
    const names = tables.find(({ name }) => name === 'file_uploads')?.columns ?? []
    const others = names.filter((name) => name !== 'id' && name !== 'workspace_id')
    const copyTo = (workspaceId: string): Promise<unknown> =>
      server.service.database.write((db) =>
        db.run(sql`insert into file_uploads (id, workspace_id, ${raw(others.join(', '))})
          select ${FOREIGN}, ${workspaceId}, ${raw(others.join(', '))} from file_uploads
          where workspace_id = ${story.workspace.id} and id = ${own}`),
      )
    await copyTo(other())
    const [image] = await children(server.owner, page)
    const address = String(at(image ?? {}, 'image', 'file', 'url'))
    expect(address).not.toContain(other())
    expect((await fetch(address)).status).toBe(404)
    // The same address opens the file once it is one of the workspace.
    await copyTo(story.workspace.id)
    expect((await fetch(address)).status).toBe(200)
  } finally {
    await server.stop()
  }
})
