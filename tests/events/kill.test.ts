import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import type { Caller } from '../harness/caller.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { killCount, REFUSALS, reportKills } from '../harness/kills.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'
import { startReceiver, type HookReceiver } from '../harness/webhook_receiver.ts'
import { activated, allowing } from '../harness/webhooks.ts'

/**
 * Kills a process (SIGKILL) repeatedly during deliveries, on one database. Every acknowledged change is delivered; duplicates only occur
 * for deliveries in flight at a kill, which had been acknowledged but not recorded.
 */

const KILLS = killCount(1)
const WRITERS = 6
/** Maximum deliveries of one subscription in flight before their outcomes are recorded. */
const BEGUN_MAX = 20

const database = await databaseOfFile()
let receiver: HookReceiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

function start(): Promise<RunningProcess> {
  const { certFile } = receiver.host
  return runService({ DATABASE_URL: database.url, LOG_LEVEL: 'info', NODE_EXTRA_CA_CERTS: certFile, ...allowing(receiver) })
}

/** Creates uploads, one event each, until the process ends. */
async function makeUploads(caller: Caller, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const response = await caller.call('createFileUpload', { body: {} }).catch(() => undefined)
    if (response === undefined) return
    if (REFUSALS.includes(response.status)) continue
    expect(response.status).toBe(200)
    acknowledged.add(idOf(response.body))
  }
}

async function withDatabase<T>(use: (opened: Database) => Promise<T>): Promise<T> {
  const opened = openDatabase(
    database.url.startsWith('sqlite:')
      ? { engine: 'sqlite', path: database.url.slice('sqlite:'.length) }
      : { engine: 'postgresql', url: database.url },
  )
  return use(opened).finally(() => opened.close())
}

/** Ends the leases of a dead process, so that others need not wait for them. */
async function endLeases(): Promise<void> {
  await withDatabase((opened) => opened.write((db) => db.run(`update jobs set due_time = 0 where state = 'running'`)))
}

/** Waits until the latest deliveries are all recorded as delivered. */
async function untilMarked(service: RunningProcess): Promise<void> {
  const rows = { due_time: 'integer?', is_delivered: 'integer?' } as const
  const latest = 'select due_time, is_delivered from webhook_deliveries order by created_time desc limit 1000'
  await withDatabase((opened) =>
    until(async () => {
      const deliveries = await opened.read((db) => db.all(rows, latest))
      const areMarked = deliveries.length > 0 && deliveries.every((row) => row.due_time === null && row.is_delivered === 1)
      return areMarked || undefined
    }, service),
  )
}

/** A delivery during which two processes in a row died is retried after a minute. */
const WAIT_MS = 240_000

it('killing processes loses no event, and repeats only in-flight events', { timeout: 3_600_000 }, async () => {
  const uploaded = new Set<string>()
  /** How often the receiver has acknowledged each upload's event. */
  const acknowledged = new Map<string, number>()
  /** The ids of the events about each upload: several ids are different events, not duplicates. */
  const eventIds = new Map<string, Set<string>>()
  let killAt = Infinity
  let kill = (): void => undefined
  receiver.respondWith((response, { body }) => {
    if (typeof body['verification_token'] === 'string') return void response.writeHead(204).end()
    const id = textAt(at(body, 'entity'), 'id')
    eventIds.set(id, (eventIds.get(id) ?? new Set()).add(textAt(body, 'id')))
    const count = [...acknowledged.values()].reduce((sum, one) => sum + one, 0)
    if (count >= killAt) kill()
    response.writeHead(204).end(() => acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1))
  })
  const total = (): number => [...acknowledged.values()].reduce((sum, one) => sum + one, 0)

  let service = await start()
  await activated(service.owner, receiver, { event_types: ['file_upload.created'] })
  for (let life = 0; life < KILLS; life += 1) {
    killAt = total() + 10 + ((life * 37) % 60)
    kill = () => service.kill('SIGKILL')
    const writers = Array.from({ length: WRITERS }, () => makeUploads(service.owner, uploaded))
    await service.ended
    await Promise.all(writers)
    killAt = Infinity
    await endLeases()
    service = await start()
  }
  const isComplete = (): true | undefined => ([...uploaded].every((id) => acknowledged.has(id)) ? true : undefined)
  await until(isComplete, service, WAIT_MS)
  const lost = [...uploaded].filter((id) => !acknowledged.has(id))
  const repeated = [...acknowledged.values()].filter((count) => count > 1)
  const repeats = repeated.reduce((sum, count) => sum + count - 1, 0)
  const doubled = [...eventIds].filter(([, ids]) => ids.size > 1)
  reportKills(
    `${uploaded.size} events, ${lost.length} lost, ${doubled.length} created more than once, ${repeated.length} acknowledged more than once`,
  )
  expect(lost).toEqual([])
  expect(doubled).toEqual([])
  // A delivery in flight at one kill may be in flight again at the next.
  expect(repeats).toBeLessThanOrEqual(BEGUN_MAX * KILLS)
  await untilMarked(service)
  service.kill()
  expect((await service.ended).code).toBe(0)
})
