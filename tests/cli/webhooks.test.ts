import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makeConnection, type TestConnection } from '../harness/connections.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { resultsOf } from '../harness/json.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { startReceiver, type HookReceiver } from '../harness/webhook_receiver.ts'
import { activated, allowing, change, subscribed } from '../harness/webhooks.ts'
import { InProcessCommandLine } from './support.ts'

/** A clock with real time, like the clock of the command line. */
class TrueClock extends TestClock {
  override now(): number {
    return Date.now()
  }
}

const database = await databaseOfFile()
let server: TestServer
let receiver: HookReceiver
let connection: TestConnection
let cli: InProcessCommandLine
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ ...allowing(receiver), DATABASE_URL: database.url }, new TrueClock())
  connection = await makeConnection(server, { capabilities: ['read_content'], grants: [exampleWorkspace.workspace.id] })
  cli = new InProcessCommandLine(database.url)
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

describe('webhook', () => {
  it('list and show print subscriptions without their tokens', async () => {
    const { id, token } = await activated(connection.caller, receiver, { name: 'Stock mirror' })
    await subscribed(server.owner, receiver)
    expect(resultsOf(await cli.json('webhook', 'list'))).toHaveLength(2)
    const [only, ...more] = resultsOf(await cli.json('webhook', 'list', '--connection', connection.connectionId))
    expect(more).toEqual([])
    expect(only).toMatchObject({ id, name: 'Stock mirror', url: receiver.url(), status: 'active', lost_events: 0 })
    const shown = await cli.json('webhook', 'show', id)
    expect(shown).toMatchObject({ ...only, waiting_deliveries: 0, verification_status_code: 204 })
    for (const words of [['list'], ['show', id], ['log', id]]) {
      const { output } = await cli.run(['webhook', ...words])
      expect(output).not.toContain(token)
      expect(output).not.toContain('secret_')
    }
    expect((await cli.run(['webhook', 'show', id])).output).toMatch(/acknowledged with status 204/)
  })

  it('log lists deliveries, and replay sends them again', async () => {
    const { id } = await activated(connection.caller, receiver)
    const [first = ''] = await insertDeliveries(server, id)
    await untilIdle(server)
    receiver.respondWith((response) => response.writeHead(503).end())
    const [second = ''] = await insertDeliveries(server, id)
    await untilIdle(server)
    const log = resultsOf(await cli.json('webhook', 'log', id))
    expect(log).toMatchObject([
      { event_id: second, state: 'waiting', attempts: 1, status_code: 503, ended_time: null },
      { event_id: first, state: 'delivered', attempts: 1, status_code: 204, next_attempt_time: null },
    ])
    expect(resultsOf(await cli.json('webhook', 'log', id, '--limit', '1'))).toHaveLength(1)
    receiver.respondWith(undefined)
    expect(await cli.json('webhook', 'replay', id, first)).toEqual({ id, replayed: 1 })
    await server.service.database.write((db) =>
      db.run('update webhook_deliveries set due_time = null, ended_time = 1, is_delivered = 0 where event_id = ?', second),
    )
    expect(await cli.json('webhook', 'replay', id)).toEqual({ id, replayed: 1 })
    await untilIdle(server)
    const counts = [first, second].map((event) => receiver.events().filter(({ body }) => body['id'] === event).length)
    expect(counts).toEqual([2, 2])
    expect((await cli.run(['webhook', 'log', id])).output).toMatch(/delivered/)
  })

  it('test makes the running service send the verification request', async () => {
    const { id } = await activated(connection.caller, receiver, { path: 'other' })
    expect(await cli.json('webhook', 'test', id)).toEqual({
      id,
      url: receiver.url('other'),
      acknowledged: true,
      status_code: 204,
      error: null,
    })
    expect(receiver.tokens('other')).toHaveLength(2)
    receiver.respondWith((response) => response.writeHead(410).end(), 'other')
    expect((await cli.run(['webhook', 'test', id])).output).toMatch(/The receiver responded with status 410\./)
  })

  it('show, log and replay refuse unknown subscriptions, invalid limits and impossible replays', async () => {
    const ghost = exampleWorkspace.pages.handbook
    expect(await cli.refusal(['webhook', 'show', ghost], 1)).toMatch(/No webhook subscription has the id/)
    expect(await cli.refusal(['webhook', 'show', '7'], 1)).toMatch(/No webhook subscription is named "7"/)
    const { id } = await activated(connection.caller, receiver)
    expect(await cli.refusal(['webhook', 'log', id, '--limit', '0'], 2)).toMatch(
      /--limit.*should be a whole number from 1 to 1000/,
    )
    expect(await cli.refusal(['webhook', 'replay', id, ghost], 1)).toMatch(/not contain a finished delivery of that event/)
    await change(connection.caller, id, { status: 'paused' })
    expect(await cli.refusal(['webhook', 'replay', id], 1)).toMatch(/only active ones receive events/)
  })
})
