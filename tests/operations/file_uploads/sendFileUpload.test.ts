import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create, file, form, jpeg, MEBIBYTE, mp4, pdf, png, send, type FormPart } from '../../harness/files.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const HOUR_MS = 3_600_000
const LIMIT = 24 * MEBIBYTE

const server = await serverOfFile({ FILE_BYTES_MAX: String(LIMIT) })

const fresh = async (body: object = {}): Promise<string> => idOf(await create(server.owner, body))
const parts = (number_of_parts: number, filename = 'tides.mp4'): Promise<string> =>
  fresh({ mode: 'multi_part', filename, number_of_parts })
const number = (value: string | number): FormPart => ({ name: 'part_number', value: String(value) })
const retrieve = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body
const raw = (id: string, headers: Record<string, string>, bytes: Buffer): Promise<TestResponse> =>
  server.owner.call('sendFileUpload', { path: { file_upload_id: id }, headers, bytes })

describe('sendFileUpload', () => {
  it('200 with the name and type of the file if the upload has none, and a complete upload', async () => {
    const id = await fresh()
    const { body } = await send(server.owner, id, file('High water 10:40', 'tides.txt', 'text/plain; charset=utf-8'))
    expect(body).toMatchObject({
      id,
      status: 'uploaded',
      filename: 'tides.txt',
      content_type: 'text/plain; charset=utf-8',
      content_length: 16,
      expiry_time: '2026-05-16T05:30:00.000Z',
    })
    for (const name of ['upload_url', 'complete_url', 'number_of_parts', 'file_import_result'])
      expect(body).not.toHaveProperty(name)
  })

  it.each<[string, object, FormPart, object]>([
    ['the extension determines a generic type', {}, file(pdf, 'plan.pdf'), { content_type: 'application/pdf' }],
    ['a missing extension comes from the type', {}, file(png, 'blob', 'image/png'), { filename: 'blob.png' }],
    ['a given name is kept', { filename: 'plan.pdf' }, file(pdf, 'other.png'), { filename: 'plan.pdf' }],
    ['a given type is kept', { content_type: 'image/png' }, file(png, 'dot.png'), { content_type: 'image/png' }],
    [
      'a type derived from the extension is replaced by a more specific one',
      { filename: 'tides.mp4' },
      file(mp4, 'x', 'video/mp4'),
      { content_type: 'video/mp4' },
    ],
    ['a path in the name is dropped', {}, file('a', 'C:\\\\notes\\\\..\\\\a.txt'), { filename: 'a.txt' }],
    ['names may be in any script', {}, file('a', '港図 ⚓.txt'), { filename: '港図 ⚓.txt' }],
    ['unknown bytes get the given type', {}, file(Buffer.alloc(64), 'tides.mp4'), { content_length: 64 }],
    ['a file may be empty', {}, file('', 'empty.txt'), { content_length: 0, status: 'uploaded' }],
    ['text needs no byte order mark', {}, file('High water', 'a.png'), { content_type: 'image/png' }],
    ['text may start like a picture', {}, file('BM is a harbour', 'a.txt'), { content_type: 'text/plain' }],
    ['SVG is accepted as text', {}, file('<?xml version="1.0"?><svg/>', 'a.svg'), { content_type: 'image/svg+xml' }],
    ['a file may have exactly 20 MiB', {}, file(Buffer.alloc(20 * MEBIBYTE), 'a.mp4'), { content_length: 20 * MEBIBYTE }],
  ])('200: %s', async (_what, request, part, expected) => {
    const response = await send(server.owner, await fresh(request), part)
    expect(response.status, response.text).toBe(200)
    expect(response.body).toMatchObject(expected)
  })

  it('200 for parts in any order and at the same time; a part that is sent again replaces the earlier one', async () => {
    const id = await parts(3)
    const [whole, more] = [Buffer.alloc(5 * MEBIBYTE, 1), Buffer.alloc(6 * MEBIBYTE, 2)]
    await Promise.all([send(server.owner, id, number(3), file('end')), send(server.owner, id, number(1), file(whole))])
    expect(await retrieve(id)).toMatchObject({
      status: 'pending',
      number_of_parts: { total: 3, sent: 2 },
      content_length: 5 * MEBIBYTE + 3,
      upload_url: `${server.url}/v1/file_uploads/${id}/send`,
      complete_url: `${server.url}/v1/file_uploads/${id}/complete`,
    })
    const { body } = await send(server.owner, id, file(more), number(1))
    expect(body).toMatchObject({ number_of_parts: { total: 3, sent: 2 }, content_length: 6 * MEBIBYTE + 3 })
  })

  it('200 with the same response for a repeated idempotency key, and 409 if the file name or the bytes differ', async () => {
    const id = await fresh()
    const key = { 'Idempotency-Key': randomUUID() }
    const send = (part: FormPart): Promise<TestResponse> => {
      const { bytes, headers } = form(part)
      return raw(id, { ...(headers as Record<string, string>), ...key }, bytes)
    }
    const first = await send(file('a', 'a.txt'))
    expect(first.body).toMatchObject({ status: 'uploaded' })
    const again = await send(file('a', 'a.txt'))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toStrictEqual(first.body)
    for (const other of [file('b', 'a.txt'), file('a', 'b.txt')]) expectError(await send(other), 409, 'idempotency_key_reused')
  })

  it('200 for a repeated idempotency key, without leaving bytes to delete', async () => {
    const id = await parts(2)
    const { bytes, headers } = form(number(2), file('a'))
    const all = { ...(headers as Record<string, string>), 'Idempotency-Key': randomUUID() }
    expect((await raw(id, all, bytes)).status).toBe(200)
    expect((await raw(id, all, bytes)).headers['idempotency-replayed']).toBe('true')
    const waiting = 'select 1 as one from file_objects where drop_time > ?'
    expect(await server.service.database.read((db) => db.get({}, waiting, server.clock.now()))).toBeUndefined()
  })

  it('200 for a file sent at an old version', async () => {
    const caller = server.caller('itk_test_token_of_the_demo_connection', '2022-06-28')
    const { body } = await caller.call('createFileUpload', { body: {} })
    expect((await send(caller, idOf(body), file('a', 'a.txt'))).body).toMatchObject({ status: 'uploaded', archived: false })
  })

  it.each<[string, object, FormPart[], string]>([
    ['no file', {}, [], 'body.file'],
    ['a text instead of the file', {}, [{ name: 'file', value: 'High water' }], 'body.file'],
    ['an unknown text', {}, [file('a', 'a.txt'), { name: 'color', value: 'red' }], 'body.color'],
    ['an unknown file', {}, [file('a', 'a.txt'), { ...file('b', 'b.txt'), name: 'second' }], 'body.second'],
    ['two files', {}, [file('a', 'a.txt'), file('b', 'b.txt')], 'body.file'],
    ['a part number for a single-part file', {}, [file('a', 'a.txt'), number(1)], 'body.part_number'],
    ['more than 20 MiB', {}, [file(Buffer.alloc(20 * MEBIBYTE + 1), 'a.mp4')], 'body.file'],
    ['far more than 20 MiB', {}, [file(Buffer.alloc(22 * MEBIBYTE), 'a.mp4')], 'body.file'],
    ['neither a usable extension nor a type', {}, [file('a')], 'body.file'],
    ['an extension that is not supported', {}, [file('a', 'a.exe')], 'body.file'],
    ['a type that is not supported', {}, [file('a', 'a.txt', 'application/x-msdownload')], 'body.file'],
    ['a type and an extension that disagree', {}, [file(png, 'a.txt', 'image/png')], 'body.file'],
    ['another type than the given one', { content_type: 'text/csv' }, [file('a', 'a.txt', 'text/plain')], 'body.file'],
    ['another type than the extension allows', { filename: 'a.mp4' }, [file('a', 'x', 'text/plain')], 'body.file'],
    ['a name of 901 bytes', {}, [file('a', `${'x'.repeat(897)}.txt`)], 'body.file'],
    ['an HTML page named as a picture', {}, [file('<script>alert(1)</script>', 'dot.png', 'image/png')], 'body.file'],
    ['markup named as a PDF', {}, [file('\n <!DOCTYPE html><title>x</title>', 'a.pdf')], 'body.file'],
    ['a PDF named as a picture', {}, [file(pdf, 'dot.png', 'image/png')], 'body.file'],
    ['a JPEG named as a PNG', {}, [file(jpeg, 'dot.png', 'image/png')], 'body.file'],
    ['a program named as a text', {}, [file(Buffer.from('7f454c460201010000000000', 'hex'), 'a.txt')], 'body.file'],
  ])('400 validation_error for %s', async (_what, request, sent, location) => {
    const id = await fresh(request)
    expectInvalid(await send(server.owner, id, ...sent), location)
    expect(await retrieve(id)).toMatchObject({ status: 'pending', content_length: null })
  })

  it.each<[string, FormPart[], string]>([
    ['no part number', [file(Buffer.alloc(5 * MEBIBYTE))], 'body.part_number'],
    ['part number 0', [file('a'), number(0)], 'body.part_number'],
    ['a part number that is not an integer', [file('a'), number('1.5')], 'body.part_number'],
    ['a part number in words', [file('a'), number('one')], 'body.part_number'],
    ['an empty part number', [file('a'), number('')], 'body.part_number'],
    ['a part number of six digits', [file('a'), number('100000')], 'body.part_number'],
    ['a part number above the total', [file('a'), number(3)], 'body.part_number'],
    ['a part of less than 5 MiB before the last', [file(Buffer.alloc(5 * MEBIBYTE - 1)), number(1)], 'body.file'],
    ['another type than the given one', [file('a', 'a', 'text/plain'), number(2)], 'body.file'],
    ['an HTML page named as a film', [file('<html>'.padEnd(5 * MEBIBYTE), 'a'), number(1)], 'body.file'],
  ])('400 validation_error in a multi-part upload for %s', async (_what, sent, location) => {
    const id = await fresh({ mode: 'multi_part', filename: 'tides.mp4', content_type: 'video/mp4', number_of_parts: 2 })
    expectInvalid(await send(server.owner, id, ...sent), location)
    expect(await retrieve(id)).toMatchObject({ number_of_parts: { total: 2, sent: 0 } })
  })

  it("400 validation_error when the parts exceed the workspace's limit", async () => {
    const id = await parts(2)
    expect((await send(server.owner, id, number(1), file(Buffer.alloc(18 * MEBIBYTE)))).status).toBe(200)
    expectInvalid(await send(server.owner, id, number(2), file(Buffer.alloc(6 * MEBIBYTE + 1))), 'body.file')
    expect((await send(server.owner, id, number(2), file(Buffer.alloc(6 * MEBIBYTE)))).status).toBe(200)
    const { body } = await server.owner.call('retrieveMe')
    expect(body).toMatchObject({ bot: { workspace_limits: { max_file_upload_size_in_bytes: LIMIT } } })
  })

  it('400 validation_error for JSON, another body type, and no body', async () => {
    const id = await fresh()
    expectInvalid(await raw(id, { 'Content-Type': 'application/json' }, Buffer.from('{"file": "a"}')), 'body.file')
    expectInvalid(await raw(id, { 'Content-Type': 'text/plain' }, Buffer.from('a')), 'body.file')
    expectInvalid(await server.owner.call('sendFileUpload', { path: { file_upload_id: id } }), 'body.file')
  })

  it('400 validation_error for malformed forms', async () => {
    const id = await fresh()
    const type = (boundary: string): Record<string, string> => ({ 'Content-Type': `multipart/form-data${boundary}` })
    const { bytes } = form(file('a', 'a.txt'))
    const broken: [Record<string, string>, Buffer][] = [
      [type(''), bytes],
      [type(`; boundary=${'x'.repeat(71)}`), bytes],
      [type('; boundary=other'), bytes],
      // Longer than any client sends: a naive parser would take quadratic time for its blanks.
      [type(`;${' '.repeat(1_000)}boundary=----tide-table-boundary`), bytes],
      [type('; boundary=----tide-table-boundary'), bytes.subarray(0, bytes.length - 10)],
      [
        type('; boundary=----tide-table-boundary'),
        Buffer.from('------tide-table-boundary\r\n\r\nno header\r\n------tide-table-boundary--'),
      ],
      [type('; boundary=a'), Buffer.from('--a\r\nContent-Disposition: attachment\r\n\r\nx\r\n--a--\r\n')],
      [type('; boundary=a'), Buffer.alloc(0)],
    ]
    for (const [headers, body] of broken) expectInvalid(await raw(id, headers, body), 'body')
    for (const [count, words] of [
      [16, 'body.n0 should be not present'],
      [17, 'body should have at most `16` parts'],
    ] as const) {
      const many = form(...Array.from({ length: count }, (_part, index) => ({ name: `n${index}`, value: 'x' })))
      expect((await raw(id, many.headers as Record<string, string>, many.bytes)).body['message']).toContain(words)
    }
    // Of several faults the first is reported, however the bytes are chunked.
    const nameless = await raw(id, type('; boundary=a'), Buffer.from(`${'--a\r\n\r\n\r\n'.repeat(20)}--a--`))
    expect(nameless.body['message']).toContain('body should be a complete form')
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const odd = form({ name, value: 'x' }, file('a', 'a.txt'))
      expectInvalid(await raw(id, odd.headers as Record<string, string>, odd.bytes), `body.${name}`)
    }
    for (const [length, isTooLong] of [
      [1024, false],
      [1025, true],
      [5000, true],
    ] as const) {
      const long = form({ name: 'part_number', value: 'x'.repeat(length) }, file('a', 'a.txt'))
      const response = await raw(id, long.headers as Record<string, string>, long.bytes)
      expectInvalid(response, 'body.part_number')
      expect(String(response.body['message']).includes('at most `1024` bytes')).toBe(isTooLong)
    }
    expect(await retrieve(id)).toMatchObject({ status: 'pending' })
  })

  it('400 validation_error when data after the form makes the body too long', async () => {
    const id = await fresh()
    const { headers, bytes } = form(file('a', 'a.txt'))
    const chunked = { ...(headers as Record<string, string>), 'Transfer-Encoding': 'chunked' }
    const { bodyLimit } = operations.sendFileUpload
    expectInvalid(await raw(id, chunked, Buffer.concat([bytes, Buffer.alloc(bodyLimit)])), 'body.file')
    expect(await retrieve(id)).toMatchObject({ status: 'pending' })
    expect((await raw(id, chunked, Buffer.concat([bytes, Buffer.alloc(bodyLimit - bytes.length)]))).status).toBe(200)
  })

  it('400 validation_error when the upload accepts no more bytes', async () => {
    const done = await fresh({ filename: 'a.txt' })
    await send(server.owner, done, file('a'))
    expectError(await send(server.owner, done, file('b')), 400, 'validation_error', done)
    expect((await send(server.owner, done, file('b'))).body['message']).toContain('uploaded')
    const late = await fresh({ filename: 'a.txt' })
    server.clock.advance(HOUR_MS)
    expect((await send(server.owner, late, file('a'))).body['message']).toContain(`${late} is expired`)
  })

  it("404 object_not_found for an unknown id and for another bot's upload", async () => {
    const id = await fresh()
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    expectNotFound(await send(caller, id, file('a', 'a.txt')), id)
    const unknown = randomUUID()
    expectNotFound(await send(server.owner, unknown, file('a', 'a.txt')), unknown)
    expectInvalid(await send(server.owner, 'x', file('a', 'a.txt')), 'path.file_upload_id')
  })

  it('401 unauthorized without a token; 403 restricted_resource without a write capability', async () => {
    const id = await fresh()
    expectError(await send(server.caller(undefined), id, file('a', 'a.txt')), 401, 'unauthorized')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await send(caller, id, file('a', 'a.txt')), 403, 'restricted_resource')
  })
})
