import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../harness/sweeps.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create, file, send } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const MINUTE_MS = 60_000

const server = await serverOfFile()

describe('retrieveFileUpload', () => {
  it('200 with an upload that expires after an hour if it is not attached', async () => {
    const id = idOf(await create(server.owner, { filename: 'a.txt' }))
    await send(server.owner, id, file('a'))
    const retrieve = async (): Promise<object> =>
      (await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body
    server.clock.advance(60 * MINUTE_MS - 1)
    expect(await retrieve()).toMatchObject({ status: 'uploaded', expiry_time: expect.any(String) as string })
    server.clock.advance(1)
    const expired = { status: 'expired', expiry_time: null, content_length: 1, filename: 'a.txt' }
    const before = await retrieve()
    expect(before).toMatchObject(expired)
    await sweep(server.service.database, server.clock.now())
    expect({ ...(await retrieve()), request_id: null }).toStrictEqual({ ...before, request_id: null })
    const { status, text } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id.replaceAll('-', '') } })
    expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining(id) as string })
  })

  it("400 validation_error for a malformed id, 401 without a token, and 404 with the same message for a missing upload or another bot's", async () => {
    const id = idOf(await create(server.owner))
    const retrieve = (caller: typeof server.owner, which = id): Promise<TestResponse> =>
      caller.call('retrieveFileUpload', { path: { file_upload_id: which } })
    expectInvalid(await retrieve(server.owner, 'x'), 'path.file_upload_id')
    expectError(await retrieve(server.caller(undefined)), 401, 'unauthorized')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    const [hidden, missing] = [await retrieve(caller), await retrieve(caller, randomUUID())]
    expectNotFound(hidden, id)
    expect(hidden.body['message']).toMatch(/^Could not find file upload with ID: /)
    expect({ ...hidden.body, request_id: null, message: null }).toStrictEqual({
      ...missing.body,
      request_id: null,
      message: null,
    })
  })
})
