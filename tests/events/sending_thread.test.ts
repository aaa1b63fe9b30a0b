import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { Session } from 'node:inspector/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../server/domain/webhooks/receivers.ts'
import { WebhookSender } from '../../server/threads/webhook_sender.ts'
import { makeDatabase } from '../harness/databases.ts'
import { deliveriesOf, formedEvent, leaveEvents, untilIdle } from '../harness/deliveries.ts'
import { until } from '../harness/process.ts'
import { startTestServer } from '../harness/server.ts'
import { activated, allowing } from '../harness/webhooks.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

/** Webhooks are sent by a thread, which may die, and which ends with its server. */

const { active, attemptsAt, receiver, server } = await deliveryWorldOfFile()

const threads: Worker[] = []
const keep = (thread: Worker): void => void threads.push(thread)
process.on('worker', keep)
afterAll(() => void process.off('worker', keep))

/** Has the receiver answer when it is told. @returns what it has been sent and not answered, by event */
function holdAnswers(path: string): Map<string, ServerResponse> {
  const held = new Map<string, ServerResponse>()
  receiver.answerWith((response, { body }) => void held.set(String(body['id']), response), path)
  return held
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

describe('the sender', () => {
  const failures: unknown[] = []
  const sender = new WebhookSender({
    allowedHosts: [new URL(receiver.url('other')).host],
    brands: ['Service'],
    refusalOf: async () => undefined,
    onThreadDeath: (error) => void failures.push(error),
    pingMilliseconds: 250,
  })
  afterAll(() => sender.close())
  const { signal } = new AbortController()
  const sendAll = (count: number): Promise<Reply | undefined>[] =>
    Array.from({ length: count }, (_none, index) => {
      const content = { event: JSON.stringify(formedEvent('a subscription', String(index))), attempt: 1, accessibleBy: undefined }
      return sender.send({ url: receiver.url('other'), token: 'secret', content, queue: 'one' }, signal)
    })

  it('begins five of a queue, the next ones as these are answered, and takes back what has not begun', async () => {
    const held = holdAnswers('other')
    const replies = sendAll(12)
    await until(() => held.size === 5 || undefined)
    held.get('2')?.writeHead(204).end()
    await until(() => held.size === 6 || undefined)
    expect([...held.keys()].toSorted()).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(receiver.host.openAnswers()).toBe(5)
    sender.takeBack('one')
    expect(await Promise.all(replies.slice(6))).toEqual(new Array(6).fill(undefined))
    for (const response of held.values()) if (!response.headersSent) response.writeHead(204).end()
    const answers = await Promise.all(replies.slice(0, 6))
    expect(answers.map((reply) => reply?.statusCode)).toEqual(new Array(6).fill(204))
    expect(held.size).toBe(6)
  })

  it('replaces a thread that hangs, and says of what it had that nobody knows what came of it', async () => {
    receiver.answerWith(undefined, 'other')
    await Promise.all(sendAll(1))
    const hung = threads.at(-1)
    await hangUp(hung?.threadId)
    const replies = await Promise.allSettled(sendAll(3))
    expect(replies.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(failures).toEqual([new Error('it hung')])
    expect((await Promise.all(sendAll(2))).map((reply) => reply?.statusCode)).toEqual([204, 204])
    expect(threads.at(-1)).not.toBe(hung)
  })
})

it('deliveries begin in the order of their events', async () => {
  const { id } = await active('third')
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

it('another thread takes over from one that dies: every event arrives, and what was cut off is no attempt', async () => {
  const { id } = await active('other')
  const held = holdAnswers('other')
  const events = await leaveEvents(server, id, 12)
  await until(() => held.size === 5 || undefined)
  const before = threads.length
  await threads.at(-1)?.terminate()
  await untilIdle(server)
  receiver.answerWith(undefined, 'other')
  server.clock.advance(2_000)
  await until(() => events.every((event) => attemptsAt(event).length === (held.has(event) ? 2 : 1)) || undefined)
  await untilIdle(server)
  expect(threads).toHaveLength(before + 1)
  const rows = await deliveriesOf(server, id)
  expect(rows.map(({ attempts, is_delivered }) => [attempts, is_delivered])).toEqual(new Array(12).fill([1, 1]))
})

it('a server that stops begins nothing more, waits for what is on its way, and ends the thread', async () => {
  const database = await makeDatabase()
  const settings = { DATABASE_URL: database.url, ...allowing(receiver) }
  const stopped = await startTestServer(settings)
  const { id } = await activated(stopped.owner, receiver, { path: 'once' })
  const held = holdAnswers('once')
  await leaveEvents(stopped, id, 12)
  await until(() => held.size === 5 || undefined)
  const thread = threads.at(-1)
  const ended = thread && once(thread, 'exit')
  const stopping = stopped.stop()
  for (const response of held.values()) response.writeHead(204).end()
  await stopping
  await ended
  receiver.answerWith(undefined, 'once')
  expect(held.size).toBe(5)
  const next = await startTestServer(settings)
  await until(async () => (await deliveriesOf(next, id)).every(({ is_delivered }) => is_delivered === 1) || undefined)
  expect(receiver.events('once')).toHaveLength(12)
  await next.stop()
  await database.drop()
})
