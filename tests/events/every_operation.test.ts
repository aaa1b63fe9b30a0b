import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { allOperations } from '../harness/every_operation.ts'
import { everyType, Listening, noted, waiting } from '../harness/events.ts'
import { until } from '../harness/process.ts'
import { serverOfFile } from '../harness/server.ts'
import { damageIn } from '../harness/damage_in.ts'
import { sql } from '../../server/store/sql.ts'
import { NOTHING, operationRows, requestFor } from './support/operation_rows.ts'

const server = await serverOfFile()
const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })

const writing = allOperations.filter(({ method }) => method !== 'get').map(({ id }) => id)

// If you are here because you have added an operation that writes: give it a row in support/operation_rows.ts, and have what it
// changes call `recordEvent` (CONTRIBUTING.md, "An event").
it('each operation that is not a GET has a test row with its events', () => {
  expect(Object.keys(operationRows).toSorted()).toEqual(writing.toSorted())
})

for (const id of writing) {
  const row = operationRows[id] ?? NOTHING
  const events = row === NOTHING ? [] : row.events
  it(`${id} causes ${events.length === 0 ? 'no event' : events.join(', ')}`, async () => {
    const send = await requestFor(server, id)
    const before = await noted(server, listening)
    const { status, text } = await send()
    if (row !== NOTHING) expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    const after = await noted(server, listening)
    for (const type of before) after.splice(after.indexOf(type), 1)
    expect(after).toEqual(events)
  })
}

it('stored events pass the checks of doctor and imports', async () => {
  const entries = await waiting(server)
  expect(new Set(entries.map(({ type }) => type)).size).toBeGreaterThan(10)
  expect(await damageIn(server)).toEqual([])
})

it('the service drops a damaged entry, and delivers the others', async () => {
  const damage = sql`update outbox set details = '{"cut' where number in (select min(number) from outbox where stream = 'window')`
  await server.service.database.write((db) => db.run(damage))
  server.clock.advance(60_000)
  await until(async () => ((await waiting(server)).length === 0 ? true : undefined))
  expect((await listening.events()).length).toBeGreaterThan(10)
})
