import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import S3rver from 's3rver'
import { openFiles } from '../../server/store/files/open.ts'
import type { FileStorage } from '../../server/store/files/storage.ts'
import { parseFilesAddress } from '../../server/config/parsers.ts'
import { appendOne, makePage } from '../harness/content.ts'
import { scratchFolder } from '../harness/databases.ts'
import { file, MEBIBYTE, png, send, create, upload } from '../harness/files.ts'
import { idOf, textAt } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'

/** Real instances of every storage: a folder, and an S3 server. */
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: scratchFolder('s3-'),
  configureBuckets: [{ name: 'files', configs: [] }],
})
const addresses: Record<string, string> = { folder: `file:${scratchFolder('storage-')}`, temporary: 'file::temporary:' }
beforeAll(async () => {
  const { port } = await server.run()
  addresses['s3'] = `s3://S3RVER:S3RVER@files/some/prefix?endpoint=http://127.0.0.1:${port}`
})
afterAll(() => server.close())

async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

async function* broken(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += MEBIBYTE) yield Buffer.alloc(MEBIBYTE, 1)
  throw new Error('the sender has gone')
}

describe.each(['folder', 'temporary', 's3'])('storage: %s', (kind) => {
  let storage: FileStorage
  beforeAll(async () => {
    const address = parseFilesAddress(addresses[kind] ?? '')
    if (!address) throw new Error(`no address of ${kind}`)
    storage = await openFiles(address)
  })
  afterAll(() => storage.close())

  const read = async (name: string, start: number, end: number): Promise<Buffer> =>
    Buffer.concat((await (await storage.read(name, start, end)).toArray()) as Uint8Array[])

  it('stores files and returns any part of them', async () => {
    await storage.write('w/a1/one', chunks('High ', 'water ', '10:40'))
    expect((await read('w/a1/one', 0, 15)).toString()).toBe('High water 10:40')
    expect((await read('w/a1/one', 5, 9)).toString()).toBe('water')
    await storage.write('w/a1/two', chunks(''))
    const large = Array.from({ length: 12 }, (_chunk, index) => Buffer.alloc(MEBIBYTE, index))
    await storage.write('w/b2/large', chunks(...large))
    expect([...(await read('w/b2/large', 6 * MEBIBYTE - 1, 6 * MEBIBYTE))]).toStrictEqual([5, 6])
    expect(await storage.check()).toBeDefined()
    expect(storage.place).not.toContain('S3RVER:')
  })

  it('deletes existing, missing and partly written files', async () => {
    await storage.write('w/c3/gone', chunks('bytes'))
    await storage.remove('w/c3/gone')
    await expect(storage.read('w/c3/gone', 0, 1)).rejects.toThrow()
    await storage.remove('w/c3/gone')
    for (const bytes of [0, 2 * MEBIBYTE, 8 * MEBIBYTE]) {
      await expect(storage.write(`w/d4/${bytes}`, broken(bytes))).rejects.toThrow('the sender has gone')
      await storage.remove(`w/d4/${bytes}`)
      await expect(storage.read(`w/d4/${bytes}`, 0, 1)).rejects.toThrow()
    }
  })

  it('contains the files that callers uploaded to the service', async () => {
    const service = await startTestServer({ FILES_URL: addresses[kind] ?? '' })
    try {
      const page = await makePage(service.owner)
      const id = await upload(service.owner, png, 'dock.png')
      const block = await appendOne(service.owner, page, { image: { file_upload: { id } } })
      const { body } = await service.owner.call('retrieveBlock', { path: { block_id: block } })
      const link = textAt(body, 'image', 'file', 'url').slice(service.url.length)
      expect((await service.owner.page(link)).bytes).toStrictEqual(png)
      expect((await service.owner.page(link, 'GET', { Range: 'bytes=1-3' })).text).toBe('PNG')
      const large = idOf(await create(service.owner, { filename: 'tides.mp4' }))
      expect((await send(service.owner, large, file(Buffer.alloc(11 * MEBIBYTE)))).body).toMatchObject({
        status: 'uploaded',
        content_length: 11 * MEBIBYTE,
      })
    } finally {
      await service.stop()
    }
  })
})
