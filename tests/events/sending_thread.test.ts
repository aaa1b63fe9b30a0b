import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { makeDatabase } from '../harness/databases.ts'
import { deliveriesOf, leaveEvents, untilIdle } from '../harness/deliveries.ts'
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
