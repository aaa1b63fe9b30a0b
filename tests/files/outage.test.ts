import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { create, file, png, send } from '../harness/files.ts'
import { idOf, textAt } from '../harness/json.ts'
import { runService } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const folder = scratchFolder('outage-')
const path = join(folder, 'files')
const bucket = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: scratchFolder('s3-'), configureBuckets: [] })
let s3 = ''
beforeAll(async () => {
  const { port } = await bucket.run()
  s3 = `endpoint=http://127.0.0.1:${port}`
})
afterAll(() => bucket.close())

/** Runs `work` against a service with this storage. */
async function withStorage(url: string, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({ FILES_URL: url })
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

/** Makes the storage unusable: replaces its folder by a file, because root may write to any folder. */
function breakFolder(): void {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, '')
}

const readiness = async (server: TestServer): Promise<unknown> => JSON.parse((await server.owner.page('/readyz')).text)
const NOT_READY = { status: 'not ready', reason: 'the file storage cannot be used' }

async function expectOutage(server: TestServer): Promise<void> {
  const id = idOf(await create(server.owner))
  const response = await send(server.owner, id, file(png, 'a.png'))
  expectError(response, 503, 'service_unavailable', 'The file storage is unavailable. Nothing was changed.')
  expect(await readiness(server)).toEqual(NOT_READY)
  expect((await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body['status']).toBe('pending')
}

describe('sendFileUpload', () => {
  it('503, and not ready, while the folder of files cannot be written; 200, and ready, afterwards', async () => {
    breakFolder()
    await withStorage(`file:${path}`, async (server) => {
      await expectOutage(server)
      rmSync(path)
      mkdirSync(path)
      const id = idOf(await create(server.owner))
      expect((await send(server.owner, id, file(png, 'a.png'))).status).toBe(200)
      expect(await readiness(server)).toEqual({ status: 'ready' })
    })
  })

  for (const [what, address] of [
    ['the bucket does not exist', () => `s3://S3RVER:S3RVER@missing?${s3}`],
    ['nothing listens at the address of the bucket', () => 's3://S3RVER:S3RVER@files?endpoint=http://127.0.0.1:9'],
  ] as const) {
    it(`503, and not ready, while ${what}`, { timeout: 30_000 }, () => withStorage(address(), expectOutage))
  }

  it('logs the storage and the cause when the folder of files cannot be written', async () => {
    breakFolder()
    const { owner, log } = await runService({ FILES_URL: `file:${path}` })
    const id = idOf(await create(owner))
    expect((await send(owner, id, file(png, 'a.png'))).status).toBe(503)
    const line = log().find(({ msg }) => msg === 'the file storage failed')
    expect(line).toMatchObject({ level: 'error', storage: path, err: { code: 'ENOTDIR' } })
  })
})

describe('GET /files', () => {
  it('503 when the bytes cannot be read', async () => {
    rmSync(path, { recursive: true, force: true })
    await withStorage(`file:${path}`, async (server) => {
      const id = idOf(await create(server.owner))
      await send(server.owner, id, file(png, 'a.png'))
      const page = await server.owner.call('createPage', {
        body: {
          icon: { type: 'file_upload', file_upload: { id } },
          properties: { title: { title: [] } },
          parent: { workspace: true },
        },
      })
      const link = new URL(textAt(page.body, 'icon', 'file', 'url'))
      const get = async (): Promise<number> => (await server.owner.page(link.pathname + link.search)).status
      expect(await get()).toBe(200)
      breakFolder()
      expect(await get()).toBe(503)
    })
  })
})
