import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { Caller } from '../harness/caller.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { keepService, until, type RunningProcess } from '../harness/process.ts'
import { TOKEN } from '../harness/server.ts'
import { requestWorkers, childrenOf, isAlive } from './support/workers.ts'

/** One service of two workers for all tests, in turn. Behavior without the database is tested in `once`. */

const database = await databaseOfFile('none')
let service: RunningProcess
beforeAll(async () => {
  service = await keepService({ DATABASE_URL: database.url, WORKERS: '2' })
})
afterAll(async () => {
  service.kill('SIGKILL')
  await service.ended
})

const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
const metricsOf = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text()
/** Waits until this many workers have become ready since the start. */
const untilReady = (count: number): Promise<true> =>
  until(() => (service.log().filter(({ msg }) => msg === 'a worker is ready').length === count ? true : undefined), service)

describe('several workers', () => {
  it('serve one deployment: all see every write, and metrics are totals', async () => {
    const page = await makePage(service.owner)
    expect(await requestWorkers(service, 12)).toEqual(Array(12).fill(200))
    const reads = await Promise.all(
      Array.from({ length: 8 }, () => new Caller(service.url, TOKEN).call('retrieveBlock', { path: { block_id: page } })),
    )
    for (const { status } of reads) expect(status).toBe(200)
    const text = await metricsOf()
    expect(figure(text, 'workspace_requests_total{operation="retrieveMe",status="200"}')).toBe(12)
    expect(figure(text, 'workspace_database_up')).toBe(1)
    expect(childrenOf(service.pid)).toHaveLength(2)
    expect(service.output().match(/listens on http/g)).toHaveLength(1)
  })

  it('write at the same time without losing a change', async () => {
    const page = await makePage(service.owner)
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_none, index) => {
        const response = await fetch(`${service.url}/v1/blocks/${page}/children`, {
          method: 'PATCH',
          body: JSON.stringify({ children: [paragraph(`line ${index}`)] }),
          headers: {
            Authorization: `Bearer ${TOKEN}`,
            'Service-Version': newestRelease,
            'Content-Type': 'application/json',
            Connection: 'close',
          },
        })
        return response.status === 200 ? 'kept' : `${response.status} ${await response.text()}`
      }),
    )
    expect(responses.filter((response) => response !== 'kept')).toEqual([])
    const children = await service.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 100 } })
    const lines = new Set(
      Array.from({ length: 60 }, (_none, index) =>
        at(children.body, 'results', index, 'paragraph', 'rich_text', 0, 'plain_text'),
      ),
    )
    expect(lines.size).toBe(60)
  })

  it('are restarted when they die, while the others serve', async () => {
    const [victim = 0, other = 0] = childrenOf(service.pid)
    process.kill(victim, 'SIGKILL')
    await until(() => (isAlive(victim) ? undefined : true))
    expect(new Set(await requestWorkers(service, 6))).toEqual(new Set([200]))
    await untilReady(3)
    expect(childrenOf(service.pid)).toHaveLength(2)
    expect(childrenOf(service.pid)).toContain(other)
    expect(service.log().find(({ msg }) => msg === 'a worker ended unexpectedly')).toMatchObject({ reason: 'SIGKILL' })
    expect(new Set(await requestWorkers(service, 6))).toEqual(new Set([200]))
  })

  it('can be stopped one by one without a failing request', async () => {
    const [victim = 0] = childrenOf(service.pid)
    let isOver = false
    const statuses = new Set<number>()
    const caller = (async () => {
      while (!isOver) for (const status of await requestWorkers(service, 2)) statuses.add(status)
    })()
    process.kill(victim, 'SIGTERM')
    await untilReady(4)
    isOver = true
    await caller
    expect(statuses).toEqual(new Set([200]))
  })

  it('end with their primary, which exits with code 0 on SIGTERM', async () => {
    const workers = childrenOf(service.pid)
    expect(workers).toHaveLength(2)
    service.kill()
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(workers.filter(isAlive)).toEqual([])
  })
})
