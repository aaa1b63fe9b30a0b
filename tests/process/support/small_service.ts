import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { parseConfig } from '../../../server/config.ts'
import type { Database } from '../../../server/store/database.ts'
import { openDatabase } from '../../../server/store/open.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, scratchFolder } from '../../harness/databases.ts'
import { MEBIBYTE } from '../../harness/files.ts'
import { pour } from '../../harness/local_server.ts'
import { keepService, type RunningProcess } from '../../harness/process.ts'
import { onceRequested, startRemoteHost, type RemoteHost } from '../../harness/remote_host.ts'
import { allowing } from '../../harness/webhooks.ts'
import { startReceiver, type HookReceiver } from '../../harness/webhook_receiver.ts'

/** Maximum resident memory of the process: its heap, its code, and the bytes of files and bodies in flight. */
const RESIDENT_MB_MAX = 900
const FILE_MEBIBYTES = 64

/** A service process with a small heap, and the data of its jobs. */
export interface SmallService {
  readonly service: RunningProcess
  /** The database of the process, for changes that only time or administrators cause. */
  readonly store: Database
  /** Serves a long file at `long.txt`. */
  readonly remote: RemoteHost
  readonly receiver: HookReceiver
  /** A page of the owner. */
  readonly page: string
}

/** Starts the process for all tests of a file; at the end, its memory, log and exit code are checked. */
export async function smallServiceOfFile(): Promise<SmallService> {
  const database = await makeDatabase()
  const remote = await startRemoteHost({
    'long.txt': onceRequested('text/plain', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': String(FILE_MEBIBYTES * MEBIBYTE) })
      pour(response, Buffer.alloc(MEBIBYTE, 'x'), FILE_MEBIBYTES)
    }),
  })
  const receiver = await startReceiver()
  const service = await keepService({
    DATABASE_URL: database.url,
    FILES_URL: `file:${scratchFolder('job-memory-')}`,
    LOG_LEVEL: 'error',
    FILE_IMPORT_HOSTS: remote.host,
    NODE_EXTRA_CA_CERTS: trusting(remote.certFile, receiver.host.certFile),
    ...allowing(receiver),
  })
  const store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  afterAll(async () => {
    const peak = peakMegabytes(service)
    await store.close()
    service.kill()
    expect(await service.ended).toMatchObject({ code: 0 })
    expect(service.log()).toStrictEqual([])
    await Promise.all([remote.close(), receiver.close(), database.drop()])
    expect(peak).toBeLessThan(RESIDENT_MB_MAX)
  })
  return { service, store, remote, receiver, page: await makePage(service.owner) }
}

/** A file with the certificates of all given files. */
function trusting(...files: readonly string[]): string {
  const path = join(scratchFolder('certificates-'), 'all.pem')
  writeFileSync(path, files.map((file) => readFileSync(file, 'utf8')).join('\n'))
  return path
}

/** The peak resident memory of the service; only Linux reports it for other processes. */
function peakMegabytes(service: RunningProcess): number {
  if (process.platform !== 'linux') return 0
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024
}
