import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { TestResponse } from '../harness/responses.ts'
import type { Caller } from '../harness/caller.ts'
import { children, makePage, text } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { killCount } from '../harness/kills.ts'
import { inLongRuns } from '../harness/long_runs.ts'
import { runService, until } from '../harness/process.ts'

/**
 * Kills a process (SIGKILL) repeatedly while it executes requests with idempotency keys, on one database. Each can be repeated immediately
 * through another process, and takes effect once.
 */

const KILLS = killCount(1)
const WRITERS = 12

const database = await databaseOfFile()

const create = (caller: Caller, parent: string, key: string): Promise<TestResponse> =>
  caller.call('createPage', {
    body: { parent: { page_id: parent }, properties: { title: { title: [text(key)] } } },
    headers: { 'Idempotency-Key': key },
  })

/**
 * Sends requests until the process ends.
 * @returns the keys of requests without a response, and the number of the others
 */
async function writeUntilKilled(
  caller: Caller,
  parent: string,
  kill: () => void,
): Promise<{ cutOff: string[]; acknowledged: number }> {
  let acknowledged = 0
  const cutOff = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (;;) {
        const key = randomUUID()
        const response = await create(caller, parent, key).catch(() => undefined)
        if (!response) return key
        acknowledged += 1
        if (acknowledged === 3 * WRITERS) kill()
      }
    }),
  )
  return { cutOff, acknowledged }
}

async function expectDoneOnce(caller: Caller, parent: string, cutOff: readonly string[], acknowledged: number): Promise<void> {
  const started = performance.now()
  for (const key of cutOff) expect((await create(caller, parent, key)).status, key).toBe(200)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await children(caller, parent)).toHaveLength(acknowledged + cutOff.length)
}

it(
  'a repeat with an idempotency key gets 200 within seconds of starting a killed process again',
  { timeout: 600_000 },
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
      const parent = await makePage(service.owner)
      const { cutOff, acknowledged } = await writeUntilKilled(service.owner, parent, () => service.kill('SIGKILL'))
      expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
      const next = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
      await expectDoneOnce(next.owner, parent, cutOff, acknowledged)
      next.kill('SIGKILL')
      await next.ended
    }
  },
)

inLongRuns(it)(
  'a repeat with an idempotency key gets 200 within seconds from a process that outlives the killed one',
  { timeout: 600_000 },
  async () => {
    const [victim, other] = [
      await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }),
      await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }),
    ]
    const parent = await makePage(other.owner)
    const { cutOff, acknowledged } = await writeUntilKilled(victim.owner, parent, () => victim.kill('SIGKILL'))
    await expectDoneOnce(other.owner, parent, cutOff, acknowledged)
  },
)

inLongRuns(it)(
  'a repeat with an idempotency key gets 200 when one of several workers was killed',
  { timeout: 600_000 },
  async () => {
    const service = await runService({ DATABASE_URL: database.url, WORKERS: '3' })
    const workers = await until(() => {
      const pids = service
        .log()
        .filter(({ msg }) => msg === 'a worker is ready')
        .map(({ worker }) => Number(worker))
      return pids.length === 3 ? pids : undefined
    })
    const parent = await makePage(service.owner)
    const keys = Array.from({ length: 60 }, () => randomUUID())
    const responses = Promise.all(keys.map((key) => create(service.owner, parent, key).catch(() => undefined)))
    process.kill(workers[0] ?? 0, 'SIGKILL')
    await responses
    for (const key of keys) {
      // The connection may still lead to the dead worker.
      const response = await until(() => create(service.owner, parent, key).catch(() => undefined))
      expect(response.status, key).toBe(200)
    }
    expect(await children(service.owner, parent)).toHaveLength(keys.length)
  },
)
