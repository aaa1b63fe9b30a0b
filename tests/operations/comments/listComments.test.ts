import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setResolved } from '../../../server/store/comments.ts'
import { commentOn, commentText, commentTexts, makeComment } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Pagination is tested in tests/protocol/paging.test.ts. */

const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')
const block = await appendOne(server.owner, page, paragraph('Depth at the slip'))

describe('listComments', () => {
  it('200 with only the comments on the page, of all discussions, oldest first', async () => {
    const first = await commentOn(server.owner, page, 'one')
    server.clock.advance(10)
    await commentOn(server.owner, page, 'two')
    await makeComment(server.owner, { parent: { block_id: block }, markdown: 'on the block' })
    await commentOn(server.owner, await makePage(server.owner, 'Below', page), 'on the page below')
    server.clock.advance(10)
    await makeComment(server.owner, { discussion_id: first['discussion_id'], markdown: 'three' })
    const { status, body } = await server.owner.call('listComments', { query: { block_id: page } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'comment', comment: {}, has_more: false, next_cursor: null })
    expect(body).not.toHaveProperty('request_status')
    expect(resultsOf(body).map(commentText)).toStrictEqual(['one', 'two', 'three'])
    expect({ ...resultsOf(body)[0], request_id: null }).toStrictEqual({ ...first, request_id: null })
    expect(await commentTexts(server.owner, block.replaceAll('-', '').toUpperCase())).toStrictEqual(['on the block'])
  })

  it('200 with an empty list when there are no comments', async () => {
    const { body } = await server.owner.call('listComments', { query: { block_id: await makePage(server.owner) } })
    expect(body).toMatchObject({ results: [], has_more: false, next_cursor: null })
  })

  it('200 without resolved discussions', async () => {
    const target = await makePage(server.owner)
    const resolved = await commentOn(server.owner, target, 'settled')
    await server.service.database.write((db) =>
      setResolved(db, exampleWorkspace.workspace.id, textAt(resolved, 'discussion_id'), server.clock.now()),
    )
    await commentOn(server.owner, target, 'open')
    expect(await commentTexts(server.owner, target)).toStrictEqual(['open'])
  })

  it('200 for a page in the trash, and for a page of the example workspace', async () => {
    const target = await makePage(server.owner)
    await commentOn(server.owner, target, 'still there')
    await server.owner.call('deleteBlock', { path: { block_id: target } })
    expect(await commentTexts(server.owner, target)).toStrictEqual(['still there'])
    expect(await commentTexts(server.owner, exampleWorkspace.pages.launchPlan)).toStrictEqual([
      'See the plan and the Safety checklist.',
      'High water is at 2026-05-16T11:40:00.000+02:00, agreed.',
    ])
  })

  it('200 with the names of mentioned pages and users only if the caller may see those, and always with the display name of the author', async () => {
    const secret = await makePage(server.owner, 'Secret plans')
    const target = await makePage(server.owner)
    const [ines] = exampleWorkspace.people
    await makeComment(await makeMember(server, ines.id), {
      parent: { page_id: target },
      rich_text: [{ mention: { page: { id: secret } } }, { mention: { user: { id: ines.id } } }],
    })
    const { caller } = await makeConnection(server, { capabilities: ['read_comments'], grants: [target] })
    const { text, body } = await caller.call('listComments', { query: { block_id: target } })
    expect(text).not.toContain('Secret plans')
    expect(resultsOf(body).map(commentText)).toStrictEqual(['Untitled@Anonymous'])
    expect(resultsOf(body)[0]?.['display_name']).toStrictEqual({ type: 'user', resolved_name: ines.name })
  })

  it('200 without `type` and `comment` before 2022-02-22', async () => {
    const headers = { 'Service-Version': '2021-08-16' }
    const { body } = await server.owner.call('listComments', { query: { block_id: page }, headers })
    expect(Object.keys(body).sort()).toStrictEqual(['has_more', 'next_cursor', 'object', 'request_id', 'results'])
  })

  it('400 validation_error when the id is missing or malformed', async () => {
    expectInvalid(await server.owner.call('listComments'), 'query.block_id')
    for (const id of ['plan', '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d'])
      expectInvalid(await server.owner.call('listComments', { query: { block_id: id } }), 'query.block_id should be a valid uuid')
    expectInvalid(await server.owner.call('listComments', { query: { block_id: page, mood: 'good' } }), 'query.mood')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await server.caller(undefined).call('listComments', { query: { block_id: page } }), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read comments, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'insert_comments'], grants: [page] })
    for (const block_id of [page, randomUUID()])
      expectError(await caller.call('listComments', { query: { block_id } }), 403, 'restricted_resource', 'read_comments')
  })

  it('404 object_not_found with the same message when the page is missing or not shared', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_comments'],
      grants: [exampleWorkspace.pages.checklist],
    })
    const request = async (id: string): Promise<string> => {
      const response = await caller.call('listComments', { query: { block_id: id } })
      expectNotFound(response, id)
      return response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    }
    const ghost = await request(randomUUID())
    for (const hidden of [page, block]) expect(await request(hidden)).toBe(ghost)
  })
})
