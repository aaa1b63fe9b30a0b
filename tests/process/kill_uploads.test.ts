import { readdirSync, statSync } from 'node:fs'
import { request as httpRequest, type ClientRequest } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { sweep, sweepFiles } from '../harness/sweeps.ts'
import type { Database } from '../../server/store/database.ts'
import { appendOne, makePage } from '../harness/content.ts'
import { makeDatabase, scratchFolder, type TestDatabase } from '../harness/databases.ts'
import { create, file, form, MEBIBYTE, pdf, png, send } from '../harness/files.ts'
import { idOf, textAt, type JsonObject } from '../harness/json.ts'
import { runService, until } from '../harness/process.ts'
import { served, startRemoteHost, type RemoteHandler, type RemoteHost } from '../harness/remote_host.ts'
import { startTestServer, TestClock, TOKEN, type TestServer } from '../harness/server.ts'

/** Kills a process during uploads. No bytes are leaked: parts without a file are swept. */

const HOUR_MS = 3_600_000
const picture = Buffer.concat([png, Buffer.alloc(8 * MEBIBYTE, 'dock')])

let isBack = false
const hesitant: RemoteHandler = (request, response) => {
  if (request.method === 'HEAD' || isBack) served(pdf, 'application/pdf')(request, response)
  else response.writeHead(200, { 'Content-Length': String(pdf.length) }).write(pdf.subarray(0, 10))
}

let database: TestDatabase
let remote: RemoteHost
let folder: string
beforeAll(async () => {
  remote = await startRemoteHost({ 'plan.pdf': hesitant })
  database = await makeDatabase()
  folder = scratchFolder('uploads-')
})
afterAll(() => Promise.all([database.drop(), remote.close()]))

const settings = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  FILES_URL: `file:${folder}`,
  FILE_IMPORT_HOSTS: remote.host,
})
const lengths = (): Map<string, number> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => [name.split('/').at(-1) ?? '', statSync(`${folder}/${name}`)] as const)
      .filter(([, found]) => found.isFile())
      .map(([name, { size }]) => [name, size]),
  )

interface OpenSend {
  readonly request: ClientRequest
  readonly response: Promise<{ readonly status: number; readonly connection: string | undefined }>
  finish(): void
}

/** Sends the first half of a file, and waits until some of it has been stored. */
async function beginSend(url: string, id: string): Promise<OpenSend> {
  const { bytes, headers } = form(file(picture, 'dock.png'))
  const before = new Set(lengths().keys())
  const request = httpRequest(`${url}/v1/file_uploads/${id}/send`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Service-Version': newestRelease,
      'Content-Length': bytes.length,
      'Content-Type': String(headers['Content-Type']),
    },
  })
  const received = new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection })
    })
  })
  received.catch(() => undefined)
  request.write(bytes.subarray(0, bytes.length / 2))
  await until(() => ([...lengths()].some(([name, size]) => !before.has(name) && size > MEBIBYTE) ? true : undefined))
  return { request, response: received, finish: () => void request.end(bytes.subarray(bytes.length / 2)) }
}

/** Expects that, after all pending work has ended, exactly the bytes of existing files are stored. */
async function expectNothingLost(server: TestServer): Promise<void> {
  server.clock.advance(2 * HOUR_MS)
  await sweep(server.service.database, server.clock.now())
  await sweepFiles(server.service.database, server.service.vault, server.clock.now())
  expect([...lengths().keys()].sort()).toStrictEqual(await partsOf(server.service.database))
}

async function partsOf(from: Database): Promise<string[]> {
  const rows = await from.read((db) => db.all({ object_id: 'text' }, 'select object_id from file_parts'))
  return rows.map(({ object_id: id }) => id).sort()
}

async function bytesOf(server: TestServer, id: string): Promise<Buffer | undefined> {
  const block = await appendOne(server.owner, await makePage(server.owner), { file: { file_upload: { id } } })
  const { body } = await server.owner.call('retrieveBlock', { path: { block_id: block } })
  return (await server.owner.page(textAt(body, 'file', 'file', 'url').slice(server.url.length))).bytes
}

const retrieve = async (server: TestServer, id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body

it('kill -9 during an upload and an import leaves no bytes behind, and both can be resumed', async () => {
  const service = await runService({ ...settings(), LOG_LEVEL: 'error', NODE_EXTRA_CA_CERTS: remote.certFile })
  const sent = idOf(await create(service.owner, { filename: 'dock.png' }))
  const fetched = idOf(
    await create(service.owner, { mode: 'external_url', filename: 'plan.pdf', external_url: remote.url('plan.pdf') }),
  )
  await until(() => (remote.requests.includes('GET /plan.pdf') ? true : undefined))
  const { response } = await beginSend(service.url, sent)
  service.kill('SIGKILL')
  await expect(response).rejects.toThrow()
  expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(lengths().size).toBeGreaterThanOrEqual(1)

  isBack = true
  const clock = new TestClock()
  clock.advance(Date.now() - clock.now() + 61_000)
  const server = await startTestServer(settings(), clock)
  try {
    expect(await retrieve(server, sent)).toMatchObject({ status: 'pending', content_length: null })
    expect((await send(server.owner, sent, file(png))).body).toMatchObject({ status: 'uploaded', content_length: png.length })
    await until(async () => ((await retrieve(server, fetched))['status'] === 'pending' ? undefined : true))
    expect(await retrieve(server, fetched)).toMatchObject({ status: 'uploaded', content_length: pdf.length })
    expect([await bytesOf(server, sent), await bytesOf(server, fetched)]).toStrictEqual([png, pdf])
    expect(lengths().size).toBeGreaterThan(2)
    await expectNothingLost(server)
    expect(lengths().size).toBe(2)
  } finally {
    await server.stop()
  }
})

it('a stopping service accepts the rest of a file, and aborts and deletes transfers that take too long', async () => {
  const clock = new TestClock()
  clock.advance(Date.now() - clock.now() + 24 * HOUR_MS)
  const first = await startTestServer(settings(), clock)
  const whole = idOf(await create(first.owner, { filename: 'dock.png' }))
  const open = await beginSend(first.url, whole)
  const stopped = first.stop()
  open.finish()
  expect(await open.response).toStrictEqual({ status: 200, connection: 'close' })
  await stopped

  const second = await startTestServer({ ...settings(), STOP_SECONDS_MAX: '1' }, clock)
  expect((await bytesOf(second, whole))?.equals(picture)).toBe(true)
  const cut = idOf(await create(second.owner, { filename: 'dock.png' }))
  const { response } = await beginSend(second.url, cut)
  await second.stop()
  await expect(response).rejects.toThrow()

  const third = await startTestServer(settings(), clock)
  try {
    expect(await retrieve(third, cut)).toMatchObject({ status: 'pending', content_length: null })
    await expectNothingLost(third)
  } finally {
    await third.stop()
  }
})
