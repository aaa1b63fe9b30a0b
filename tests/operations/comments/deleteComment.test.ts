import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn, commentTexts, makeComment } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const [, tomas] = exampleWorkspace.people
const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')

const remove = (id: string, caller: Caller = server.owner): Promise<TestResponse> =>
  caller.call('deleteComment', { path: { comment_id: id } })

describe('deleteComment', () => {
  it('200 with the comment, which is missing afterwards', async () => {
    const made = await commentOn(server.owner, page)
    const edited = (await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']
    server.clock.advance(60_000)
    const { status, body } = await remove(idOf(made).replaceAll('-', ''))
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({ ...made, request_id: null })
    expectNotFound(await remove(idOf(made)), idOf(made))
    expectNotFound(await server.owner.call('retrieveComment', { path: { comment_id: idOf(made) } }), idOf(made))
    expectNotFound(
      await server.owner.call('updateComment', { path: { comment_id: idOf(made) }, body: { markdown: 'x' } }),
      idOf(made),
    )
    expect(await commentTexts(server.owner, page)).toStrictEqual([])
    expect((await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']).toBe(edited)
  })

  it('200 for the last comment of a discussion, which deletes the discussion', async () => {
    const first = await commentOn(server.owner, page, 'one')
    const discussion_id = textAt(first, 'discussion_id')
    const second = await makeComment(server.owner, { discussion_id, markdown: 'two' })
    await remove(idOf(first))
    const third = await makeComment(server.owner, { discussion_id, markdown: 'three' })
    for (const comment of [second, third]) expect((await remove(idOf(comment))).status).toBe(200)
    const response = await server.owner.call('createComment', { body: { discussion_id, markdown: 'four' } })
    expectNotFound(response, discussion_id)
  })

  it('200 with only the id when the caller may not read comments, even if the page is in the trash', async () => {
    const target = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['insert_comments'], grants: [target] })
    const id = idOf(await commentOn(caller, target))
    await server.owner.call('deleteBlock', { path: { block_id: target } })
    const { body } = await remove(id, caller)
    expect(body).toStrictEqual({ object: 'comment', id, request_id: textAt(body, 'request_id') })
  })

  it('200 from erase_content, which deletes comments on blocks and keeps those on the page', async () => {
    const target = await makePage(server.owner)
    const outer = await appendOne(server.owner, target, paragraph('outer'))
    const inner = await appendOne(server.owner, outer, paragraph('inner'))
    await commentOn(server.owner, target, 'stays')
    const gone = [
      await makeComment(server.owner, { parent: { block_id: outer }, markdown: 'goes' }),
      await makeComment(server.owner, { parent: { block_id: inner }, markdown: 'goes too' }),
    ]
    await makeComment(server.owner, { discussion_id: gone[0]?.['discussion_id'], markdown: 'and the reply' })
    await server.owner.call('updatePage', { path: { page_id: target }, body: { erase_content: true } })
    expect(await commentTexts(server.owner, target)).toStrictEqual(['stays'])
    for (const comment of gone) expectNotFound(await remove(idOf(comment)), idOf(comment))
    const left = await server.service.database.read((db) =>
      db.all(
        {},
        `select c.id from comments c where c.parent_id in (?, ?) union all select d.id from discussions d where d.parent_id in (?, ?)`,
        ...[outer, inner, outer, inner],
      ),
    )
    expect(left).toStrictEqual([])
  })

  it('400 validation_error when the id is malformed', async () => {
    expectInvalid(await remove('comment'), 'path.comment_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await remove(randomUUID(), server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to insert comments, even if the comment is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_comments', 'update_content'], grants: [page] })
    for (const id of [idOf(await commentOn(server.owner, page)), randomUUID()])
      expectError(await remove(id, caller), 403, 'restricted_resource', 'insert_comments')
  })

  it('403 restricted_resource for the author when that member may now only read', async () => {
    const [target, member] = [await makePage(server.owner), await makeMember(server, tomas.id)]
    const id = idOf(await commentOn(member, target))
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, target, tomas.id, 'read', 1))
    expectError(await remove(id, member), 403, 'restricted_resource')
  })

  it("404 object_not_found with the same message when the comment is another author's or missing", async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_comments', 'insert_comments'], grants: [page] })
    const request = async (id: string): Promise<string> => {
      const response = await remove(id, caller)
      expectNotFound(response, id)
      return response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    }
    const foreign = idOf(await commentOn(server.owner, page))
    expect(await request(foreign)).toBe(await request(randomUUID()))
    expect((await remove(foreign)).status).toBe(200)
  })
})
