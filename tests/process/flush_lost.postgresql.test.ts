import { afterAll, expect, it } from 'vitest'
import type { Answer } from '../harness/answers.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { resultsOf } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { startTestServer } from '../harness/server.ts'
import { Wire } from '../harness/wire.ts'

/** Writers of a workspace share flushes of the server's log. What becomes of their requests when the connection breaks at one? */

const database = await makeDatabase('story')
const wire = new Wire(database.url)
const server = await startTestServer({ DATABASE_URL: await wire.mend() })
afterAll(async () => {
  await server.stop()
  wire.cut()
  await database.drop()
})

const WRITERS = 8
const FLUSH = 'pg_logical_emit_message'

const append = (page: string, key: string): Promise<Answer> =>
  server.owner.call('appendBlockChildren', {
    path: { block_id: page },
    body: { children: [paragraph(key)] },
    headers: { 'Idempotency-Key': key },
  })

it('504 gateway_timeout for writes that waited for a lost flush; repeated with their keys, each happens once', async () => {
  const page = await makePage(server.owner)
  const statuses = new Set<number>()
  let made = 0
  // The first flush of a connection only shows that the server allows it.
  while (!statuses.has(504)) {
    const keys = Array.from({ length: WRITERS }, (_writer, number) => `writer-${made + number}`)
    wire.dropAt = FLUSH
    wire.passes = 1
    for (const { status } of await Promise.all(keys.map((key) => append(page, key)))) statuses.add(status)
    await Promise.all(keys.map((key) => until(async () => ((await append(page, key)).status === 200 ? true : undefined))))
    made += WRITERS
    const { body } = await server.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 100 } })
    expect(resultsOf(body)).toHaveLength(made)
  }
  expect([200, 503, 504]).toEqual(expect.arrayContaining([...statuses]))
})
