import { afterAll, beforeAll, expect, it } from 'vitest'
import { append, makePage, paragraph, text } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { idOf } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { PostgresMessages } from '../harness/postgres_messages.ts'
import { Wire } from '../harness/wire.ts'

/**
 * How often a transaction waits for the server. Writers of a workspace run one after another, so the number of changes per second depends
 * on round trips more than on statements.
 */

const database = await databaseOfFile('example')
let wire: Wire
let server: TestServer
let page: string
let block: string
beforeAll(async () => {
  wire = new Wire(database.url)
  server = await startTestServer({ DATABASE_URL: await wire.restore() })
  page = await makePage(server.owner)
  const [first] = await append(server.owner, page, [paragraph('before')])
  block = idOf(first)
})
afterAll(async () => {
  await server.stop()
  wire.cut()
})

/** The round trips of the transactions that contain a text, from `begin` to `commit`. */
async function tripsOf(content: string, work: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const connections = new Map<number, PostgresMessages>()
  wire.watch = (connection, from, bytes) => {
    const messages = connections.get(connection) ?? new PostgresMessages()
    connections.set(connection, messages)
    messages.carry(from, bytes)
  }
  expect(await work()).toMatchObject({ status: 200 })
  wire.watch = undefined
  const transactions = [...connections.values()].flatMap((messages) => messages.transactions)
  return transactions.filter(({ sent }) => sent.includes(content) && sent.includes('commit')).map(({ trips }) => trips)
}

const changes: Readonly<Record<string, (content: string) => Promise<{ readonly status: number }>>> = {
  updateBlock: (content) =>
    server.owner.call('updateBlock', { path: { block_id: block }, body: { paragraph: { rich_text: [text(content)] } } }),
  appendBlockChildren: (content) =>
    server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [paragraph(content)] } }),
  createPage: (content) =>
    server.owner.call('createPage', {
      body: {
        parent: { page_id: page },
        properties: { title: { title: [text(content)] } },
        children: [paragraph('inside')],
      },
    }),
}

/** One of them is for the audit log. */
const trips: Readonly<Record<string, number>> = { updateBlock: 5, appendBlockChildren: 6, createPage: 9 }

// If there are more round trips: combine reads that are needed together.
it.each(Object.entries(changes))('%s: 200 with a bounded number of round trips to the database', async (operation, change) => {
  await change(`${operation} for the first time`)
  const content = `${operation} once more`
  expect(await tripsOf(content, () => change(content))).toEqual([trips[operation]])
})
