import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { createViewQuery, deleteViewQuery, listResults, makeTracker, makeView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const tracker = await makeTracker(server.owner, page)
const view = idOf(await makeView(server.owner, tracker))

describe('deleteViewQuery', () => {
  it('200 for a query, and 404 afterwards', async () => {
    const [first, second] = [await createViewQuery(server.owner, view), await createViewQuery(server.owner, view)].map(
      ({ body }) => idOf(body),
    )
    expect(first).not.toBe(second)
    const { status, body } = await deleteViewQuery(server.owner, view, first ?? '')
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({ object: 'view_query', id: first, deleted: true, request_id: null })
    expectNotFound(await deleteViewQuery(server.owner, view, first ?? ''), first ?? '')
    expectNotFound(await listResults(server.owner, view, first ?? ''), first ?? '')
    expect((await listResults(server.owner, view, second ?? '')).status).toBe(200)
  })

  it("400 for a malformed id, 401 without a token, 403 without the capability, 404 for another caller's query, which stays", async () => {
    const query = idOf((await createViewQuery(server.owner, view)).body)
    expectInvalid(await deleteViewQuery(server.owner, view, 'nope'), 'path.query_id')
    expectError(await deleteViewQuery(server.caller(undefined), view, query), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    expectError(await deleteViewQuery(writer.caller, view, query), 403, 'restricted_resource')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expectNotFound(await deleteViewQuery(reader.caller, view, query), query)
    const other = idOf(await makeView(server.owner, tracker))
    expectNotFound(await deleteViewQuery(server.owner, other, query), query)
    expect((await listResults(server.owner, view, query)).status).toBe(200)
  })
})
