import { expect, it, onTestFinished } from 'vitest'
import { observeRows } from '../../server/store/row_shape.ts'
import { insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { until } from '../harness/process.ts'
import { watchRows } from '../harness/row_shapes.ts'
import { TestClock } from '../harness/server.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

/** The test observes the reads of deliveries, so these run in its thread. */
const { active, receiver, server } = await deliveryWorldOfFile(new TestClock())

it('a statement reads at most 70 waiting deliveries, however many there are', async () => {
  const { id } = await active('third')
  receiver.respondWith(() => undefined, 'third')
  const read: number[] = []
  onTestFinished(watchRows)
  observeRows((_shape, sql, _columns, rows) => {
    if (sql.includes('from webhook_deliveries')) read.push(rows.length)
  })
  await insertDeliveries(server, id, 700)
  await until(() => receiver.events('third').length >= 5 || undefined)
  expect(Math.max(...read)).toBeLessThanOrEqual(70)
  expect(Math.max(...read)).toBeGreaterThan(0)
  receiver.respondWith(undefined, 'third')
  receiver.host.breakOff()
  await untilIdle(server)
})
