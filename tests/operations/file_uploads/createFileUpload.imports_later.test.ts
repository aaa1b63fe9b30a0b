import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { sweep } from '../../harness/sweeps.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeDatabase } from '../../harness/databases.ts'
import { Listening } from '../../harness/events.ts'
import { MEBIBYTE, pdf } from '../../harness/files.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { onceRequested, served, startRemoteHost, type RemoteHost } from '../../harness/remote_host.ts'
import { startTestServer } from '../../harness/server.ts'

const HOUR_MS = 3_600_000

let isBack = false
let remote: RemoteHost
beforeAll(async () => {
  remote = await startRemoteHost({
    'plan.pdf': served(Buffer.concat([pdf, Buffer.alloc(12 * MEBIBYTE)]), 'application/pdf'),
    'gone.pdf': onceRequested('application/pdf', (_request, response) => response.writeHead(404).end()),
    'slow.pdf': onceRequested('application/pdf', (_request, response) => {
      response.write(pdf)
      if (isBack) response.end()
    }),
  })
})
afterAll(() => remote.close())

async function announce(path: string, caller: Caller): Promise<JsonObject> {
  const body = { mode: 'external_url', filename: path, external_url: remote.url(path) }
  return (await caller.call('createFileUpload', { body })).body
}

const retrieve = async (id: string, caller: Caller): Promise<JsonObject> =>
  (await caller.call('retrieveFileUpload', { path: { file_upload_id: id } })).body

/** Waits until an import has ended. */
function result(id: string, caller: Caller): Promise<JsonObject> {
  return until(async () => {
    const body = await retrieve(id, caller)
    return body['status'] === 'pending' ? undefined : body
  })
}

const imported = async (path: string, caller: Caller): Promise<JsonObject> => result(idOf(await announce(path, caller)), caller)

describe('an import of a file', () => {
  it('continues in another process when its own stops, and stays failed once failed', async () => {
    const database = await makeDatabase()
    const settings = { DATABASE_URL: database.url, FILE_IMPORT_HOSTS: remote.host }
    const first = await startTestServer(settings)
    const id = idOf(await announce('slow.pdf', first.owner))
    const requestCount = (): number => remote.requests.filter((request) => request === 'GET /slow.pdf').length
    const before = requestCount()
    await until(() => (requestCount() > before ? true : undefined))
    await first.stop()
    isBack = true
    const second = await startTestServer(settings)
    const { clock } = second
    try {
      expect(await result(id, second.owner)).toMatchObject({ status: 'uploaded', content_length: pdf.length })

      const failed = idOf(await imported('gone.pdf', second.owner))
      clock.advance(HOUR_MS)
      await sweep(second.service.database, clock.now())
      expect(await retrieve(id, second.owner)).toMatchObject({ status: 'expired', file_import_result: { type: 'success' } })
      expect(await retrieve(failed, second.owner)).toMatchObject({ status: 'failed', file_import_result: { type: 'error' } })
    } finally {
      await second.stop()
      await database.drop()
    }
  })

  it('fails if the storage rejects the bytes, and leaves no open connection', async () => {
    const away = await startTestServer({ FILE_IMPORT_HOSTS: remote.host, FILES_URL: 'file:/etc/hostname/files' })
    try {
      const options = { connectionId: exampleWorkspace.connection.id, types: ['file_upload.upload_failed'] as const }
      const listening = await Listening.start(away, options)
      const events = await listening.eventsBy(async () =>
        expect(at(await imported('plan.pdf', away.owner), 'file_import_result', 'error')).toMatchObject({
          type: 'upload_error',
          code: 'file_upload_storage_failed',
          parameter: null,
          status_code: null,
        }),
      )
      expect(events.map(([, , data]) => at(data, 'file_import_result', 'error', 'type'))).toEqual(['upload_error'])
      // The import itself has closed its connection: neither the process has ended, nor has the host timed out.
      await until(() => (remote.openResponses() === 0 ? true : undefined), undefined, 5_000)
    } finally {
      await away.stop()
    }
  })
})
