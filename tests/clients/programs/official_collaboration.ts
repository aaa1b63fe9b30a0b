import assert from 'node:assert/strict'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { text, type Official } from './official_client.ts'
import { HANDBOOK } from './program.ts'

/** Uses additions of later releases: comments, files, Markdown, views. */
export async function collaborate(client: Official, page_id: string): Promise<void> {
  const { run } = client
  if (client.has('comments.create')) await run.part('comments', () => comment(client, page_id))
  if (client.has('fileUploads.create')) await run.part('file uploads', () => upload(client, page_id))
  if (client.has('pages.retrieveMarkdown')) await run.part('markdown', () => writeMarkdown(client, page_id))
  if (client.has('views.create')) await run.part('views', () => view(client, page_id))
  if (client.has('customEmojis.list', 'pages.move')) await run.part('further', () => lookFurther(client, page_id))
}

async function comment(client: Official, page_id: string): Promise<void> {
  const first = await client.call('comments.create', { parent: { page_id }, rich_text: text('Which berth?') })
  const discussion_id = textAt(first, 'discussion_id')
  await client.call('comments.create', { discussion_id, rich_text: text('Berth 14') }, (made) =>
    assert.equal(made['discussion_id'], discussion_id),
  )
  await client.call('comments.list', { block_id: page_id }, (list) => assert.equal(resultsOf(list).length, 2))
  if (!client.has('comments.retrieve', 'comments.update', 'comments.delete')) return
  const comment_id = idOf(first)
  await client.call('comments.retrieve', { comment_id }, (read) => assert.equal(read['id'], comment_id))
  await client.call('comments.update', { comment_id, rich_text: text('Which quay?') }, (read) =>
    assert.equal(at(read, 'rich_text', 0, 'plain_text'), 'Which quay?'),
  )
  await client.call('comments.delete', { comment_id })
}

async function upload(client: Official, block_id: string): Promise<void> {
  const made = await client.call('fileUploads.create', { mode: 'single_part', filename: 'tides.txt', content_type: 'text/plain' })
  const file_upload_id = idOf(made)
  const file = { filename: 'tides.txt', data: new Blob(['High water 11:40'], { type: 'text/plain' }) }
  await client.call('fileUploads.send', { file_upload_id, file }, (sent) => assert.equal(sent['status'], 'uploaded'))
  await client.call('fileUploads.retrieve', { file_upload_id }, (read) => assert.equal(read['filename'], 'tides.txt'))
  await client.call('fileUploads.list', { page_size: 3 }, (list) => assert.ok(resultsOf(list).length > 0))
  const children = [{ type: 'file', file: { type: 'file_upload', file_upload: { id: file_upload_id } } }]
  await client.call('blocks.children.append', { block_id, children }, (added) =>
    assert.equal(at(added, 'results', 0, 'file', 'type'), 'file'),
  )
  const parts = await client.call('fileUploads.create', { mode: 'multi_part', number_of_parts: 2, filename: 'long.txt' })
  const piece = { filename: 'long.txt', data: new Blob([Buffer.alloc(5 * 1024 * 1024, 65)], { type: 'text/plain' }) }
  for (const part_number of ['1', '2'])
    await client.call('fileUploads.send', { file_upload_id: idOf(parts), file: piece, part_number })
  await client.call('fileUploads.complete', { file_upload_id: idOf(parts) }, (done) => assert.equal(done['status'], 'uploaded'))
}

async function writeMarkdown(client: Official, parent: string): Promise<void> {
  const page = await client.call('pages.create', { parent: { page_id: parent }, markdown: '# Tide table\n\n- 11:40\n- 23:55\n' })
  const page_id = idOf(page)
  await client.call('pages.retrieveMarkdown', { page_id }, (read) => assert.equal(read['markdown'], '- 11:40\n- 23:55'))
  await client.call('pages.updateMarkdown', {
    page_id,
    type: 'insert_content',
    insert_content: { content: '## Sunday' },
  })
  const update = { type: 'update_content', update_content: { content_updates: [{ old_str: '11:40', new_str: '11:45' }] } }
  await client.call('pages.updateMarkdown', { page_id, ...update }, (read) => assert.match(String(read['markdown']), /11:45/))
}

async function view(client: Official, page_id: string): Promise<void> {
  const parent = { type: 'page_id', page_id }
  const columns = { initial_data_source: { properties: { Name: { title: {} }, Length: { number: {} } } } }
  const database = await client.call('databases.create', { parent, title: text('Viewed'), ...columns })
  const data_source_id = textAt(database, 'data_sources', 0, 'id')
  const body = { database_id: idOf(database), data_source_id, name: 'By length', type: 'table' }
  const made = await client.call('views.create', body)
  const view_id = idOf(made)
  await client.call('views.retrieve', { view_id })
  await client.call('views.update', { view_id, name: 'Longest first', sorts: [{ property: 'Length', direction: 'descending' }] })
  await client.call('views.list', { database_id: idOf(database) }, (list) => assert.equal(resultsOf(list).length, 2))
  const begun = await client.call('views.queries.create', { view_id })
  await client.call('views.queries.results', { view_id, query_id: idOf(begun) })
  await client.call('views.queries.delete', { view_id, query_id: idOf(begun) })
  await client.call('views.delete', { view_id })
}

async function lookFurther(client: Official, page_id: string): Promise<void> {
  await client.call('customEmojis.list', {}, (list) => assert.ok(resultsOf(list).length > 0))
  const page = await client.call('pages.create', { parent: { page_id }, properties: { title: { title: text('Moved') } } })
  await client.call('pages.move', { page_id: idOf(page), parent: { type: 'page_id', page_id: HANDBOOK } }, (moved) =>
    assert.equal(at(moved, 'parent', 'page_id'), HANDBOOK),
  )
}
