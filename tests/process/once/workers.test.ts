import { copyFileSync, mkdtempSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, inject, it } from 'vitest'
import { makeDatabase } from '../../harness/databases.ts'
import { runService, spawnService, until, type RunningProcess } from '../../harness/process.ts'
import { makeCertificate } from '../../protocol/once/certificate.ts'
import { requestWorkers, childrenOf, isAlive } from '../support/workers.ts'
import { inLongRuns } from '../../harness/long_runs.ts'

const run = async (settings: Record<string, string> = {}): Promise<RunningProcess> =>
  runService({ DATABASE_URL: (await makeDatabase('none')).url, WORKERS: '2', ...settings })

/** The name in the certificate of a new connection. */
function certificateOf(url: string): Promise<unknown> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

describe('several workers', () => {
  it('share the rate limits of their callers, and end with their primary even if it is killed', async () => {
    const service = await run({ RATE_LIMIT: '10/60' })
    const statuses = await requestWorkers(service, 16)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
    const workers = childrenOf(service.pid)
    expect(workers).toHaveLength(2)
    service.kill('SIGKILL')
    await service.ended
    await until(() => (workers.some(isAlive) ? undefined : true))
  })

  it('do not start when one of them cannot', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const service = spawnService({
      DATABASE_URL: (await makeDatabase('none')).url,
      WORKERS: '2',
      PORT: String((squatter.address() as AddressInfo).port),
    })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.errors()).toMatch(/^The service did not start\.\nCannot listen on 127\.0\.0\.1:\d+: [^\n]*EADDRINUSE[^\n]*\n$/)
    squatter.close()
  })

  inLongRuns(it)('are as many as there are cores with `auto`, and all reload the certificate', async () => {
    const folder = mkdtempSync(join(inject('scratchFolder'), 'tls-'))
    const { certFile, keyFile } = makeCertificate(folder, 'first')
    const service = await run({ WORKERS: 'auto', TLS_CERT: certFile, TLS_KEY: keyFile })
    const cores = availableParallelism()
    expect(childrenOf(service.pid)).toHaveLength(cores === 1 ? 0 : cores)
    const next = makeCertificate(folder, 'second')
    copyFileSync(next.certFile, certFile)
    copyFileSync(next.keyFile, keyFile)
    service.kill('SIGHUP')
    await until(
      () => (service.log().filter(({ msg }) => msg === 'the certificate was reloaded').length === cores ? true : undefined),
      service,
    )
    const shown = await Promise.all(Array.from({ length: 8 }, () => certificateOf(service.url)))
    expect(new Set(shown)).toEqual(new Set(['second']))
  })
})
