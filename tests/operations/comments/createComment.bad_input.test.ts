import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn, commentTexts } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph, text } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const [, tomas] = exampleWorkspace.people
const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')
const block = await appendOne(server.owner, page, paragraph('Depth at the slip'))

const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
const rich = [text('Hello')]
const create = (body: object, caller: Caller = server.owner): Promise<TestResponse> => caller.call('createComment', { body })
const onPage = (more: object): object => ({ parent: { page_id: page }, ...more })

describe('createComment', () => {
  const someUpload = { file_upload_id: GHOST }
  it.each<[string, object, string]>([
    ['neither parent nor discussion', { rich_text: rich }, 'body.parent'],
    ['an empty parent', { parent: {}, rich_text: rich }, 'body.parent.page_id'],
    ['a parent of two kinds', { parent: { page_id: GHOST, block_id: GHOST }, rich_text: rich }, 'body.parent.block_id'],
    ['a parent of another kind', { parent: { database_id: GHOST }, rich_text: rich }, 'body.parent.database_id'],
    ['a type that differs from the key', { parent: { type: 'page_id', block_id: GHOST }, rich_text: rich }, 'body.parent.type'],
    ['a malformed id', { parent: { page_id: 'plan' }, rich_text: rich }, 'body.parent.page_id'],
    ['a malformed discussion', { discussion_id: 'talk', rich_text: rich }, 'body.discussion_id'],
    ['rich text and Markdown', { discussion_id: GHOST, rich_text: rich, markdown: 'Hello' }, 'body.rich_text'],
    ['neither rich text nor Markdown', { discussion_id: GHOST }, 'body.rich_text'],
    ['empty rich text', { discussion_id: GHOST, rich_text: [] }, 'body.rich_text.length'],
    ['empty rich text with a file', { discussion_id: GHOST, rich_text: [], attachments: [someUpload] }, 'body.rich_text.length'],
    ['rich text of empty items', { discussion_id: GHOST, rich_text: [text(''), text('')] }, 'body.rich_text'],
    ['empty Markdown', { discussion_id: GHOST, markdown: '' }, 'body.markdown.length'],
    [
      '101 items of rich text',
      { discussion_id: GHOST, rich_text: Array.from({ length: 101 }, () => text('x')) },
      'body.rich_text.length',
    ],
    [
      'an impossible date',
      { discussion_id: GHOST, rich_text: [{ mention: { date: { start: '2026-02-30' } } }] },
      'body.rich_text[0].mention.date.start',
    ],
    [
      'four attachments',
      { discussion_id: GHOST, rich_text: rich, attachments: Array.from({ length: 4 }, () => someUpload) },
      'body.attachments.length',
    ],
    [
      'an attachment without id',
      { discussion_id: GHOST, rich_text: rich, attachments: [{}] },
      'body.attachments[0].file_upload_id',
    ],
    [
      'an unknown display name',
      { discussion_id: GHOST, rich_text: rich, display_name: { type: 'team' } },
      'body.display_name.type',
    ],
    [
      'a custom name without name',
      { discussion_id: GHOST, rich_text: rich, display_name: { type: 'custom', custom: {} } },
      'body.display_name.custom.name',
    ],
    [
      'the display name type custom without custom',
      { discussion_id: GHOST, rich_text: rich, display_name: { type: 'custom' } },
      'body.display_name.custom',
    ],
    [
      'an empty custom name',
      { discussion_id: GHOST, rich_text: rich, display_name: { type: 'custom', custom: { name: '' } } },
      'body.display_name.custom.name.length',
    ],
    ['an unknown key', { discussion_id: GHOST, rich_text: rich, mood: 'good' }, 'body.mood'],
  ])('400 validation_error for %s', async (_name, body, location) => {
    expectInvalid(await create(body), location)
  })

  it('400 validation_error naming the three allowed keys for an item with a misspelled key', async () => {
    const response = await create(onPage({ rich_text: [{ txt: { content: 'x' } }] }))
    for (const key of ['text', 'mention', 'equation']) expectInvalid(response, `body.rich_text[0].${key}`)
    expect(String(response.body['message']).split('\n').length).toBeGreaterThanOrEqual(4)
  })

  it('400 validation_error naming the kind when a block or database is given as the page', async () => {
    for (const [id, kind] of [
      [block, 'block'],
      [exampleWorkspace.repairLog, 'database'],
    ] as const) {
      const response = await create({ parent: { page_id: id }, rich_text: rich })
      expectInvalid(response, 'body.parent.page_id')
      expect(response.body['message']).toContain(kind)
    }
  })

  it("400 validation_error when the page, an ancestor or the discussion's page is in the trash", async () => {
    const top = await makePage(server.owner)
    const below = await makePage(server.owner, 'Below', top)
    const line = await appendOne(server.owner, below, paragraph('x'))
    const discussion = textAt(await commentOn(server.owner, top), 'discussion_id')
    await server.owner.call('deleteBlock', { path: { block_id: top } })
    expectInvalid(await create({ parent: { page_id: top }, rich_text: rich }), 'body.parent.page_id')
    expectInvalid(await create({ parent: { page_id: below }, rich_text: rich }), 'body.parent.page_id')
    expectInvalid(await create({ parent: { block_id: line }, rich_text: rich }), 'body.parent.block_id')
    expectInvalid(await create({ discussion_id: discussion, rich_text: rich }), 'body.discussion_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await create(onPage({ rich_text: rich }), server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to insert comments, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'insert_content', 'update_content', 'read_comments'],
      grants: [page],
    })
    for (const id of [page, GHOST]) {
      const response = await create({ parent: { page_id: id }, rich_text: rich }, caller)
      expectError(response, 403, 'restricted_resource', 'insert_comments')
    }
  })

  it('403 restricted_resource for a member who may only read', async () => {
    const [target, member] = [await makePage(server.owner), await makeMember(server, tomas.id)]
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, target, tomas.id, 'read', 1))
    expectError(await create({ parent: { page_id: target }, rich_text: rich }, member), 403, 'restricted_resource')
    expect(await commentTexts(member, target)).toStrictEqual([])
  })

  it('404 object_not_found when the page, block, discussion, upload or mention is missing', async () => {
    const cases: readonly [object, string][] = [
      [{ parent: { page_id: GHOST }, rich_text: rich }, 'page'],
      [{ parent: { block_id: GHOST }, rich_text: rich }, 'block'],
      [{ discussion_id: GHOST, rich_text: rich }, 'discussion'],
      [onPage({ rich_text: rich, attachments: [{ type: 'file_upload', file_upload_id: GHOST }] }), 'file upload'],
      [onPage({ rich_text: [{ mention: { page: { id: GHOST } } }] }), 'page'],
    ]
    for (const [body, kind] of cases) {
      const response = await create(body)
      expectNotFound(response, GHOST)
      expect(response.body['message']).toContain(`Could not find ${kind} `)
    }
  })

  it('404 with the same message when the target is missing or not shared', async () => {
    const other = await makePage(server.owner)
    const discussion = textAt(await commentOn(server.owner, other), 'discussion_id')
    const { caller } = await makeConnection(server, { capabilities: ['read_comments', 'insert_comments'], grants: [page] })
    const request = async (key: 'page_id' | 'block_id' | 'discussion_id', id: string): Promise<string> => {
      const body = key === 'discussion_id' ? { discussion_id: id, rich_text: rich } : { parent: { [key]: id }, rich_text: rich }
      const response = await create(body, caller)
      expectNotFound(response, id)
      return response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    }
    for (const [key, id] of [
      ['page_id', other],
      ['block_id', other],
      ['discussion_id', discussion],
    ] as const)
      expect(await request(key, id)).toBe(await request(key, randomUUID()))
  })

  it('404 rather than 400 for a missing mention on a page in the trash, without creating a comment', async () => {
    const target = await makePage(server.owner)
    await server.owner.call('deleteBlock', { path: { block_id: target } })
    const mention = { parent: { page_id: target }, rich_text: [{ mention: { user: { id: GHOST } } }] }
    expectNotFound(await create(mention), GHOST)
    expect(await commentTexts(server.owner, target)).toStrictEqual([])
  })
})
