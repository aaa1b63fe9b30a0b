import { copyFileSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { story } from '../../server/bootstrap/story.ts'
import { Caller } from '../harness/caller.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { runService, spawnService, until, type RunningProcess, type ServiceProcess } from '../harness/process.ts'
import { TOKEN } from '../harness/server.ts'
import { makeCertificate } from '../protocol/once/certificate.ts'

let database: TestDatabase
beforeEach(async () => void (database = await makeDatabase('none')))
afterEach(() => database.drop())

const run = (settings: Record<string, string> = {}): Promise<RunningProcess> =>
  runService({ DATABASE_URL: database.url, WORKERS: '2', ...settings })

/** Processes that a process started, by what the kernel says. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) === pid
      } catch {
        return false
      }
    })
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
const metricsOf = async (service: RunningProcess): Promise<string> => (await fetch(`${service.url}/metrics`)).text()

/** Each on a connection of its own, so that all workers get some. */
async function ask(service: RunningProcess, times: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await fetch(`${service.url}/v1/users/me`, {
        headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': newestRelease, Connection: 'close' },
      })
      await answer.text()
      return answer.status
    }),
  )
}

/** The name in the certificate that a new connection is shown. */
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
  it('serve one deployment: what one writes, all see; their figures are one', async () => {
    const service = await run()
    const page = await makePage(service.owner)
    expect(await ask(service, 12)).toEqual(Array(12).fill(200))
    const reads = await Promise.all(
      Array.from({ length: 8 }, () => new Caller(service.url, TOKEN).call('retrieveBlock', { path: { block_id: page } })),
    )
    for (const { status } of reads) expect(status).toBe(200)
    const text = await metricsOf(service)
    expect(figure(text, 'workspace_requests_total{operation="retrieveMe",status="200"}')).toBe(12)
    expect(figure(text, 'workspace_database_up')).toBe(1)
    expect(childrenOf(service.pid)).toHaveLength(2)
    expect(service.output().match(/listens on http/g)).toHaveLength(1)
    service.kill()
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })

  it('write at the same time without losing anything', async () => {
    const service = await run()
    const page = await makePage(service.owner)
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_none, index) => {
        const answer = await fetch(`${service.url}/v1/blocks/${page}/children`, {
          method: 'PATCH',
          body: JSON.stringify({ children: [paragraph(`line ${index}`)] }),
          headers: {
            Authorization: `Bearer ${TOKEN}`,
            'Service-Version': newestRelease,
            'Content-Type': 'application/json',
            Connection: 'close',
          },
        })
        return answer.status === 200 ? 'kept' : `${answer.status} ${await answer.text()}`
      }),
    )
    expect(answers.filter((answer) => answer !== 'kept')).toEqual([])
    const children = await service.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 100 } })
    const lines = new Set(
      Array.from({ length: 60 }, (_none, index) =>
        at(children.body, 'results', index, 'paragraph', 'rich_text', 0, 'plain_text'),
      ),
    )
    expect(lines.size).toBe(60)
  })

  it('share the budgets of their callers', async () => {
    const service = await run({ RATE_LIMIT: '10/60' })
    const statuses = await ask(service, 16)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  })

  it('are started anew when they die, while the others serve', async () => {
    const service = await run()
    const [victim = 0, other = 0] = childrenOf(service.pid)
    process.kill(victim, 'SIGKILL')
    await until(() => (isAlive(victim) ? undefined : true))
    expect(new Set(await ask(service, 6))).toEqual(new Set([200]))
    await until(
      () =>
        childrenOf(service.pid).length === 2 && service.log().filter(({ msg }) => msg === 'a worker is ready').length === 3
          ? true
          : undefined,
      service,
    )
    expect(childrenOf(service.pid)).toContain(other)
    expect(service.log().find(({ msg }) => msg === 'a worker died')).toMatchObject({ reason: 'SIGKILL' })
    expect(new Set(await ask(service, 6))).toEqual(new Set([200]))
  })

  it('may be stopped one by one, so that none of their callers notices', async () => {
    const service = await run()
    const [victim = 0] = childrenOf(service.pid)
    let isOver = false
    const statuses = new Set<number>()
    const caller = (async () => {
      while (!isOver) for (const status of await ask(service, 2)) statuses.add(status)
    })()
    process.kill(victim, 'SIGTERM')
    await until(() => (service.log().filter(({ msg }) => msg === 'a worker is ready').length === 3 ? true : undefined), service)
    isOver = true
    await caller
    expect(statuses).toEqual(new Set([200]))
  })

  it('all end with their primary, even when it is killed', async () => {
    const service = await run()
    const workers = childrenOf(service.pid)
    expect(workers).toHaveLength(2)
    service.kill('SIGKILL')
    await service.ended
    await until(() => (workers.some(isAlive) ? undefined : true))
  })

  it('do not start where one of them cannot', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const service: ServiceProcess = spawnService({
      DATABASE_URL: database.url,
      WORKERS: '2',
      PORT: String((squatter.address() as AddressInfo).port),
    })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.errors()).toMatch(/^The service did not start\.\nCannot listen on 127\.0\.0\.1:\d+: [^\n]*EADDRINUSE[^\n]*\n$/)
    squatter.close()
  })

  it('all take a new certificate', async () => {
    const folder = mkdtempSync(join(inject('scratchFolder'), 'tls-'))
    const { certFile, keyFile } = makeCertificate(folder, 'first')
    const service = await run({ TLS_CERT: certFile, TLS_KEY: keyFile })
    const next = makeCertificate(folder, 'second')
    copyFileSync(next.certFile, certFile)
    copyFileSync(next.keyFile, keyFile)
    service.kill('SIGHUP')
    await until(
      () => (service.log().filter(({ msg }) => msg === 'the certificate was read again').length === 2 ? true : undefined),
      service,
    )
    const shown = await Promise.all(Array.from({ length: 8 }, () => certificateOf(service.url)))
    expect(new Set(shown)).toEqual(new Set(['second']))
  })

  it('are as many as there are cores when told `auto`', async () => {
    const { availableParallelism } = await import('node:os')
    const service = await run({ WORKERS: 'auto' })
    expect(childrenOf(service.pid)).toHaveLength(availableParallelism() === 1 ? 0 : availableParallelism())
    expect((await service.owner.call('retrieveBlock', { path: { block_id: story.pages.checklist } })).status).toBe(200)
  })
})
