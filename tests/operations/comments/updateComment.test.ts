import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn, commentText, makeComment } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { authorize, makeClient } from '../../harness/oauth.ts'
import { serverOfFile } from '../../harness/server.ts'

const [ines, tomas, aiko] = exampleWorkspace.people
const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')

const update = (id: string, body: object, caller: Caller = server.owner): Promise<TestResponse> =>
  caller.call('updateComment', { path: { comment_id: id }, body })
const markdown = '**New** text'

describe('updateComment', () => {
  it('200 with only the text replaced', async () => {
    const display_name = { type: 'custom', custom: { name: 'Tide watch' } }
    const made = await makeComment(server.owner, { parent: { page_id: page }, rich_text: [text('Old')], display_name })
    const edited = (await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']
    server.clock.advance(60_000)
    const { status, body } = await update(idOf(made).toUpperCase(), { markdown })
    expect(status).toBe(200)
    expect(commentText(body)).toBe('New text')
    expect({ ...body, rich_text: null, request_id: null }).toStrictEqual({
      ...made,
      rich_text: null,
      request_id: null,
      last_edited_time: new Date(server.clock.now()).toISOString(),
    })
    const again = await update(idOf(made), { rich_text: [text('Once more')] })
    expect(commentText(again.body)).toBe('Once more')
    const read = await server.owner.call('retrieveComment', { path: { comment_id: idOf(made) } })
    expect({ ...read.body, request_id: null }).toStrictEqual({ ...again.body, request_id: null })
    expect((await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']).toBe(edited)
  })

  it('200 with only the id when the caller may not read comments', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_comments'], grants: [page] })
    const id = idOf(await commentOn(caller, page))
    const { body } = await update(id, { markdown }, caller)
    expect(body).toStrictEqual({ object: 'comment', id, request_id: textAt(body, 'request_id') })
  })

  it('200 for any bot of the connection that created the comment, or for the member who did', async () => {
    const client = await makeClient(server)
    const [first, second] = [
      await authorize(server, client, { pages: [page] }),
      await authorize(server, client, { pages: [page], email: tomas.email }),
    ]
    expect(first.botId).not.toBe(second.botId)
    const comment = await commentOn(first.caller, page)
    expect((await update(idOf(comment), { markdown }, second.caller)).body).toMatchObject({ created_by: { id: first.botId } })
    const member = await makeMember(server, tomas.id)
    const own = await commentOn(member, page)
    expect((await update(idOf(own), { markdown }, await makeMember(server, tomas.id))).status).toBe(200)
  })

  it('200 with text for a mention of a missing object in Markdown', async () => {
    const id = idOf(await commentOn(server.owner, page))
    const { body } = await update(id, { markdown: `<mention-user url="${randomUUID()}">Ines</mention-user> knows` })
    expect(commentText(body)).toBe('Ines knows')
  })

  it.each<[string, object, string]>([
    ['neither rich text nor Markdown', {}, 'body.rich_text'],
    ['rich text and Markdown', { rich_text: [text('x')], markdown }, 'body.rich_text'],
    ['empty rich text', { rich_text: [] }, 'body.rich_text.length'],
    ['empty items', { rich_text: [text('')] }, 'body.rich_text'],
    ['empty Markdown', { markdown: '' }, 'body.markdown.length'],
    ['Markdown of too many items', { markdown: '**a** b '.repeat(60) }, 'body.markdown'],
    ['an unknown key', { markdown, tone: 'kind' }, 'body.tone'],
  ])('400 validation_error for %s', async (_name, body, location) => {
    expectInvalid(await update(idOf(await commentOn(server.owner, page)), body, server.owner), location)
  })

  it('400 validation_error when the id is malformed', async () => {
    expectInvalid(await update('comment', { markdown }), 'path.comment_id')
  })

  it('400 validation_error for a page in the trash, until the page is restored', async () => {
    const top = await makePage(server.owner)
    const target = await makePage(server.owner, 'Below', top)
    const id = idOf(await commentOn(server.owner, target))
    for (const trashed of [target, top]) {
      await server.owner.call('deleteBlock', { path: { block_id: trashed } })
      expectInvalid(await update(id, { markdown }), 'path.comment_id')
      await server.owner.call('updateBlock', { path: { block_id: trashed }, body: { in_trash: false } })
    }
    expect((await update(id, { markdown })).status).toBe(200)
  })

  it('401 unauthorized without a token', async () => {
    expectError(await update(randomUUID(), { markdown }, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to insert comments, even if the comment is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_comments', 'update_content'], grants: [page] })
    for (const id of [idOf(await commentOn(server.owner, page)), randomUUID()])
      expectError(await update(id, { markdown }, caller), 403, 'restricted_resource', 'insert_comments')
  })

  it('403 restricted_resource for the author when that member may now only read', async () => {
    const [target, member] = [await makePage(server.owner), await makeMember(server, tomas.id)]
    const id = idOf(await commentOn(member, target))
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, target, tomas.id, 'read', 1))
    expectError(await update(id, { markdown }, member), 403, 'restricted_resource')
  })

  it("404 object_not_found with the same message when the comment is another author's, missing or not shared", async () => {
    const [one, other] = [
      await makeConnection(server, { capabilities: ['read_comments', 'insert_comments'], grants: [page] }),
      await makeConnection(server, { capabilities: ['read_comments', 'insert_comments'], grants: [page] }),
    ]
    const [member, colleague] = [await makeMember(server, ines.id), await makeMember(server, aiko.id)]
    const hidden = await makePage(server.owner)
    const bots = idOf(await commentOn(one.caller, page))
    const persons = idOf(await commentOn(member, page))
    const request = async (caller: Caller, id: string): Promise<string> => {
      const response = await update(id, { markdown }, caller)
      expectNotFound(response, id)
      return response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    }
    const unseen = idOf(await commentOn(server.owner, hidden))
    for (const id of [bots, persons, unseen])
      expect(await request(other.caller, id)).toBe(await request(other.caller, randomUUID()))
    for (const id of [bots, persons]) expect(await request(colleague, id)).toBe(await request(colleague, randomUUID()))
    const gone = randomUUID()
    const own = idOf(await commentOn(server.owner, page))
    expectNotFound(await update(own, { rich_text: [{ mention: { page: { id: gone } } }] }), gone)
  })
})
