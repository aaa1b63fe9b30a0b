import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { deleteConnection, removeConnection, setConnectionEnabled } from '../../server/domain/administration/connections.ts'
import { sweepDeliveries } from '../../server/domain/events/webhooks/sweep_deliveries.ts'
import type { Transaction } from '../../server/store/database.ts'
import { deliveriesOf, insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { until } from '../harness/process.ts'
import type { TestServer } from '../harness/server.ts'
import { change } from '../harness/webhooks.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

const { active, attemptsAt, fail, receiver, server } = await deliveryWorldOfFile()

const administer = (work: (db: Transaction, now: number) => Promise<unknown>): Promise<unknown> =>
  server.service.database.write((db) => work(db, server.clock.now()))

describe('waiting deliveries', () => {
  it.each<[string, (caller: TestServer['owner'], id: string, connectionId: string) => Promise<unknown>]>([
    ['a pause', (caller, id) => change(caller, id, { status: 'paused' })],
    [
      'a brief pause',
      async (caller, id) => {
        await change(caller, id, { status: 'paused' })
        await change(caller, id, { status: 'active' })
      },
    ],
    [
      'deletion of their subscription',
      (caller, id) => caller.call('deleteWebhookSubscription', { path: { subscription_id: id } }),
    ],
    [
      'a disabled connection',
      (_caller, _id, connectionId) => administer((db, now) => setConnectionEnabled(db, connectionId, false, now)),
    ],
    [
      'a removed connection',
      (_caller, _id, connectionId) =>
        administer((db, now) => removeConnection(db, connectionId, exampleWorkspace.workspace.id, now)),
    ],
    ['a deleted connection', (_caller, _id, connectionId) => administer((db, now) => deleteConnection(db, connectionId, now))],
  ])('are dropped by %s', async (_case, end) => {
    const { id, caller, connectionId } = await active()
    fail()
    const events = await insertDeliveries(server, id, 3)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    await untilIdle(server)
    await end(caller, id, connectionId)
    receiver.respondWith(undefined)
    await untilIdle(server)
    expect(await deliveriesOf(server, id)).toEqual([])
    server.clock.advance(3_600_000)
    await untilIdle(server)
    expect(events.flatMap(attemptsAt)).toHaveLength(3)
  })

  it('are sent when they are added after a pause', async () => {
    const { id, caller } = await active()
    await change(caller, id, { status: 'paused' })
    await change(caller, id, { status: 'active' })
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
  })

  it('are sent five at a time, and not at all once a pause begins, even if some are in flight', async () => {
    const { id, caller } = await active('third')
    const open: (() => void)[] = []
    receiver.respondWith((response) => void open.push(() => response.writeHead(204).end()), 'third')
    await insertDeliveries(server, id, 12)
    await until(() => open.length === 5 || undefined)
    expect(receiver.host.openResponses()).toBe(5)
    open[0]?.()
    await until(() => open.length === 6 || undefined)
    expect(receiver.host.openResponses()).toBe(5)
    await change(caller, id, { status: 'paused' })
    for (const response of open.slice(1)) response()
    await untilIdle(server)
    expect(open).toHaveLength(6)
    expect((await deliveriesOf(server, id)).every(({ is_delivered }) => is_delivered === 1)).toBe(true)
  })
})

describe('a receiver that does not respond', () => {
  it('delays only deliveries to other unresponsive receivers', async () => {
    const [dead, good] = [await active('third'), await active('other')]
    receiver.respondWith(() => undefined, 'third')
    await insertDeliveries(server, dead.id, 30)
    await until(() => receiver.events('third').length >= 5 || undefined)
    const events = await insertDeliveries(server, good.id, 30)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    expect((await deliveriesOf(server, good.id)).filter(({ is_delivered }) => is_delivered === 1).length).toBeGreaterThan(0)
    receiver.respondWith((response) => response.writeHead(204).end(), 'third')
    receiver.host.breakOff()
    const slow = async (): Promise<object | undefined> =>
      server.service.database.read((db) =>
        db.get({}, 'select 1 as slow from webhook_subscriptions where id = ? and is_slow = 1', dead.id),
      )
    await untilIdle(server)
    // The receiver responds again, and so counts as healthy.
    expect(await slow()).toBeUndefined()
    const rows = await deliveriesOf(server, dead.id)
    expect(rows.filter(({ due_time }) => due_time !== null).every(({ error }) => error !== null)).toBe(true)
    expect(rows.filter(({ is_delivered }) => is_delivered === 1).length).toBeGreaterThanOrEqual(25)
  })
})

describe('a receiver with too many waiting events', () => {
  it('loses the events that are due last, and counts them as lost while all deliveries fail', async () => {
    const { id } = await active()
    fail()
    const events = await insertDeliveries(server, id, 5)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    await untilIdle(server)
    const { database } = server.service
    const due = (await deliveriesOf(server, id)).toSorted((a, b) => Number(a.due_time) - Number(b.due_time))
    await database.write((db) => sweepDeliveries(db, server.clock.now(), 1_000, 3))
    const after = new Map((await deliveriesOf(server, id)).map((row) => [row.event_id, row]))
    for (const [index, { event_id }] of due.entries())
      expect(after.get(event_id)).toMatchObject(
        index < 3
          ? { is_delivered: null, error: 'The receiver responded with status 500.' }
          : { due_time: null, is_delivered: 0, error: 'Too many events were waiting for this receiver.' },
      )
    expect(
      await database.read((db) =>
        db.get({ lost_events: 'integer' }, 'select lost_events from webhook_subscriptions where id = ?', id),
      ),
    ).toEqual({ lost_events: 2 })
  })
})
