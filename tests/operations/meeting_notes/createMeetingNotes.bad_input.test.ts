import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeMember } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create as createUpload, png, upload } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

const create = (body: object, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('createMeetingNotes', { body })
const parent = (): object => ({ type: 'page_id', page_id: page })
const fromUpload = (id: string, more: object = {}): object => ({
  source: { type: 'file_upload', file_upload_id: id },
  parent: parent(),
  ...more,
})
const fromBlock = (id: string, more: object = {}): object => ({ source: { type: 'block', block_id: id }, ...more })
const talk = (): Promise<string> => upload(server.owner, 'Fine.', 'talk.txt')

const SOURCE = 'body.source.file_upload_id'

describe('createMeetingNotes', () => {
  it.each([
    ['no parent for an upload', { source: { type: 'file_upload', file_upload_id: randomUUID() } }, 'body.parent'],
    ['a parent for a block', fromBlock(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() } }), 'body.parent'],
    [
      'a parent that is not a page',
      { ...fromUpload(randomUUID()), parent: { type: 'block_id', block_id: randomUUID() } },
      'body.parent.page_id',
    ],
    [
      'an unknown language',
      fromUpload(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() }, language: 'xx' }),
      'body.language',
    ],
    [
      'an empty title',
      fromUpload(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() }, title: '' }),
      'body.title.length',
    ],
    [
      'a title of 2,001 characters',
      fromUpload(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() }, title: 'x'.repeat(2001) }),
      'body.title.length',
    ],
    ['a source of an unknown kind', { source: { type: 'url', url: 'https://x.example' } }, 'body.source.type'],
    ['no source', {}, 'body.source'],
    [
      'an unknown option',
      fromUpload(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() }, options: { translate: true } }),
      'body.options.translate',
    ],
    [
      'a calendar event, which requests cannot set',
      fromUpload(randomUUID(), {
        parent: { type: 'page_id', page_id: randomUUID() },
        calendar_event: { start_time: '2026-05-04T08:30:00.000Z', end_time: '2026-05-04T09:00:00.000Z' },
      }),
      'body.calendar_event',
    ],
    [
      'attendees',
      fromUpload(randomUUID(), {
        parent: { type: 'page_id', page_id: randomUUID() },
        attendees: [exampleWorkspace.people[0].id],
      }),
      'body.attendees',
    ],
    [
      'a summary flag that is not a boolean',
      fromUpload(randomUUID(), { parent: { type: 'page_id', page_id: randomUUID() }, options: { kickoff_summary: 'no' } }),
      'body.options.kickoff_summary',
    ],
  ])('400 for %s', async (_what, body, location) => {
    expectInvalid(await create(body), location)
  })

  it('400 without a body', async () => {
    expectInvalid(await server.owner.call('createMeetingNotes'), 'body.source')
  })

  it('400 when the upload is pending or expired', async () => {
    expectInvalid(await create(fromUpload(idOf(await createUpload(server.owner, { filename: 'talk.txt' })))), SOURCE)
    const id = await talk()
    server.clock.advance(2 * 3_600_000)
    expectInvalid(await create(fromUpload(id)), SOURCE)
  })

  it.each([
    ['a picture', png, 'plan.png'],
    ['a document', '# Talk', 'talk.md'],
    ['a table', 'a,b', 'talk.csv'],
  ])('400 when %s is not a recording, as an upload or in a block', async (_what, content, filename) => {
    const id = await upload(server.owner, content, filename)
    expectInvalid(await create(fromUpload(id)), SOURCE)
    const block = await appendOne(server.owner, page, { file: { file_upload: { id } } })
    expectInvalid(await create(fromBlock(block)), 'body.source.block_id')
  })

  it.each([
    ['a paragraph', paragraph('x')],
    ['a picture', { image: { external: { url: 'https://x.example/a.png' } } }],
    ['an external file', { audio: { external: { url: 'https://x.example/a.mp3' } } }],
  ])('400 for a block without an uploaded recording: %s', async (_what, block) => {
    expectInvalid(await create(fromBlock(await appendOne(server.owner, page, block))), 'body.source.block_id')
  })

  it('400 for a page or a database instead of a block with a file', async () => {
    expectInvalid(await create(fromBlock(page)), 'body.source.block_id')
    expectInvalid(await create(fromBlock((await makeDatabase(server.owner, page)).id)), 'body.source.block_id')
  })

  it('400 for a block or database instead of a page', async () => {
    const block = await appendOne(server.owner, page, paragraph('x'))
    const database = (await makeDatabase(server.owner, page)).id
    for (const id of [block, database])
      expectInvalid(await create(fromUpload(await talk(), { parent: { type: 'page_id', page_id: id } })), 'body.parent.page_id')
  })

  it('400 when the page or block, or an ancestor, is in the trash', async () => {
    const outer = await makePage(server.owner)
    const inner = await makePage(server.owner, 'Inner', outer)
    const block = await appendOne(server.owner, inner, { file: { file_upload: { id: await talk() } } })
    await server.owner.call('deleteBlock', { path: { block_id: block } })
    expectInvalid(await create(fromBlock(block)), 'body.source.block_id')
    await server.owner.call('updateBlock', { path: { block_id: block }, body: { in_trash: false } })
    await server.owner.call('deleteBlock', { path: { block_id: outer } })
    for (const id of [outer, inner])
      expectInvalid(await create(fromUpload(await talk(), { parent: { type: 'page_id', page_id: id } })), 'body.parent.page_id')
    expectInvalid(await create(fromBlock(block)), 'body.source.block_id')
  })

  it('404 for a missing upload in each supported language, and 400 for other languages', async () => {
    const languages = 'auto en zh-CN zh-TW es fr de ja ko pt ru th vi id da fi no nl it sv ar he pl'.split(' ')
    const ghost = randomUUID()
    for (const language of languages) expectNotFound(await create(fromUpload(ghost, { language })), ghost)
    for (const language of ['', 'EN', 'zh', 'nb', 'en-GB'])
      expectInvalid(await create(fromUpload(ghost, { language })), 'body.language')
  })

  it('404 when the page, block or upload is missing', async () => {
    const ghost = randomUUID()
    expectNotFound(await create(fromUpload(ghost)), ghost)
    expectNotFound(await create(fromBlock(ghost)), ghost)
    expectNotFound(await create(fromUpload(await talk(), { parent: { type: 'page_id', page_id: ghost } })), ghost)
  })

  it("404 for another author's upload, but 200 for a block with that upload", async () => {
    const member = await makeMember(server, exampleWorkspace.people[1].id)
    const id = await talk()
    expectNotFound(await create(fromUpload(id), member), id)
    const block = await appendOne(server.owner, page, { file: { file_upload: { id } } })
    expect((await create(fromBlock(block), member)).status).toBe(200)
  })

  it('403 for a member who may only read the page', async () => {
    const member = await makeMember(server, exampleWorkspace.people[1].id)
    const own = await makePage(server.owner)
    const block = await appendOne(server.owner, own, { file: { file_upload: { id: await talk() } } })
    await server.service.database.write((db) =>
      setMemberAccess(db, exampleWorkspace.workspace.id, own, exampleWorkspace.people[1].id, 'read', server.clock.now()),
    )
    const to = { parent: { type: 'page_id', page_id: own } }
    expectError(await create(fromUpload(await upload(member, 'Fine.', 'talk.txt'), to), member), 403, 'restricted_resource')
    expectError(await create(fromBlock(block), member), 403, 'restricted_resource')
  })

  it('400 for a parent in the trash, without creating a note; the upload still expires', async () => {
    const own = await makePage(server.owner)
    await server.owner.call('deleteBlock', { path: { block_id: own } })
    const id = await talk()
    expectInvalid(await create(fromUpload(id, { parent: { type: 'page_id', page_id: own } })), 'body.parent.page_id')
    await server.owner.call('updateBlock', { path: { block_id: own }, body: { in_trash: false } })
    expect(await children(server.owner, own)).toStrictEqual([])
    const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
    expect(body['expiry_time']).not.toBeNull()
  })
})
