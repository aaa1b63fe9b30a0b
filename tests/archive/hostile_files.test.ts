import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newId } from '../../server/kernel/ids.ts'
import { raw, sql } from '../../server/store/sql.ts'
import { children } from '../harness/content.ts'
import { at, type JsonObject } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { hostileExport, type Row } from './support/hostile.ts'

const FOREIGN = newId()
const FILE = { type: 'file', file: { id: FOREIGN } }
const EMOJI = { type: 'custom_emoji', custom_emoji: { id: FOREIGN } }
const MENTION = [{ type: 'mention', mention: EMOJI }]
const { cli, edited, exported, expectRefusal, other, settingsOf, url } = await hostileExport()

const isImage = (row: Row): boolean => row['type'] === 'image' && String(row['content']).includes('"file":{"id"')
const isParagraph = (row: Row): boolean => row['type'] === 'paragraph'
const members = (row: Row, column: string): JsonObject => JSON.parse(String(row[column])) as JsonObject

/** An export in which `of` replaces the JSON in a column of the first row that satisfies `isTarget`. */
function holding(table: string, column: string, of: (row: Row) => unknown, isTarget?: (row: Row) => boolean): () => string {
  return edited(table, (row) => (row[column] = JSON.stringify(of(row))), isTarget)
}

describe('import refuses malformed files, and content that names a file or emoji missing from the export, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'an image',
      holding('blocks', 'content', (row) => ({ ...members(row, 'content'), ...FILE }), isImage),
      /blocks, line \d+, content\.file\.id: expected the id of a row of file_uploads, found "/,
    ],
    [
      'an image in another spelling of JSON',
      edited(
        'blocks',
        (row) =>
          (row['content'] = JSON.stringify({ ...members(row, 'content'), ...FILE }).replaceAll('file', String.raw`fi\u006ce`)),
        isImage,
      ),
      /blocks, line \d+, content\.file\.id: expected the id of a row of file_uploads/,
    ],
    [
      'a mention of an emoji',
      holding('blocks', 'content', () => ({ rich_text: MENTION }), isParagraph),
      /blocks, line \d+, content\.rich_text\[0\]\.mention\.custom_emoji\.id: expected the id of a row of custom_emojis, found "/,
    ],
    [
      'an icon of a page',
      holding('pages', 'icon', () => EMOJI),
      /pages, line 1, icon\.custom_emoji\.id: expected the id of a row/,
    ],
    [
      'a cover of a page',
      holding('pages', 'cover', () => FILE),
      /pages, line 1, cover\.file\.id: expected the id of a row of file/,
    ],
    ['an icon of a data source', holding('data_sources', 'icon', () => FILE), /data_sources, line 1, icon\.file\.id/],
    ['a cover of a database', holding('databases', 'cover', () => FILE), /databases, line 1, cover\.file\.id/],
    ['an attachment', holding('comments', 'attachments', () => [FILE]), /comments, line 1, attachments\[0\]\.file\.id/],
    ['an icon of an agent', holding('agents', 'icon', () => EMOJI), /agents, line 1, icon\.custom_emoji\.id/],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })

  it.each<[string, () => string, RegExp]>([
    [
      'a file without its type',
      holding('blocks', 'content', () => ({ file: FILE.file, caption: [] }), isImage),
      /blocks, line \d+, content\.type: expected one of file, found nothing/,
    ],
    [
      'an external file with a hosted one',
      holding('blocks', 'content', () => ({ external: { url: 'x' }, ...FILE, type: 'external', caption: [] }), isImage),
      /blocks, line \d+, content\.type: expected one of file, found "external"/,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})

it("404 for a file of another workspace, even if an imported block of the caller's workspace names it", async () => {
  await cli.json('workspace', 'import', exported, '--with-credentials')
  const server = await startTestServer(settingsOf('target', url))
  const { database } = server.service
  try {
    const image = await database.read((db) =>
      db.get(
        { parent_id: 'text', content: 'text' },
        sql`select parent_id, content from blocks where workspace_id = ${exampleWorkspace.workspace.id} and content like '%"file":{"id"%'`,
      ),
    )
    const own = String(at(JSON.parse(image?.content ?? ''), 'file', 'id'))
    const columns = `actor_id, actor_kind, mode, status, filename, content_type, type_is_given, parts_sent, created_time, last_edited_time`
    const copyTo = (workspaceId: string): Promise<unknown> =>
      database.write((db) =>
        db.run(sql`insert into file_uploads (id, workspace_id, ${raw(columns)}) select ${FOREIGN}, ${workspaceId}, ${raw(columns)}
          from file_uploads where workspace_id = ${exampleWorkspace.workspace.id} and id = ${own}`),
      )
    await copyTo(other())
    await database.write((db) =>
      db.run(sql`update blocks set content = ${JSON.stringify({ ...FILE, caption: [] })}
        where workspace_id = ${exampleWorkspace.workspace.id} and content = ${image?.content ?? ''}`),
    )
    const [shown] = await children(server.owner, image?.parent_id ?? '')
    const address = String(at(shown ?? {}, 'image', 'file', 'url'))
    expect(address).not.toContain(other())
    expect((await fetch(address)).status).toBe(404)
    const { output } = await cli.run(['doctor', '--json'])
    expect(output).toMatch(
      new RegExp(`blocks [^,]+, content.file.id: expected the id of a row of file_uploads, found ${FOREIGN}`),
    )
    // The same address opens the file once the workspace has it.
    await copyTo(exampleWorkspace.workspace.id)
    expect((await fetch(address)).status).toBe(200)
  } finally {
    await server.stop()
  }
})
