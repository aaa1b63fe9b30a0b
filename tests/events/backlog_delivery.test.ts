import { expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { toTimestamp } from '../../server/kernel/clock.ts'
import { startForming } from '../../server/domain/events/start_forming.ts'
import { insertEntries, type NewEntry } from '../../server/store/outbox.ts'
import { updateSubscription } from '../../server/store/webhook_subscriptions.ts'
import { deliveriesOf, untilIdle } from '../harness/deliveries.ts'
import { waiting } from '../harness/events.ts'
import { until } from '../harness/process.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

const { active, receiver, server } = await deliveryWorldOfFile()

/** More windows than one transaction processes, and more deliveries than one query finds. */
const WINDOWS = 450
/** Two changes of a page this far apart are in different windows. */
const APART_MS = 60_000

it('each window of a backlog is delivered once if later than the activation, and never if earlier', async () => {
  const { id } = await active()
  const page = exampleWorkspace.pages.handbook
  const now = server.clock.now()
  const activeSince = now - WINDOWS * APART_MS
  const times = Array.from({ length: 2 * WINDOWS }, (_entry, index) => now - (2 * WINDOWS - index) * APART_MS)
  const entries = times.map((time, index): NewEntry => ({
    entityId: page,
    stream: 'window',
    type: 'page.content_updated',
    time,
    authorId: exampleWorkspace.people[0].id,
    details: JSON.stringify({ blocks: [{ id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, type: 'block' }] }),
    listeners: { [id]: newestRelease },
  }))
  await server.service.database.write(async (db) => {
    await updateSubscription(db, { workspace_id: exampleWorkspace.workspace.id, id }, { active_since: activeSince })
    await insertEntries(db, exampleWorkspace.workspace.id, entries)
    await startForming(db, exampleWorkspace.workspace.id, new Set(['window']), times[0] ?? now)
  }, exampleWorkspace.workspace.id)
  await until(async () => (await waiting(server)).length === 0 || undefined)
  await untilIdle(server)

  const received = receiver.events().map(({ body }) => String(body['timestamp']))
  expect(received.toSorted()).toEqual(times.filter((time) => time >= activeSince).map((time) => toTimestamp(time)))
  const rows = await deliveriesOf(server, id)
  expect(rows.filter(({ is_delivered, attempts }) => is_delivered === 1 && attempts === 1)).toHaveLength(WINDOWS)
  expect(rows).toHaveLength(WINDOWS)
})
