import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { Database } from '../../../server/store/database.ts'
import { FILE_IMPORT } from '../../../server/domain/files/start_import.ts'
import { enqueue } from '../../../server/domain/shared/jobs/queue.ts'
import { insertUpload } from '../../../server/store/file_uploads.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { appendOne, makePage } from '../../harness/content.ts'
import { Listening } from '../../harness/events.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { file, MEBIBYTE, pdf, png, send } from '../../harness/files.ts'
import { at, idOf, textAt, type JsonObject } from '../../harness/json.ts'
import { pour } from '../../harness/local_server.ts'
import { until } from '../../harness/process.ts'
import {
  onceRequested,
  redirect,
  served,
  startRemoteHost,
  type RemoteHandler,
  type RemoteHost,
} from '../../harness/remote_host.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const HOUR_MS = 3_600_000
const LIMIT = 22 * MEBIBYTE

/** Larger than one chunk of the storage. */
const large = Buffer.concat([png, Buffer.alloc(21 * MEBIBYTE, 'tide')])

const status = (code: number): RemoteHandler =>
  onceRequested('application/pdf', (_request, response) => response.writeHead(code).end())

const handlers: Record<string, RemoteHandler> = {
  'plan.pdf': served(pdf, 'application/pdf; version=1.4'),
  'dock.png': served(png, 'image/png'),
  'large.png': served(large, 'image/png'),
  'empty.txt': served(Buffer.alloc(0), 'text/plain'),
  'no_length.pdf': onceRequested('application/pdf', (_request, response) => response.write(pdf) && response.end()),
  'moved.pdf': redirect('plan.pdf', 301),
  'moved_far.pdf': redirect('/moved_4'),
  ...Object.fromEntries([4, 3, 2, 1].map((left) => [`moved_${left}`, redirect(left === 1 ? '/plan.pdf' : `/moved_${left - 1}`)])),
  'moved_too_far.pdf': redirect('/moved_5'),
  moved_5: redirect('/moved_4'),
  'in_a_circle.pdf': redirect('/in_a_circle.pdf', 307),
  'to_http.pdf': redirect('http://localhost/plan.pdf'),
  'to_nowhere.pdf': redirect('https://'),
  'to_nothing.pdf': (_request, response) => void response.writeHead(302).end(),
  'with_password.pdf': redirect('https://user:secret@files.example/plan.pdf'),
  'without_type.pdf': (_request, response) => void response.writeHead(200).end(),
  'too_large.pdf': (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': String(LIMIT + 1) }).end(),
  program: (_request, response) => void response.writeHead(200, { 'Content-Type': 'application/x-msdownload' }).end(),
  'endless.pdf': onceRequested('application/pdf', (_request, response) => pour(response)),
  'closed.pdf': status(503),
  'gone.pdf': status(404),
  'page.pdf': onceRequested('application/pdf', served(Buffer.from('<!doctype html><title>Sign in</title>'), 'text/html')),
  'broken.pdf': onceRequested('application/pdf', (_request, response) => {
    response.writeHead(200, { 'Content-Length': '1000' }).write(pdf)
    setTimeout(() => response.destroy(), 20)
  }),
  'late_redirect.pdf': onceRequested('application/pdf', redirect('https://127.0.0.1:9/plan.pdf')),
  'slow.pdf': onceRequested('application/pdf', (_request, response) => response.write(pdf)),
}

let remote: RemoteHost
let server: TestServer
beforeAll(async () => {
  remote = await startRemoteHost(handlers)
  handlers['to_private.pdf'] = redirect(`https://127.0.0.1:${new URL(remote.url('')).port}/plan.pdf`)
  server = await startTestServer({ FILE_IMPORT_HOSTS: remote.host, FILE_BYTES_MAX: String(LIMIT) })
})
afterAll(() => Promise.all([server.stop(), remote.close()]))

const announce = (path: string, more: object = {}): Promise<TestResponse> =>
  server.owner.call('createFileUpload', {
    body: { mode: 'external_url', filename: path, external_url: remote.url(path), ...more },
  })
const retrieve = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body

/** Waits until an import has ended. */
async function result(id: string): Promise<JsonObject> {
  return until(async () => {
    const body = await retrieve(id)
    return body['status'] === 'pending' ? undefined : body
  })
}

async function imported(path: string, more: object = {}): Promise<JsonObject> {
  const { status: code, body, text } = await announce(path, more)
  expect(code, text).toBe(200)
  expect(body).toMatchObject({ status: 'pending', upload_url: expect.stringMatching(/\/send$/) as string })
  expect(body).not.toHaveProperty('file_import_result')
  return result(idOf(body))
}

const SUCCESS = { imported_time: '2026-05-16T04:30:00.000+00:00', type: 'success', success: {} }

// Concurrent, because the importer polls only twice a second.
describe.concurrent('createFileUpload with an external address', () => {
  it.each<[string, object, object]>([
    ['plan.pdf', {}, { filename: 'plan.pdf', content_type: 'application/pdf', content_length: pdf.length }],
    ['plan.pdf', { filename: 'plan' }, { filename: 'plan.pdf', content_type: 'application/pdf' }],
    ['plan.pdf', { filename: 'tide', content_type: 'application/pdf' }, { filename: 'tide.pdf' }],
    ['no_length.pdf', {}, { content_length: pdf.length }],
    ['empty.txt', {}, { content_length: 0, content_type: 'text/plain' }],
    ['moved.pdf', {}, { content_length: pdf.length }],
    ['moved_far.pdf', {}, { content_length: pdf.length }],
  ])('200 with an uploaded file from %s %j', async (path, more, expected) => {
    const body = await imported(path, more)
    expect(body).toMatchObject({
      status: 'uploaded',
      expiry_time: '2026-05-16T05:30:00.000Z',
      file_import_result: SUCCESS,
      ...expected,
    })
    for (const name of ['mode', 'external_url', 'upload_url', 'complete_url', 'number_of_parts'])
      expect(body).not.toHaveProperty(name)
  })

  it('200 with a complete large file, which can be attached', async () => {
    const { id, content_length } = await imported('large.png')
    expect(content_length).toBe(large.length)
    const page = await makePage(server.owner)
    const block = await appendOne(server.owner, page, { image: { file_upload: { id } } })
    const { body } = await server.owner.call('retrieveBlock', { path: { block_id: block } })
    const { bytes } = await server.owner.page(textAt(body, 'image', 'file', 'url').slice(server.url.length))
    expect(bytes?.equals(large)).toBe(true)
  })

  it.each([
    ['missing.pdf', 'responded with 404'],
    ['moved_too_far.pdf', 'redirects more than 5 times'],
    ['in_a_circle.pdf', 'redirects more than 5 times'],
    ['to_private.pdf', 'is not public'],
    ['to_http.pdf', 'is not https'],
    ['to_nowhere.pdf', 'redirects to an invalid address'],
    ['to_nothing.pdf', 'responded with 302'],
    ['with_password.pdf', 'contains a user name or password'],
    ['without_type.pdf', 'Content-Type'],
    ['too_large.pdf', `at most \`${LIMIT}\` bytes, instead it has \`${LIMIT + 1}\``],
  ])('400 validation_error, and no upload, for %s: %s', async (path, reason) => {
    const response = await announce(path)
    expectInvalid(response, 'body.external_url')
    expect(response.body['message']).toContain(reason)
  })

  it('400 validation_error when neither the name nor the address has a supported extension', async () => {
    expectInvalid(await announce('program'), 'body.filename')
    expectInvalid(await announce('plan.pdf', { content_type: 'image/png' }), 'body.content_type')
  })

  it('400 for faults in the request itself, before any request to another host', async () => {
    expectInvalid(await announce('never_asked.exe'), 'body.filename')
    expect(remote.requests.some((request) => request.includes('never_asked'))).toBe(false)
  })

  it.each<[string, object]>([
    [
      'closed.pdf',
      {
        type: 'download_error',
        code: 'file_upload_download_failed',
        message: 'The address responded with 503.',
        parameter: 'external_url',
        status_code: 503,
      },
    ],
    ['gone.pdf', { type: 'download_error', status_code: 404 }],
    ['broken.pdf', { type: 'download_error', parameter: 'external_url', status_code: null }],
    ['late_redirect.pdf', { type: 'download_error', message: 'The address is not public.' }],
    ['endless.pdf', { type: 'validation_error', code: 'file_upload_invalid_size', parameter: 'external_url', status_code: null }],
    ['page.pdf', { type: 'validation_error', code: 'file_upload_invalid_type', parameter: 'external_url', status_code: null }],
  ])('200 with a failed import and its reason for %s', async (path, error) => {
    const body = await imported(path)
    expect(body).toMatchObject({
      status: 'failed',
      content_length: null,
      expiry_time: '2026-05-16T05:30:00.000Z',
      file_import_result: { imported_time: SUCCESS.imported_time, type: 'error', error },
    })
    expect(body).not.toHaveProperty('upload_url')
  })

  it('400 validation_error when an import is sent bytes or completed', async () => {
    const waiting = idOf((await announce('slow.pdf')).body)
    const failed = idOf(await imported('gone.pdf'))
    const whole = (id: string): Promise<TestResponse> => server.owner.call('completeFileUpload', { path: { file_upload_id: id } })
    for (const response of [await send(server.owner, waiting, file(pdf, 'a.pdf')), await whole(waiting)]) {
      expectInvalid(response, 'path.file_upload_id')
      expect(response.body['message']).toContain(`the mode of ${waiting} is external_url`)
    }
    for (const response of [await send(server.owner, failed, file(pdf, 'a.pdf')), await whole(failed)])
      expect(response.body['message']).toContain(`${failed} is failed`)
    const attach = await server.owner.call('createPage', { body: { cover: { file_upload: { id: failed } } } })
    expectInvalid(attach, 'body.cover.file_upload.id')
    expect(attach.body['message']).toContain(`${failed} is failed`)
  })
})

// Not concurrent: it moves the clock, and collects every failed import.
it('createFileUpload: 200 with an import that fails permanently when its process dies repeatedly', async () => {
  const options = { connectionId: exampleWorkspace.connection.id, types: ['file_upload.upload_failed'] as const }
  const listening = await Listening.start(server, options)
  const events = await listening.eventsBy(async () => {
    const id = await insertTriedOften(server.service.database)
    expect(await result(id)).toMatchObject({
      status: 'failed',
      file_import_result: { type: 'error', error: { type: 'internal_system_error', code: 'internal_server_error' } },
    })
  })
  expect(events.map(([, , data]) => at(data, 'file_import_result', 'error', 'type'))).toEqual(['internal_system_error'])
})

/** An import that was started three times and never finished. */
async function insertTriedOften(database: Database): Promise<string> {
  const { workspace, bot } = exampleWorkspace
  const [id, now] = [randomUUID(), server.clock.now()]
  await database.write(async (db) => {
    await insertUpload(db, workspace.id, {
      id,
      actor_id: bot.id,
      actor_kind: 'bot',
      mode: 'external_url',
      status: 'pending',
      filename: 'plan.pdf',
      content_type: 'application/pdf',
      type_is_given: 0,
      content_length: null,
      parts_total: null,
      parts_sent: 0,
      external_url: remote.url('plan.pdf'),
      import_result: null,
      created_time: now,
      last_edited_time: now,
      expiry_due: now + HOUR_MS,
    })
    await enqueue(db, { kind: FILE_IMPORT, workspaceId: workspace.id, key: id, payload: { id }, dueTime: now })
    await db.run('update jobs set attempts = 3 where workspace_id = ? and job_key = ?', workspace.id, id)
  })
  return id
}
