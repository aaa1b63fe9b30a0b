import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { everyType, Listening } from '../harness/events.ts'
import { onceRequested, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { eventRows, impossibleEvents } from './support/event_rows.ts'
import { NOTHING, operationRows } from './support/operation_rows.ts'
import { damageIn } from '../harness/damage_in.ts'

let remote: RemoteHost
let server: TestServer
beforeAll(async () => {
  remote = await startRemoteHost({
    'gone.png': onceRequested('image/png', (_request, response) => response.writeHead(404).end()),
  })
  server = await startTestServer({ FILE_IMPORT_HOSTS: remote.host })
})
afterAll(() => Promise.all([server.stop(), remote.close()]))

// If you are here because you have added an event: name it in the row of the operation that causes it (support/operation_rows.ts),
// or give it a row of its own in support/event_rows.ts (CONTRIBUTING.md, "An event").
it('each event type of the contract is caused by an operation or has a test row of its own', () => {
  const byOperations = Object.values(operationRows).flatMap((row) => (row === NOTHING ? [] : row.events))
  const caused = new Set<string>([...byOperations, ...Object.keys(eventRows), ...Object.keys(impossibleEvents)])
  expect(everyType().filter((type) => !caused.has(type))).toEqual([])
})

describe('an event', () => {
  for (const type of everyType()) {
    const row = eventRows[type]
    if (row === undefined) continue
    it(`${type}: ${row.title}`, async () => {
      const { apiVersion: version } = row
      const options = { connectionId: exampleWorkspace.connection.id, types: [type] }
      const listening = await Listening.start(server, version === undefined ? options : { ...options, version })
      const cause = await row.prepare({ server, vanishingFile: remote.url('gone.png') })
      let expected: Awaited<ReturnType<typeof cause>> | undefined
      const events = await listening.eventsBy(async () => {
        expected = await cause()
      })
      expect(events).toEqual([[type, expected?.entityId, expected?.data]])
    })
  }
})

it('stored events pass the checks of doctor and imports', async () => {
  expect(await damageIn(server)).toEqual([])
})
