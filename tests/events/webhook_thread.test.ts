import { on, once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { Session } from 'node:inspector/promises'
import { getPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { WebhookThreadOrder, WebhookThreadReport } from '../../server/threads/webhook_messages.ts'
import { WebhookWorker } from '../../server/threads/webhook_worker.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { deliveriesOf, leaveEvents, untilIdle } from '../harness/deliveries.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { receiverOfFile } from '../harness/webhook_receiver.ts'
import { activated, allowing } from '../harness/webhooks.ts'

/** Events are formed and delivered by a thread, which may die, and which ends with its server. */

const receiver = await receiverOfFile()
const threads: Worker[] = []
const keep = (thread: Worker): void => void threads.push(thread)
process.on('worker', keep)
afterAll(() => void process.off('worker', keep))

let database: TestDatabase
let server: TestServer
beforeEach(async () => {
  threads.length = 0
  database = await makeDatabase()
  server = await startTestServer({ DATABASE_URL: database.url, ...allowing(receiver) })
})
afterEach(async () => {
  await server.stop()
  await database.drop()
})

/** Lets the receiver answer on demand. @returns what it has been sent and not answered, by event */
function holdAnswers(path: string): Map<string, ServerResponse> {
  const held = new Map<string, ServerResponse>()
  receiver.answerWith((response, { body }) => void held.set(String(body['id']), response), path)
  return held
}

/** Of all threads of this process. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      return [getPriority(Number(thread))]
    } catch {
      return [] // It has ended meanwhile.
    }
  })
}

/** Stops a thread in its tracks, as a fault in it might. */
async function hangUp(threadId: number | undefined): Promise<void> {
  const session = new Session()
  session.connect()
  const attached = new Map<string, string>()
  session.on('NodeWorker.attachedToWorker', ({ params }) => void attached.set(params.workerInfo.title, params.sessionId))
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  const sessionId = await until(() => attached.get(`[worker ${threadId}] webhook_thread`))
  const expression = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
  await session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
  session.disconnect()
}

describe('the thread', () => {
  it('starts with the first subscription, and begins deliveries in the order of their events', async () => {
    expect(threads).toHaveLength(0)
    const { id } = await activated(server.owner, receiver, { path: 'third' })
    expect(threads).toHaveLength(1)
    const held = holdAnswers('third')
    const events: string[] = []
    for (let count = 0; count < 8; count += 1) {
      events.push(...(await leaveEvents(server, id)))
      server.clock.advance(1)
    }
    for (let begun = 5; begun <= 8; begun += 1) {
      await until(() => held.size === begun || undefined)
      expect(new Set(held.keys())).toEqual(new Set(events.slice(0, begun)))
      held
        .get(events[begun - 5] ?? '')
        ?.writeHead(204)
        .end()
    }
    for (const response of held.values()) if (!response.headersSent) response.writeHead(204).end()
    await untilIdle(server)
  })

  it('has a lower priority than the threads that answer requests, where threads have priorities', async (context) => {
    if (!existsSync('/proc/thread-self')) return context.skip('no priorities of threads')
    const others = priorities()
    const { id } = await activated(server.owner, receiver, { path: 'in' })
    await leaveEvents(server, id)
    await untilIdle(server)
    const lowered = priorities().filter((priority) => priority > getPriority())
    expect(lowered.length).toBe(others.filter((priority) => priority > getPriority()).length + 1)
  })

  it('is replaced when it dies: every event arrives, and what was cut off is no attempt', async () => {
    const { id } = await activated(server.owner, receiver, { path: 'other' })
    const held = holdAnswers('other')
    const events = await leaveEvents(server, id, 12)
    await until(() => held.size === 5 || undefined)
    await threads.at(-1)?.terminate()
    receiver.answerWith(undefined, 'other')
    const attemptsAt = (event: string): number => receiver.received.filter(({ body }) => body['id'] === event).length
    server.clock.advance(10_000)
    await until(() => events.every((event) => attemptsAt(event) === (held.has(event) ? 2 : 1)) || undefined)
    await untilIdle(server)
    expect(threads).toHaveLength(2)
    const rows = await deliveriesOf(server, id)
    expect(rows.map(({ attempts, is_delivered }) => [attempts, is_delivered])).toEqual(new Array(12).fill([1, 1]))
  })

  it('settles when every event has arrived', async () => {
    const { id } = await activated(server.owner, receiver, { path: 'in' })
    await leaveEvents(server, id, 30)
    await server.service.drainJobs()
    expect((await deliveriesOf(server, id)).filter(({ is_delivered }) => is_delivered === 1)).toHaveLength(30)
  })

  it('begins nothing more when its server stops, waits for what is on its way, and ends', async () => {
    const { id } = await activated(server.owner, receiver, { path: 'once' })
    const held = holdAnswers('once')
    await leaveEvents(server, id, 12)
    await until(() => held.size === 5 || undefined)
    const thread = threads.at(-1)
    const ended = thread && once(thread, 'exit')
    const heard = thread && hearsOf(thread, 'stop')
    const stopping = server.stop()
    await heard
    for (const response of held.values()) response.writeHead(204).end()
    await stopping
    await ended
    receiver.answerWith(undefined, 'once')
    expect(held.size).toBe(5)
    server = await startTestServer({ DATABASE_URL: database.url, ...allowing(receiver) })
    await until(async () => (await deliveriesOf(server, id)).every(({ is_delivered }) => is_delivered === 1) || undefined)
    expect(receiver.events('once')).toHaveLength(12)
  })
})

/** Resolves once a thread has taken an order. */
async function hearsOf(thread: Worker, order: WebhookThreadOrder): Promise<void> {
  const given = Promise.withResolvers<void>()
  const post = thread.postMessage.bind(thread)
  thread.postMessage = (message: unknown) => {
    post(message)
    if (message === order) given.resolve()
  }
  await given.promise
  const done = on(thread, 'message')
  // It is carried out behind the order.
  post('ping')
  for await (const [report] of done) if ((report as WebhookThreadReport).done === 'ping') return
}

type WorkerParts = ConstructorParameters<typeof WebhookWorker>[0]

/** A worker of its own, whose log is collected. */
function makeWorker(parts: Partial<WorkerParts>): { worker: WebhookWorker; lines: string[] } {
  const lines: string[] = []
  const worker = new WebhookWorker({
    database: parseConfig({ DATABASE_URL: database.url }).database,
    allowedHosts: [],
    brands: ['Service'],
    sharedTime: new Float64Array(new SharedArrayBuffer(8)).fill(new TestClock().now()),
    log: pino({}, { write: (line) => lines.push(line) }),
    isDue: async () => true,
    ...parts,
  })
  return { worker, lines }
}

const ENDED = 'the thread that delivers events ended; the next event starts another one'

it('a thread that hangs is ended, the log says so, and the next event starts another one', async () => {
  const { worker, lines } = makeWorker({ pingMilliseconds: 250 })
  const hung = await until(() => threads[0])
  await worker.settled()
  await hangUp(hung.threadId)
  await until(() => threads[1])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ err: { message: 'it hung' }, msg: ENDED }])
  await worker.stop()
})

/** No database can be opened below a file. */
const unusable = { engine: 'sqlite', path: '/dev/null/workspace.db' } as const

it('threads that die at once are replaced after longer and longer pauses, which the log tells', async () => {
  const { worker, lines } = makeWorker({ database: unusable })
  await until(() => lines[2])
  await worker.stop()
  const told = lines.slice(0, 3).map((line) => JSON.parse(line) as { readonly time: number })
  expect(told).toMatchObject(
    [0, 1_000, 2_000].map((milliseconds) => ({ err: { name: 'UnusableDatabase' }, restart_ms: milliseconds, msg: ENDED })),
  )
  // The clocks of the log and of the pause may differ a little.
  expect((told[2]?.time ?? 0) - (told[1]?.time ?? 0)).toBeGreaterThan(900)
})

it('the worker stops while its thread dies', async () => {
  const { worker } = makeWorker({ database: unusable })
  await until(() => threads[0])
  expect(await worker.stop()).toBeUndefined()
})

it('the worker is settled only when it has checked whether anything is due', async () => {
  const due = Promise.withResolvers<boolean>()
  const { worker } = makeWorker({ isDue: () => due.promise })
  worker.look()
  const settled = worker.settled().then(() => threads.length)
  due.resolve(true)
  expect(await settled).toBe(1)
  await worker.stop()
})
