import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Answer } from '../harness/answers.ts'
import type { Caller } from '../harness/caller.ts'
import { children, makePage, text } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { killCount } from '../harness/kills.ts'
import { inLongRuns } from '../harness/long_runs.ts'
import { runService, until } from '../harness/process.ts'

/**
 * A process is killed (SIGKILL) while it performs requests with idempotency keys, again and again on one database. Each of them may be
 * repeated at once through another process, and has its effect once.
 */

const KILLS = killCount(1)
const WRITERS = 12

const database = await databaseOfFile()

const create = (caller: Caller, parent: string, key: string): Promise<Answer> =>
  caller.call('createPage', {
    body: { parent: { page_id: parent }, properties: { title: { title: [text(key)] } } },
    headers: { 'Idempotency-Key': key },
  })

/** Sends requests until the process is gone. @returns the keys of those without an answer, and how many had one */
async function writeUntilKilled(
  caller: Caller,
  parent: string,
  kill: () => void,
): Promise<{ cutOff: string[]; answered: number }> {
  let answered = 0
  const cutOff = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (;;) {
        const key = randomUUID()
        const answer = await create(caller, parent, key).catch(() => undefined)
        if (!answer) return key
        answered += 1
        if (answered === 3 * WRITERS) kill()
      }
    }),
  )
  return { cutOff, answered }
}

async function expectDoneOnce(caller: Caller, parent: string, cutOff: readonly string[], answered: number): Promise<void> {
  const started = performance.now()
  for (const key of cutOff) expect((await create(caller, parent, key)).status, key).toBe(200)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(await children(caller, parent)).toHaveLength(answered + cutOff.length)
}

it('200 for every repeat at once after each kill, when the process is started again', { timeout: 600_000 }, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const service = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
    const parent = await makePage(service.owner)
    const { cutOff, answered } = await writeUntilKilled(service.owner, parent, () => service.kill('SIGKILL'))
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
    const next = await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' })
    await expectDoneOnce(next.owner, parent, cutOff, answered)
    next.kill('SIGKILL')
    await next.ended
  }
})

inLongRuns(it)('200 for every repeat immediately while another process lives', { timeout: 600_000 }, async () => {
  const [victim, other] = [
    await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }),
    await runService({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }),
  ]
  const parent = await makePage(other.owner)
  const { cutOff, answered } = await writeUntilKilled(victim.owner, parent, () => victim.kill('SIGKILL'))
  await expectDoneOnce(other.owner, parent, cutOff, answered)
})

inLongRuns(it)('200 for every repeat when one of several workers was killed', { timeout: 600_000 }, async () => {
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
  const answers = Promise.all(keys.map((key) => create(service.owner, parent, key).catch(() => undefined)))
  process.kill(workers[0] ?? 0, 'SIGKILL')
  await answers
  for (const key of keys) {
    // The connection may still lead to the dead worker.
    const answer = await until(() => create(service.owner, parent, key).catch(() => undefined))
    expect(answer.status, key).toBe(200)
  }
  expect(await children(service.owner, parent)).toHaveLength(keys.length)
})
