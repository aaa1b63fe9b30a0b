import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { sweep } from '../harness/sweeps.ts'
import { commentOn, makeComment } from '../harness/comments.ts'
import { makeConnection } from '../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../harness/content.ts'
import { everyType, Listening } from '../harness/events.ts'
import { create, png, upload } from '../harness/files.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { EVERYTHING } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { onceRequested, served, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let remote: RemoteHost
let server: TestServer
let listening: Listening
beforeAll(async () => {
  remote = await startRemoteHost({
    'pier.png': onceRequested('image/png', (_request, response) => response.end(png)),
    'page.png': onceRequested('image/png', served(Buffer.from('<!doctype html><title>Sign in</title>'), 'text/html')),
    'gone.png': onceRequested('image/png', (_request, response) => response.writeHead(404).end()),
  })
  server = await startTestServer({ FILE_IMPORT_HOSTS: remote.host })
  listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })
})
afterAll(() => Promise.all([server.stop(), remote.close()]))

describe('events of comments', () => {
  it('are sent immediately as comment.created, comment.updated and comment.deleted, with the parent', async () => {
    const pageId = await makePage(server.owner)
    let id = ''
    let discussion = ''
    const events = await listening.eventsBy(async () => {
      const comment = await commentOn(server.owner, pageId)
      id = idOf(comment)
      discussion = textAt(comment, 'discussion_id')
      await server.owner.call('updateComment', { path: { comment_id: id }, body: { markdown: 'Other words' } })
      await server.owner.call('updateComment', { path: { comment_id: id }, body: { markdown: 'And others' } })
      await server.owner.call('deleteComment', { path: { comment_id: id } })
    })
    const data = { parent: { id: pageId, type: 'page' }, page_id: pageId, discussion_id: discussion }
    expect(events.filter(([type]) => type.startsWith('comment'))).toEqual(
      ['comment.created', 'comment.deleted', 'comment.updated', 'comment.updated'].map((type) => [type, id, data]),
    )
  })

  it('name the block and its page for a comment on a block', async () => {
    const pageId = await makePage(server.owner)
    const block = await appendOne(server.owner, pageId, paragraph('here'))
    const events = await listening.eventsBy(() => makeComment(server.owner, { parent: { block_id: block }, markdown: 'Here?' }))
    expect(events.map(([type, , data]) => [type, at(data, 'parent'), at(data, 'page_id')])).toEqual([
      ['comment.created', { id: block, type: 'block' }, pageId],
    ])
  })
})

describe('events of file uploads', () => {
  it('are file_upload.created and file_upload.completed, without data', async () => {
    let id = ''
    const events = await listening.eventsBy(async () => {
      id = await upload(server.owner, 'low water', 'tide.txt')
    })
    expect(events).toEqual(
      [
        ['file_upload.created', id, null],
        ['file_upload.completed', id, null],
      ].toSorted(),
    )
  })

  it('end an import with file_upload.completed, or with file_upload.upload_failed and its reason', async () => {
    const ids: string[] = []
    const events = await listening.eventsBy(async () => {
      for (const name of ['pier.png', 'gone.png', 'page.png'])
        ids.push(idOf(await create(server.owner, { mode: 'external_url', filename: name, external_url: remote.url(name) })))
      for (const id of ids)
        await until(async () => {
          const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
          return body['status'] === 'pending' ? undefined : true
        })
    })
    const [good = '', gone = '', page = ''] = ids
    const ended = events.filter(([type]) => type !== 'file_upload.created')
    const reasons = ended.map(([type, id, data]) => [type, id, data && at(data, 'file_import_result', 'error', 'type')])
    expect(new Set(reasons)).toEqual(
      new Set([
        ['file_upload.completed', good, null],
        ['file_upload.upload_failed', gone, 'download_error'],
        ['file_upload.upload_failed', page, 'validation_error'],
      ]),
    )
  })

  it('include file_upload.expired when an unattached upload expires', async () => {
    const id = idOf(await create(server.owner, { filename: 'late.txt' }))
    const events = await listening.eventsBy(async () => {
      server.clock.advance(3_600_001)
      await sweep(server.service.database, server.clock.now())
    })
    expect(events).toContainEqual(['file_upload.expired', id, null])
  })

  it('are sent only to the connection that made the upload', async () => {
    const other = await makeConnection(server, { capabilities: EVERYTHING, grants: [exampleWorkspace.workspace.id] })
    expect(await listening.eventsBy(() => upload(other.caller, 'high water', 'tide.txt'))).toEqual([])
  })
})
