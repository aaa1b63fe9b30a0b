import { describe, expect, it } from 'vitest'
import { deliveriesOf, insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { until } from '../harness/process.ts'
import { change, retrieve } from '../harness/webhooks.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

const { active, attemptsAt, fail, server } = await deliveryWorldOfFile()

describe('a subscription whose deliveries fail', () => {
  const DAY_MS = 86_400_000

  /** An event fails for the last time, after so many lost ones and so long without a success. */
  async function afterLoss(failingFor: number, lost: number): Promise<Record<string, unknown>> {
    const { id, caller } = await active()
    fail()
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    await server.service.database.write(async (db) => {
      await db.run(
        'update webhook_subscriptions set failing_since = ?, lost_events = ? where id = ?',
        server.clock.now() - failingFor,
        lost,
        id,
      )
      await db.run('update webhook_deliveries set attempts = 7, due_time = ? where subscription_id = ?', server.clock.now(), id)
    })
    await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[1])
    await untilIdle(server)
    return {
      ...(await retrieve(caller, id)),
      waiting: (await deliveriesOf(server, id)).filter(({ due_time }) => due_time !== null).length,
    }
  }

  it('is paused after seven days without a success and a hundred lost events, and loses its queue', async () => {
    const expected = { status: 'paused', pause_reason: 'delivery_failures', waiting: 0 }
    expect(await afterLoss(7 * DAY_MS, 99)).toMatchObject(expected)
  })

  it('is not paused one millisecond before seven days, or after 99 lost events', async () => {
    expect(await afterLoss(7 * DAY_MS - 1, 500)).toMatchObject({ status: 'active', pause_reason: null, waiting: 1 })
    expect(await afterLoss(30 * DAY_MS, 98)).toMatchObject({ status: 'active', pause_reason: null, waiting: 1 })
  })

  it('restarts both counts at each success and each activation', async () => {
    const { id, caller } = await active()
    const failures = async (): Promise<object | undefined> =>
      server.service.database.read((db) =>
        db.get({}, 'select failing_since, lost_events from webhook_subscriptions where id = ?', id),
      )
    const worn = (): Promise<void> =>
      server.service.database.write((db) =>
        db.run('update webhook_subscriptions set failing_since = 1, lost_events = 99 where id = ?', id),
      )
    await worn()
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    expect(await failures()).toEqual({ failing_since: null, lost_events: 0 })
    await worn()
    await change(caller, id, { status: 'paused' })
    expect((await change(caller, id, { status: 'active' })).body).toMatchObject({ status: 'active', pause_reason: null })
    expect(await failures()).toEqual({ failing_since: null, lost_events: 0 })
  })
})
