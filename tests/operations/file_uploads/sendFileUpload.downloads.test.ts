import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sweep, sweepFiles } from '../../harness/sweeps.ts'
import { keepObject, listDueObjects } from '../../../server/store/file_objects.ts'
import type { RawResponse } from '../../harness/responses.ts'
import type { HeaderMap } from '../../harness/caller.ts'
import { appendOne, makePage } from '../../harness/content.ts'
import { create, file, MEBIBYTE, png, send, upload } from '../../harness/files.ts'
import { at, idOf, textAt } from '../../harness/json.ts'
import { scratchFolder } from '../../harness/databases.ts'
import { serverOfFile } from '../../harness/server.ts'

const HOUR_MS = 3_600_000
const folder = scratchFolder('files-')

const server = await serverOfFile({ FILES_URL: `file:${folder}` })
const page = await makePage(server.owner)

/** The signed path of an attached upload. */
async function linkTo(uploadId: string): Promise<string> {
  const id = await appendOne(server.owner, page, { file: { file_upload: { id: uploadId } } })
  const { body } = await server.owner.call('retrieveBlock', { path: { block_id: id } })
  return textAt(body, 'file', 'file', 'url').slice(server.url.length)
}

async function linkOf(bytes: Buffer | string, name: string): Promise<string> {
  return linkTo(await upload(server.owner, bytes, name))
}

/** A caller without a token. */
const get = (path: string, headers: HeaderMap = {}, method = 'GET'): Promise<RawResponse> =>
  server.owner.page(path, method, { Authorization: undefined, 'Service-Version': undefined, ...headers })

const objects = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(`${folder}/${name}`).isFile())

describe('a signed link to a file', () => {
  it('200 without credentials, with headers that prevent scripts', async () => {
    const response = await get(await linkOf(png, 'dock "plan" ⚓.png'))
    expect(response.status).toBe(200)
    expect(response.bytes).toStrictEqual(png)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    })
    expect(response.headers['content-security-policy']).toContain('sandbox')
    expect(response.headers['content-disposition']).toBe(
      `inline; filename="dock \\"plan\\" ?.png"; filename*=UTF-8''dock%20%22plan%22%20%E2%9A%93.png`,
    )
  })

  it.each([
    ['page.html', '<script>alert(1)</script>', 'attachment', 'text/html; charset=utf-8'],
    ['dot.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'attachment', 'image/svg+xml'],
    ['run.js', 'alert(1)', 'attachment', 'application/javascript'],
    ['feed.xml', '<?xml version="1.0"?><a/>', 'attachment', 'text/xml; charset=utf-8'],
    ['plan.pdf', '%PDF-1.4\n%%EOF', 'attachment', 'application/pdf'],
    ['tides.txt', 'High water', 'inline', 'text/plain; charset=utf-8'],
  ])('200 with the type of %s, as a download unless harmless', async (name, content, disposition, type) => {
    const { headers } = await get(await linkOf(content, name))
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`))
    expect(headers['content-type']).toBe(type)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('206 for ranges, even across parts, and 416 beyond the end', async () => {
    const id = idOf(await create(server.owner, { mode: 'multi_part', filename: 'tides.mp4', number_of_parts: 2 }))
    const whole = Buffer.concat([Buffer.alloc(5 * MEBIBYTE, 'ab'), Buffer.from('the last part')])
    for (const [number, bytes] of [
      ['1', whole.subarray(0, 5 * MEBIBYTE)],
      ['2', whole.subarray(5 * MEBIBYTE)],
    ] as const)
      await send(server.owner, id, { name: 'part_number', value: number }, file(bytes))
    await server.owner.call('completeFileUpload', { path: { file_upload_id: id } })
    const link = await linkTo(id)
    expect((await get(link)).bytes?.equals(whole)).toBe(true)
    const size = whole.length
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      [`bytes=${5 * MEBIBYTE - 3}-${5 * MEBIBYTE + 2}`, 5 * MEBIBYTE - 3, 5 * MEBIBYTE + 2],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=${size - 2}-`, size - 2, size - 1],
      [`bytes=${size - 2}-${size + 100}`, size - 2, size - 1],
    ] as const) {
      const { status, headers, bytes } = await get(link, { Range: range })
      expect({ status, range: headers['content-range'], length: headers['content-length'] }, range).toStrictEqual({
        status: 206,
        range: `bytes ${start}-${end}/${size}`,
        length: String(end - start + 1),
      })
      expect(bytes).toStrictEqual(whole.subarray(start, end + 1))
    }
    const beyond = await get(link, { Range: `bytes=${size}-` })
    expect({ status: beyond.status, range: beyond.headers['content-range'], text: beyond.text }).toStrictEqual({
      status: 416,
      range: `bytes */${size}`,
      text: '',
    })
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=x', 'bytes=5-2'])
      expect([200, 416]).toContain((await get(link, { Range: range }, 'HEAD')).status)
    const etag = String((await get(link, {}, 'HEAD')).headers['etag'])
    expect((await get(link, { Range: 'bytes=0-0', 'If-Range': etag })).status).toBe(206)
    expect((await get(link, { Range: 'bytes=0-0', 'If-Range': '"other"' }, 'HEAD')).status).toBe(200)
    expect(await get(link, { 'If-None-Match': etag })).toMatchObject({ status: 304, text: '' })
  })

  it('200 for HEAD with the length but no bytes; 200 without bytes for GET of an empty file', async () => {
    const link = await linkOf(png, 'dock.png')
    expect(await get(link, {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': String(png.length) },
    })
    expect(await get(await linkOf('', 'empty.txt'))).toMatchObject({ status: 200, text: '' })
  })

  it('503 when the bytes cannot be read, with headers that forbid caching', async () => {
    const before = objects()
    const link = await linkOf(png, 'lost.png')
    for (const name of objects().filter((one) => !before.includes(one))) rmSync(`${folder}/${name}`)
    const response = await get(link)
    expect(response).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } })
    expect(response.text).toContain('service_unavailable')
  })

  it('403 after an hour and for every altered link, and 400 for other methods', async () => {
    const link = await linkOf(png, 'dock.png')
    const changed = [
      link.replace(/expires=\d/, 'expires=9'),
      link.replace(/signature=./, 'signature='),
      link.replace(/\/files\/[0-9a-f]{4}/, '/files/0000'),
      link.replace(/\/files\/[0-9a-f]{32}\/[0-9a-f]{4}/, (start) => `${start.slice(0, -4)}0000`),
      link.replace(/\?.*/, ''),
      link.replace(/&signature.*/, ''),
      '/files/',
      '/files/x/y/z',
      '/files/%E0%A4%A/x?expires=1',
      '/files/../../etc/passwd',
    ]
    for (const path of changed) {
      const { status, text } = await get(path)
      expect(status, path).toBe(403)
      expect(text).toContain('restricted_resource')
    }
    expect((await get(link.replace('dock.png', 'other-name.png'))).status).toBe(200)
    expect((await get(link, {}, 'DELETE')).status).toBe(400)
    server.clock.advance(HOUR_MS / 2)
    expect((await get(link)).headers['cache-control']).toBe('private, max-age=1800, immutable')
    server.clock.advance(HOUR_MS / 2 - 1)
    expect(await get(link)).toMatchObject({ status: 200, headers: { 'cache-control': 'private, max-age=0, immutable' } })
    server.clock.advance(1)
    expect((await get(link)).status).toBe(403)
  })
})

describe('bytes in the file storage', () => {
  it('are deleted only when their upload expires, their part is replaced, or their request fails', async () => {
    await sweepAll()
    const before = objects().length
    const kept = await linkOf(png, 'kept.png')
    await upload(server.owner, png, 'unused.png')
    const id = idOf(await create(server.owner, { mode: 'multi_part', filename: 'a.mp4', number_of_parts: 1 }))
    for (const bytes of ['first', 'second'])
      await send(server.owner, id, { name: 'part_number', value: '1' }, file(Buffer.from(`\u0000${bytes}`)))
    expect((await send(server.owner, id, { name: 'part_number', value: '2' }, file(Buffer.alloc(8)))).status).toBe(400)
    expect(objects()).toHaveLength(before + 5)
    await sweepAll()
    expect(objects()).toHaveLength(before + 3)
    expect((await get(kept)).status).toBe(200)
    server.clock.advance(HOUR_MS)
    await sweepAll()
    expect(objects()).toHaveLength(before + 1)
  })

  it('from before a crash are deleted two hours later', async () => {
    await sweepAll()
    const before = objects().length
    const workspaceId = String(at((await server.owner.call('retrieveMe')).body, 'bot', 'workspace_id'))
    // Data left by a process that dies between storing the bytes and the row.
    await server.service.vault.store(workspaceId, chunks('bytes without a row'), 100)
    expect(objects()).toHaveLength(before + 1)
    server.clock.advance(2 * HOUR_MS - 1)
    await sweepAll()
    expect(objects()).toHaveLength(before + 1)
    server.clock.advance(1)
    await sweepAll()
    expect(objects()).toHaveLength(before)
  })

  it('that cannot be deleted do not delay other deletions, and are retried at growing intervals', async () => {
    await sweepAll()
    const before = objects().length
    const workspaceId = String(at((await server.owner.call('retrieveMe')).body, 'bot', 'workspace_id'))
    const { vault, database } = server.service
    const stuck = await vault.store(workspaceId, chunks('stuck'), 100)
    const [path = ''] = objects().filter((name) => name.endsWith(stuck.object?.id ?? 'none'))
    // Replaces the file by a folder, which cannot be deleted as a file.
    rmSync(`${folder}/${path}`)
    mkdirSync(`${folder}/${path}`)
    for (let count = 0; count < 8; count += 1) await vault.store(workspaceId, chunks('bytes'), 100)
    server.clock.advance(2 * HOUR_MS)
    await expect(sweepFiles(database, vault, server.clock.now())).rejects.toThrow(path)
    expect(objects()).toHaveLength(before)
    const kept = (): Promise<unknown> => database.write((db) => keepObject(db, stuck.object ?? { workspaceId, id: '' }, 0))
    expect(await kept()).toBe(false)
    for (const minutes of [1, 2, 4]) {
      server.clock.advance(minutes * 60_000 - 1)
      await sweepAll()
      server.clock.advance(1)
      await expect(sweepFiles(database, vault, server.clock.now())).rejects.toThrow(path)
    }
    rmSync(`${folder}/${path}`, { recursive: true })
    server.clock.advance(8 * 60_000)
    await sweepAll()
    expect(await database.read((db) => listDueObjects(db, Number.MAX_SAFE_INTEGER, 10))).toStrictEqual([])
  })

  async function sweepAll(): Promise<void> {
    await sweep(server.service.database, server.clock.now())
    await sweepFiles(server.service.database, server.service.vault, server.clock.now())
  }

  async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text)
  }
})
