import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestResponse } from '../harness/responses.ts'
import { Caller } from '../harness/caller.ts'
import { children, makePage, text } from '../harness/content.ts'
import { makeDatabase, on, type TestDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { inLongRuns, withoutSql } from '../harness/long_runs.ts'
import { keepService, runService, until, type RunningProcess } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { remaining } from './rate_limit_headers.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await makeDatabase()
})
afterEach(() => database.drop())

const run = (settings: Record<string, string> = {}): Promise<RunningProcess> =>
  runService({ DATABASE_URL: database.url, ...settings })
const many = (count: number, send: (index: number) => Promise<TestResponse>): Promise<TestResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))
const passed = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 200).length

function oneOf(callers: readonly Caller[], index: number): Caller {
  const caller = callers[index % callers.length]
  if (!caller) throw new Error('nobody calls')
  return caller
}

withoutSql(describe)('rate limits of several workers', () => {
  it('429 for exactly the requests beyond the limit of all workers together', async () => {
    const service = await run({ WORKERS: '2', RATE_LIMIT: '25/60' })
    const responses = await many(60, () => service.owner.call('retrieveMe'))
    expect(passed(responses)).toBe(25)
    for (const response of responses) if (response.status !== 200) expectError(response, 429, 'rate_limited')
    expect(
      new Set(responses.filter(({ status }) => status === 200).map((response) => remaining(response, 'connection'))).size,
    ).toBe(25)
  })

  inLongRuns(on('sqlite', it))(
    '503 from a worker while the primary process, which counts for all, does not respond',
    async () => {
      const service = await run({ WORKERS: '2', RATE_LIMIT: '25/60' })
      process.kill(service.pid, 'SIGSTOP')
      try {
        expectError(await service.owner.call('retrieveMe'), 503, 'service_unavailable')
      } finally {
        process.kill(service.pid, 'SIGCONT')
      }
      expect((await service.owner.call('retrieveMe')).status).toBe(200)
    },
  )
})

on('postgresql', describe)('rate limits of several processes on one database', () => {
  let shared: TestDatabase
  let processes: readonly RunningProcess[]
  beforeAll(async () => {
    shared = await makeDatabase()
    const settings = { DATABASE_URL: shared.url, RATE_LIMIT: '10/4', RATE_LIMIT_WORKSPACE: '1000/60' }
    processes = [await keepService(settings), await keepService(settings), await keepService(settings)]
  })
  afterAll(async () => {
    for (const one of processes) one.kill('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    await shared.drop()
  })

  it('429 for exactly the requests beyond the limit of all processes, in every window', async () => {
    const callers = processes.map(({ url }) => new Caller(url, TOKEN))
    const send = (index: number): Promise<TestResponse> => oneOf(callers, index).call('retrieveMe')
    const responses = await many(60, send)
    expect(passed(responses)).toBe(10)
    const seconds = Math.max(
      ...responses.filter(({ status }) => status === 429).map(({ headers }) => Number(headers['retry-after'])),
    )
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const next = await many(60, send)
    expect(passed(next)).toBe(10)
    expect(Math.min(...next.filter(({ status }) => status === 200).map((response) => remaining(response, 'workspace')))).toBe(980)
  })

  it('401 and then 429 for failed authentications of an address, counted in all processes together', async () => {
    const callers = processes.map(({ url }) => new Caller(url, 'itk_nobody'))
    const responses = await many(130, (index) => oneOf(callers, index).call('retrieveMe'))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(100)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})

withoutSql(describe)('the next process after one that ended', () => {
  const bodyFor = (parent: string, title: string): object => ({
    parent: { page_id: parent },
    properties: { title: { title: [text(title)] } },
  })
  const create = (caller: Caller, key: string, parent: string): Promise<TestResponse> =>
    caller.call('createPage', { body: bodyFor(parent, key), headers: { 'Idempotency-Key': key } })

  it('200 with the stored response of an idempotency key, byte for byte', async () => {
    const before = await run()
    const parent = await makePage(before.owner)
    const first = await create(before.owner, 'kept', parent)
    before.kill('SIGTERM')
    await before.ended
    const after = await run()
    const repeat = await create(after.owner, 'kept', parent)
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect(repeat.text).toBe(first.text)
    expect(await children(after.owner, parent)).toHaveLength(1)
  })

  inLongRuns(it)('200 with one execution for each key when the process is killed and everything is sent again', async () => {
    const later = await startTestServer({ DATABASE_URL: database.url })
    try {
      later.clock.advance(Date.now() - later.clock.now())
      for (let round = 0; round < 3; round += 1) await killAndRepeat(later, round)
    } finally {
      await later.stop()
    }
  })

  /** Kills a process that is busy with keyed requests. Acknowledged requests are replayed; the others are executed, or already were. */
  async function killAndRepeat(later: TestServer, round: number): Promise<void> {
    const service = await run()
    const parent = await makePage(service.owner)
    const responses = new Map<string, TestResponse | undefined>()
    const writers = Array.from({ length: 6 }, async () => {
      for (let isAlive = true; isAlive;) {
        const key = randomUUID()
        responses.set(key, undefined)
        const response = await create(service.owner, key, parent).catch(() => undefined)
        responses.set(key, response)
        isAlive = response !== undefined
      }
    })
    await until(() =>
      [...responses.values()].filter((response) => response !== undefined).length > 5 + round * 10 ? true : undefined,
    )
    service.kill('SIGKILL')
    await Promise.all([...writers, service.ended])
    expect([...responses.values()]).toContain(undefined)
    later.clock.advance(120_000)
    const ids = new Set<string>()
    for (const [key, response] of responses) {
      const repeat = await create(later.owner, key, parent)
      expect(repeat.status).toBe(200)
      if (response) expect([repeat.text, repeat.headers['idempotency-replayed']]).toStrictEqual([response.text, 'true'])
      ids.add(idOf(repeat.body))
    }
    const made = await children(later.owner, parent)
    expect(made).toHaveLength(responses.size)
    expect(new Set(made.map(idOf))).toStrictEqual(ids)
  }
})
