import { randomUUID } from 'node:crypto'
import { expect, describe, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, parent, { Stock: { number: {} } })

const retrieve = (id: string, caller = server.owner): Promise<TestResponse> =>
  caller.call('retrieveDataSource', { path: { data_source_id: id } })

describe('retrieveDataSource', () => {
  it('200 with the same data source for every spelling of the id', async () => {
    const { status, body } = await retrieve(made.sourceId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'data_source',
      id: made.sourceId,
      parent: { type: 'database_id', database_id: made.id },
      database_parent: { type: 'page_id', page_id: parent },
      properties: { Name: { id: 'title' }, Stock: { number: { format: 'number' } } },
    })
    const other = await retrieve(made.sourceId.replaceAll('-', '').toUpperCase())
    expect({ ...other.body, request_id: null }).toStrictEqual({ ...body, request_id: null })
  })

  it('400 for a malformed id, 401 without a token, 403 without the capability, and 404 for other objects and missing or hidden ones', async () => {
    expectInvalid(await retrieve('nope'), 'path.data_source_id')
    expectError(await retrieve(made.sourceId, server.caller(undefined)), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [parent] })
    expectError(await retrieve(made.sourceId, writer.caller), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expectNotFound(await retrieve(made.sourceId, stranger.caller), made.sourceId)
    for (const wrong of [randomUUID(), made.id, parent]) expectNotFound(await retrieve(wrong), wrong)
  })
})
