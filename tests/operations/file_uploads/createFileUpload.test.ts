import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { supportedTypes } from '../../../server/domain/files/types.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const create = (body: object, caller = server.owner): Promise<TestResponse> => caller.call('createFileUpload', { body })
const named = (bytes: number, extension = '.pdf'): string => 'x'.repeat(bytes - extension.length) + extension

describe('createFileUpload', () => {
  it('200 with a single-part upload of unknown name and type for an empty request', async () => {
    const { body } = await create({})
    const id = idOf(body)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'file_upload',
      id,
      created_time: '2026-05-16T04:30:00.000Z',
      last_edited_time: '2026-05-16T04:30:00.000Z',
      created_by: { id: expect.any(String) as string, type: 'bot' },
      in_trash: false,
      expiry_time: '2026-05-16T05:30:00.000Z',
      status: 'pending',
      filename: null,
      content_type: null,
      content_length: null,
      upload_url: `${server.url}/v1/file_uploads/${id}/send`,
      request_id: null,
    })
    const response = await server.owner.send('POST', '/v1/file_uploads')
    expect(response.status).toBe(200)
  })

  it.each([
    [{ filename: 'plan.pdf' }, 'plan.pdf', 'application/pdf'],
    [{ filename: 'tides.MP4' }, 'tides.MP4', 'application/mp4'],
    [{ filename: 'tides.mp4', content_type: 'video/mp4' }, 'tides.mp4', 'video/mp4'],
    [{ filename: 'sound.mp4', content_type: 'audio/mp4' }, 'sound.mp4', 'audio/mp4'],
    [{ filename: 'plan', content_type: 'application/pdf' }, 'plan.pdf', 'application/pdf'],
    [{ filename: 'notes', content_type: 'text/plain; charset=utf-8' }, 'notes.txt', 'text/plain; charset=utf-8'],
    [{ filename: 'photo', content_type: 'IMAGE/JPEG' }, 'photo.jpeg', 'IMAGE/JPEG'],
    [{ content_type: 'text/csv' }, null, 'text/csv'],
    [{ filename: '港図 ⚓.png' }, '港図 ⚓.png', 'image/png'],
    [{ filename: named(900) }, named(900), 'application/pdf'],
  ])('200 for %j with the name %s and the type %s', async (request, filename, contentType) => {
    expect((await create(request)).body).toMatchObject({ filename, content_type: contentType, status: 'pending' })
  })

  it('200 with the number of parts, and without a complete_url, for a new multi-part upload', async () => {
    const { body } = await create({ mode: 'multi_part', filename: 'tides.mp4', content_type: 'video/mp4', number_of_parts: 3 })
    expect(body).toMatchObject({ number_of_parts: { total: 3, sent: 0 }, status: 'pending', content_length: null })
    expect(body).not.toHaveProperty('complete_url')
    expect(body).not.toHaveProperty('mode')
    for (const number_of_parts of [1, 10_000])
      expect((await create({ mode: 'multi_part', filename: 'a.mp4', number_of_parts })).status).toBe(200)
  })

  it('the table of extensions and types equals that in the contract', async () => {
    const text = readFileSync('spec/resources/file_uploads/schemas/ContentTypeRequest.yaml', 'utf8')
    const rows = [...text.matchAll(/^ {2}\| (`.+?`) \| (.+?) \|$/gm)]
    const stated = rows.flatMap(([, extensions = '', types = '']) => {
      const groups = types.split(', ').map((group) => [...group.matchAll(/`(.+?)`/g)].map(([, type]) => type))
      return extensions
        .split(', ')
        .flatMap((group, index) => [...group.matchAll(/`(.+?)`/g)].map(([, extension]) => [extension, groups[index]] as const))
    })
    expect(Object.fromEntries(stated)).toStrictEqual({ ...supportedTypes })
    const operation = readFileSync('spec/resources/file_uploads/paths/file_uploads.yaml', 'utf8')
    const listed = [...operation.matchAll(/^ {4}\| [a-z ]+ \| (`.+`) \|$/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, extension]) => extension),
    )
    expect(new Set(listed)).toStrictEqual(new Set(Object.keys(supportedTypes)))
    for (const [extension, [type]] of Object.entries(supportedTypes))
      expect((await create({ filename: `a.${extension}`, content_type: type })).status, extension).toBe(200)
  })

  it('200 for a member, with the person as creator', async () => {
    const [{ id }] = exampleWorkspace.people
    expect((await create({}, await makeMember(server, id))).body).toMatchObject({ created_by: { type: 'person', id } })
  })

  it.each<[string, object, string]>([
    ['an unknown mode', { mode: 'carrier_pigeon' }, 'body.mode'],
    ['parts without a name', { mode: 'multi_part', number_of_parts: 2 }, 'body.filename'],
    ['parts without their number', { mode: 'multi_part', filename: 'a.mp4' }, 'body.number_of_parts'],
    ['no parts', { mode: 'multi_part', filename: 'a.mp4', number_of_parts: 0 }, 'body.number_of_parts'],
    ['too many parts', { mode: 'multi_part', filename: 'a.mp4', number_of_parts: 10_001 }, 'body.number_of_parts'],
    ['a number of parts for a single-part file', { number_of_parts: 2 }, 'body.number_of_parts'],
    ['an address for a single-part file', { external_url: 'https://files.example/a.pdf' }, 'body.external_url'],
    ['an import without an address', { mode: 'external_url', filename: 'a.pdf' }, 'body.external_url'],
    ['an import without a name', { mode: 'external_url', external_url: 'https://files.example/a.pdf' }, 'body.filename'],
    [
      'an import by http',
      { mode: 'external_url', filename: 'a.pdf', external_url: 'http://files.example/a.pdf' },
      'body.external_url',
    ],
    [
      'an import in parts',
      { mode: 'external_url', filename: 'a.pdf', external_url: 'https://files.example/a.pdf', number_of_parts: 2 },
      'body.number_of_parts',
    ],
    ['an extension that is not supported', { filename: 'boot.exe' }, 'body.filename'],
    ['a name without extension or type', { filename: 'plan' }, 'body.filename'],
    ['a type that is not supported', { content_type: 'application/x-msdownload' }, 'body.content_type'],
    ['a malformed type', { filename: 'plan.pdf', content_type: 'pdf' }, 'body.content_type'],
    ['a type with a line break', { content_type: 'text/plain;\r\nSet-Cookie: a=b' }, 'body.content_type'],
    ['a type that does not fit the extension', { filename: 'plan.pdf', content_type: 'image/png' }, 'body.content_type'],
    ['a name of 901 bytes', { filename: named(901) }, 'body.filename.length'],
    ['a name of 901 bytes in fewer characters', { filename: `⚓${named(898)}` }, 'body.filename'],
    ['a name that its extension makes too long', { filename: 'x'.repeat(898), content_type: 'text/plain' }, 'body.filename'],
    [
      'a name with control characters',
      { filename: 'a\u0000b.pdf' },
      'body.filename should be a plain name, without folders or control characters',
    ],
    ['an empty name', { filename: '' }, 'body.filename.length'],
    ['an unknown field', { name: 'a.pdf' }, 'body.name'],
  ])('400 validation_error for %s', async (_what, request, location) => {
    expectInvalid(await create(request), location)
  })

  it.each([
    'https://127.0.0.1/a.pdf',
    'https://localhost/a.pdf',
    'https://[::1]/a.pdf',
    'https://[::ffff:10.0.0.1]/a.pdf',
    'https://10.1.2.3/a.pdf',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1:8443/a.pdf',
    'https://0x7f.1/a.pdf',
    'https://[fe80::1]/a.pdf',
    'https://[fd00::1]/a.pdf',
    'https://0.0.0.0/a.pdf',
    'https://100.64.0.1/a.pdf',
    'https://user:secret@files.example/a.pdf',
    'https://no-such-host.invalid/a.pdf',
  ])('400 validation_error for an import from %s', async (external_url) => {
    expectInvalid(await create({ mode: 'external_url', filename: 'a.pdf', external_url }), 'body.external_url')
  })

  it('401 unauthorized without a token; 403 restricted_resource without a write capability', async () => {
    expectError(await create({}, server.caller(undefined)), 401, 'unauthorized')
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'read_comments'] })
    expectError(await create({}, caller), 403, 'restricted_resource')
    for (const capability of ['insert_content', 'update_content', 'insert_comments'] as const)
      expect((await create({}, (await makeConnection(server, { capabilities: [capability] })).caller)).status).toBe(200)
  })
})
