import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setResolved } from '../../../server/store/comments.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn, makeComment } from '../../harness/comments.ts'
import { makeConnection } from '../../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')
const comment = idOf(await commentOn(server.owner, page))

const retrieve = (id: string, caller: Caller = server.owner): Promise<TestResponse> =>
  caller.call('retrieveComment', { path: { comment_id: id } })

describe('retrieveComment', () => {
  it('200 with the comment as it was created, for any spelling of the id', async () => {
    const made = await makeComment(server.owner, { parent: { page_id: page }, markdown: '**Depth** $d$' })
    const read = await retrieve(idOf(made).replaceAll('-', '').toUpperCase())
    expect({ ...read.body, request_id: null }).toStrictEqual({ ...made, request_id: null })
  })

  it("200 for a person's and a connection's comment in the example workspace", async () => {
    const typed = await retrieve('2a87c5a0-a6dc-4ac8-b371-a476de93bc0f')
    const [, tomas] = exampleWorkspace.people
    expect(typed.body).toMatchObject({
      created_by: { id: tomas.id },
      display_name: { type: 'user', resolved_name: tomas.name },
      parent: { page_id: exampleWorkspace.pages.checklist },
    })
    expect((await retrieve('f7572dd8-8f18-4e53-a895-bc4380f485ea')).body).toMatchObject({
      display_name: { type: 'custom', resolved_name: 'Tide watch' },
      parent: { type: 'block_id', block_id: '6c5421f1-8059-43ee-b2ec-b7d90a6fd693' },
    })
  })

  it('200 for everyone who sees the page: comments of others, in the trash, and in resolved discussions', async () => {
    const target = await makePage(server.owner)
    const block = await appendOne(server.owner, target, paragraph('x'))
    const made = await makeComment(server.owner, { parent: { block_id: block }, markdown: 'deep' })
    const { caller } = await makeConnection(server, { capabilities: ['read_comments'], grants: [target] })
    await server.service.database.write((db) => setResolved(db, exampleWorkspace.workspace.id, textAt(made, 'discussion_id'), 1))
    await server.owner.call('deleteBlock', { path: { block_id: target } })
    expect((await retrieve(idOf(made), caller)).status).toBe(200)
  })

  it('400 validation_error when the id is malformed', async () => {
    for (const id of ['comment', `${comment}0`]) expectInvalid(await retrieve(id), 'path.comment_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await retrieve(comment, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read comments, even if the comment is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'insert_comments'], grants: [page] })
    for (const id of [comment, randomUUID()]) expectError(await retrieve(id, caller), 403, 'restricted_resource', 'read_comments')
  })

  it('404 object_not_found with the same message when the id is missing, not shared or not that of a comment', async () => {
    for (const id of [page, exampleWorkspace.discussions.launchPlan.discussionId]) expectNotFound(await retrieve(id), id)
    const { caller } = await makeConnection(server, {
      capabilities: ['read_comments'],
      grants: [exampleWorkspace.pages.checklist],
    })
    const request = async (id: string): Promise<string> => {
      const response = await retrieve(id, caller)
      expectNotFound(response, id)
      return response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    }
    expect(await request(comment)).toBe(await request(randomUUID()))
  })
})
