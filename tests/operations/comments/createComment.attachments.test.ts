import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeComment } from '../../harness/comments.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create, mp4, pdf, png, upload, wav } from '../../harness/files.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Survey')

const HOUR_MS = 60 * 60_000
const withFiles = (...ids: string[]): object => ({
  parent: { page_id: page },
  markdown: 'See the plan',
  attachments: ids.map((file_upload_id) => ({ file_upload_id })),
})
const request = (body: object, caller: Caller = server.owner): Promise<TestResponse> => caller.call('createComment', { body })
const uploadOf = async (id: string): Promise<TestResponse> =>
  server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })

describe('createComment with attachments', () => {
  it('200 with the attachments in the given order, each with the category of its file type', async () => {
    const files: readonly [Buffer | string, string, string][] = [
      [png, 'dock-plan.png', 'image'],
      [pdf, 'survey.pdf', 'pdf'],
      [wav, 'speech.wav', 'audio'],
      [mp4, 'launch.mp4', 'video'],
      ['Low water 05:20', 'tides.txt', 'productivity'],
    ]
    const ids: string[] = []
    for (const [content, name] of files) ids.push(await upload(server.owner, content, name))
    const categories: unknown[] = []
    for (const chosen of [ids.slice(0, 3), ids.slice(3)]) {
      const { attachments } = await makeComment(server.owner, withFiles(...chosen))
      if (Array.isArray(attachments)) categories.push(...attachments.map((one) => at(one, 'category')))
    }
    expect(categories).toStrictEqual(files.map(([, , category]) => category))
  })

  it('200 with newly signed links for an hour on each read, while the upload never expires', async () => {
    const id = await upload(server.owner, png, 'dock-plan.png')
    expect((await uploadOf(id)).body['expiry_time']).not.toBeNull()
    const comment = await makeComment(server.owner, {
      ...withFiles(),
      attachments: [{ type: 'file_upload', file_upload_id: id.replaceAll('-', '').toUpperCase() }],
    })
    expect((await uploadOf(id)).body['expiry_time']).toBeNull()
    server.clock.advance(2 * HOUR_MS)
    const read = await server.owner.call('retrieveComment', { path: { comment_id: idOf(comment) } })
    expect(at(read.body, 'attachments', 0, 'file', 'expiry_time')).toBe(new Date(server.clock.now() + HOUR_MS).toISOString())
    const download = await fetch(textAt(read.body, 'attachments', 0, 'file', 'url'))
    expect(Buffer.from(await download.arrayBuffer()).equals(png)).toBe(true)
    expect((await fetch(textAt(comment, 'attachments', 0, 'file', 'url'))).status).not.toBe(200)
  })

  it('200 for one upload in several comments, even after the first comment is deleted', async () => {
    const id = await upload(server.owner, png, 'dock-plan.png')
    const first = await makeComment(server.owner, withFiles(id, id))
    expect(first['attachments']).toHaveLength(2)
    const gone = await server.owner.call('deleteComment', { path: { comment_id: idOf(first) } })
    expect(gone.body['attachments']).toHaveLength(2)
    expect((await makeComment(server.owner, withFiles(id)))['attachments']).toHaveLength(1)
  })

  it('200 from an update of the text, which keeps the attachments; lists show them to callers who may read comments', async () => {
    const target = await makePage(server.owner)
    const id = await upload(server.owner, pdf, 'survey.pdf')
    const comment = await makeComment(server.owner, { ...withFiles(id), parent: { page_id: target } })
    await makeComment(server.owner, { parent: { page_id: target }, markdown: 'no file', attachments: [] })
    const path = { comment_id: idOf(comment) }
    const updated = await server.owner.call('updateComment', { path, body: { markdown: 'New text' } })
    expect(at(updated.body, 'attachments', 0, 'category')).toBe('pdf')
    const { caller } = await makeConnection(server, { capabilities: ['read_comments'], grants: [target] })
    const { body } = await caller.call('listComments', { query: { block_id: target } })
    expect(
      resultsOf(body)
        .map((one) => 'attachments' in one)
        .sort(),
    ).toStrictEqual([false, true])
  })

  it('400 validation_error when the upload is pending, expired or failed', async () => {
    const location = 'body.attachments[1].file_upload_id'
    const good = await upload(server.owner, png, 'dock-plan.png')
    const pending = idOf(await create(server.owner, { filename: 'later.png' }))
    const failed = idOf(await create(server.owner, { filename: 'broken.png' }))
    await server.service.database.write((db) => db.run("update file_uploads set status = 'failed' where id = ?", failed))
    for (const id of [pending, failed]) expectInvalid(await request(withFiles(good, id)), location)
    await makeComment(server.owner, withFiles(good))
    const late = await upload(server.owner, png, 'late.png')
    server.clock.advance(HOUR_MS + 1)
    for (const id of [pending, late]) expectInvalid(await request(withFiles(good, id)), location)
  })

  it("404 object_not_found for a missing upload or another bot's, and nothing is attached", async () => {
    const foreign = await upload(server.owner, png, 'dock-plan.png')
    const { caller } = await makeConnection(server, { capabilities: ['read_comments', 'insert_comments'], grants: [page] })
    expectNotFound(await request(withFiles(foreign), caller), foreign)
    const unknown = randomUUID()
    expectNotFound(await request(withFiles(foreign, unknown)), unknown)
    expect((await uploadOf(foreign)).body['expiry_time']).not.toBeNull()
  })
})
