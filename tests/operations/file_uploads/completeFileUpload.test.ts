import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectNotFound } from '../../harness/expectations.ts'
import { create, file, MEBIBYTE, mp4, send } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const complete = (id: string, caller = server.owner): Promise<TestResponse> =>
  caller.call('completeFileUpload', { path: { file_upload_id: id } })
const parts = async (number_of_parts: number): Promise<string> =>
  idOf(await create(server.owner, { mode: 'multi_part', filename: 'tides.mp4', content_type: 'video/mp4', number_of_parts }))
const sendPart = (id: string, number: number, bytes: Buffer): Promise<TestResponse> =>
  send(server.owner, id, { name: 'part_number', value: String(number) }, file(bytes))

describe('completeFileUpload', () => {
  it('200 with the parts joined when all have arrived', async () => {
    const id = await parts(2)
    await sendPart(id, 2, Buffer.from('the end'))
    await sendPart(id, 1, Buffer.concat([mp4, Buffer.alloc(5 * MEBIBYTE)]))
    const { body } = await complete(id)
    expect(body).toMatchObject({
      status: 'uploaded',
      content_type: 'video/mp4',
      content_length: 5 * MEBIBYTE + mp4.length + 7,
      number_of_parts: { total: 2, sent: 2 },
      expiry_time: '2026-05-16T05:30:00.000Z',
    })
    expect(body).not.toHaveProperty('upload_url')
    expect(body).not.toHaveProperty('complete_url')
  })

  it('400 validation_error naming the missing parts', async () => {
    const id = await parts(4)
    await sendPart(id, 2, Buffer.alloc(5 * MEBIBYTE))
    expectError(await complete(id), 400, 'validation_error', 'path.file_upload_id')
    expect((await complete(id)).body['message']).toContain('parts 1, 3, 4 are missing')
    const many = await parts(10_000)
    expect((await complete(many)).body['message']).toMatch(/parts 1, 2, .* and 9980 more are missing/)
  })

  it('400 validation_error for a single-part upload, a complete one, or an expired one', async () => {
    const single = idOf(await create(server.owner))
    expect((await complete(single)).body['message']).toContain(`the mode of ${single} is single_part`)
    const id = await parts(1)
    await sendPart(id, 1, mp4)
    expect((await complete(id)).status).toBe(200)
    expect((await complete(id)).body['message']).toContain(`${id} is uploaded`)
    expectError(await sendPart(id, 1, mp4), 400, 'validation_error')
    const late = await parts(1)
    await sendPart(late, 1, mp4)
    server.clock.advance(3_600_000)
    expect((await complete(late)).body['message']).toContain(`${late} is expired`)
  })

  it("401 without a token, 403 restricted_resource without the capability, and 404 object_not_found for another bot's or an unknown upload", async () => {
    const id = await parts(1)
    expectError(await complete(id, server.caller(undefined)), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await complete(id, reader.caller), 403, 'restricted_resource')
    const writer = await makeConnection(server, { capabilities: ['insert_content'] })
    expectNotFound(await complete(id, writer.caller), id)
    const unknown = randomUUID()
    expectNotFound(await complete(unknown), unknown)
  })
})
