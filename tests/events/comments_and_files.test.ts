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
import { onceAsked, served, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let remote: RemoteHost
let server: TestServer
let listening: Listening
beforeAll(async () => {
  remote = await startRemoteHost({
    'pier.png': onceAsked('image/png', (_request, response) => response.end(png)),
    'page.png': onceAsked('image/png', served(Buffer.from('<!doctype html><title>Sign in</title>'), 'text/html')),
    'gone.png': onceAsked('image/png', (_request, response) => response.writeHead(404).end()),
  })
  server = await startTestServer({ FILE_IMPORT_HOSTS: remote.host })
  listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })
})
afterAll(() => Promise.all([server.stop(), remote.close()]))

describe('comments', () => {
  it('comment.created, comment.updated and comment.deleted immediately, with their parent', async () => {
    const pageId = await makePage(server.owner)
    let id = ''
    let discussion = ''
    const told = await listening.toldBy(async () => {
      const comment = await commentOn(server.owner, pageId)
      id = idOf(comment)
      discussion = textAt(comment, 'discussion_id')
      await server.owner.call('updateComment', { path: { comment_id: id }, body: { markdown: 'Other words' } })
      await server.owner.call('updateComment', { path: { comment_id: id }, body: { markdown: 'And others' } })
      await server.owner.call('deleteComment', { path: { comment_id: id } })
    })
    const data = { parent: { id: pageId, type: 'page' }, page_id: pageId, discussion_id: discussion }
    expect(told.filter(([type]) => type.startsWith('comment'))).toEqual(
      ['comment.created', 'comment.deleted', 'comment.updated', 'comment.updated'].map((type) => [type, id, data]),
    )
  })

  it('on a block: the block, and its page', async () => {
    const pageId = await makePage(server.owner)
    const block = await appendOne(server.owner, pageId, paragraph('here'))
    const told = await listening.toldBy(() => makeComment(server.owner, { parent: { block_id: block }, markdown: 'Here?' }))
    expect(told.map(([type, , data]) => [type, at(data, 'parent'), at(data, 'page_id')])).toEqual([
      ['comment.created', { id: block, type: 'block' }, pageId],
    ])
  })
})

describe('file uploads', () => {
  it('file_upload.created and file_upload.completed, without data', async () => {
    let id = ''
    const told = await listening.toldBy(async () => {
      id = await upload(server.owner, 'low water', 'tide.txt')
    })
    expect(told).toEqual(
      [
        ['file_upload.created', id, null],
        ['file_upload.completed', id, null],
      ].toSorted(),
    )
  })

  it('an import ends with file_upload.completed, or with file_upload.upload_failed, which says why', async () => {
    const ids: string[] = []
    const told = await listening.toldBy(async () => {
      for (const name of ['pier.png', 'gone.png', 'page.png'])
        ids.push(idOf(await create(server.owner, { mode: 'external_url', filename: name, external_url: remote.url(name) })))
      for (const id of ids)
        await until(async () => {
          const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
          return body['status'] === 'pending' ? undefined : true
        })
    })
    const [good = '', gone = '', page = ''] = ids
    const ended = told.filter(([type]) => type !== 'file_upload.created')
    const reasons = ended.map(([type, id, data]) => [type, id, data && at(data, 'file_import_result', 'error', 'type')])
    expect(new Set(reasons)).toEqual(
      new Set([
        ['file_upload.completed', good, null],
        ['file_upload.upload_failed', gone, 'download_error'],
        ['file_upload.upload_failed', page, 'validation_error'],
      ]),
    )
  })

  it('file_upload.expired when an unattached upload expires', async () => {
    const id = idOf(await create(server.owner, { filename: 'late.txt' }))
    const told = await listening.toldBy(async () => {
      server.clock.advance(3_600_001)
      await sweep(server.service.database, server.clock.now())
    })
    expect(told).toContainEqual(['file_upload.expired', id, null])
  })

  it("events of one connection's uploads go only to that connection", async () => {
    const other = await makeConnection(server, { capabilities: EVERYTHING, grants: [exampleWorkspace.workspace.id] })
    expect(await listening.toldBy(() => upload(other.caller, 'high water', 'tide.txt'))).toEqual([])
  })
})
