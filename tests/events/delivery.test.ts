import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { insertDelivery } from '../../server/domain/webhooks/insert_delivery.ts'
import { story } from '../../server/bootstrap/story.ts'
import { signatureOf } from '../../server/domain/webhooks/payload.ts'
import { sweepDeliveries } from '../../server/domain/webhooks/sweep_deliveries.ts'
import { insertGrant } from '../../server/store/grants.ts'
import { observeRows } from '../../server/store/row_shape.ts'
import { insertUser } from '../../server/store/users.ts'
import { makeConnection } from '../harness/connections.ts'
import { deliveriesOf, formedEvent, leaveEvents, untilIdle, type DeliveryRow } from '../harness/deliveries.ts'
import { makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { watchRows } from '../harness/row_shapes.ts'
import { sweep } from '../harness/sweeps.ts'
import { serverOfFile, type TestServer } from '../harness/server.ts'
import { type ReceivedHook, receiverOfFile } from '../harness/webhook_receiver.ts'
import { activated, allowing, asClient, change, retrieve } from '../harness/webhooks.ts'

const receiver = await receiverOfFile()
const server = await serverOfFile(allowing(receiver))

/** A subscription of a connection of its own, at the receiver's path. */
async function active(
  path = 'in',
): Promise<{ readonly id: string; readonly token: string; readonly caller: TestServer['owner'] }> {
  receiver.answerWith(undefined, path)
  const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [story.workspace.id] })
  return { ...(await activated(caller, receiver, { path })), caller }
}

const attemptsAt = (id: string): readonly ReceivedHook[] => receiver.received.filter(({ body }) => body['id'] === id)
const only = async (id: string): Promise<DeliveryRow | undefined> => (await deliveriesOf(server, id))[0]
const fail = (): void => receiver.answerWith((response) => response.writeHead(500).end())

describe('an event', () => {
  it('goes out once, signed over its very bytes, and is kept in the log', async () => {
    const { id, token } = await active()
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    const [hook, ...more] = attemptsAt(event)
    expect(more).toEqual([])
    const { data, entity, type, api_version, ...head } = formedEvent(id, event)
    expect(hook?.text).toBe(JSON.stringify({ ...head, attempt_number: 1, api_version, type, entity, data }))
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'workspace-service',
      'x-service-signature': signatureOf(token, hook?.text ?? ''),
    })
    expect(await deliveriesOf(server, id)).toEqual([
      {
        event_id: event,
        due_time: null,
        ended_time: server.clock.now(),
        attempts: 1,
        status_code: 204,
        error: null,
        is_delivered: 1,
      },
    ])
  })

  it('that is left twice is delivered once', async () => {
    const { id } = await active()
    const [event = ''] = await leaveEvents(server, id)
    await untilIdle(server)
    await server.service.database.write((db) =>
      insertDelivery(
        db,
        { homeId: formedEvent(id).workspace_id, subscriptionId: id, events: [formedEvent(id, event)] },
        server.clock.now(),
      ),
    )
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(1)
  })

  it('is delivered once among hundreds', async () => {
    const { id } = await active('other')
    const events = await leaveEvents(server, id, 150)
    await until(() => events.every((event) => attemptsAt(event).length > 0) || undefined)
    await untilIdle(server)
    expect(receiver.events('other').filter(({ body }) => body['subscription_id'] === id)).toHaveLength(150)
  })

  it('that fails is tried again after 1, 4, 15 and 45 minutes, 2, 6 and 15 hours, each within a tenth, and then given up', async () => {
    const { id, token } = await active()
    fail()
    const [event = ''] = await leaveEvents(server, id)
    const minutes = [1, 4, 15, 45, 120, 360, 900]
    for (const [index, wait] of minutes.entries()) {
      await until(() => attemptsAt(event)[index])
      await untilIdle(server)
      const due = Number((await only(id))?.due_time) - server.clock.now()
      expect(Math.abs(due / (wait * 60_000) - 1)).toBeLessThanOrEqual(0.1)
      server.clock.advance(due - 1)
      await untilIdle(server)
      expect(attemptsAt(event)).toHaveLength(index + 1)
      // Retries begin together, a few seconds later.
      server.clock.advance(5_001)
    }
    await until(() => attemptsAt(event)[7])
    await untilIdle(server)
    expect(attemptsAt(event).map(({ body }) => body['attempt_number'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const { text, headers } of attemptsAt(event)) expect(headers['x-service-signature']).toBe(signatureOf(token, text))
    const unlike = attemptsAt(event).map(({ text }) => text.replace(/"attempt_number":\d/, ''))
    expect(new Set(unlike).size).toBe(1)
    expect(await only(id)).toMatchObject({ due_time: null, attempts: 8, status_code: 500, is_delivered: 0 })
    server.clock.advance(48 * 3_600_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(8)
  })

  it('that is acknowledged at the second attempt is not sent a third time', async () => {
    const { id } = await active()
    fail()
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    receiver.answerWith(undefined)
    server.clock.advance(75_000)
    await until(() => attemptsAt(event)[1])
    await untilIdle(server)
    server.clock.advance(3_600_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(2)
    expect(await only(id)).toMatchObject({ attempts: 2, is_delivered: 1, error: null })
  })

  it('that the connection may not see any more is not sent, nor tried again', async () => {
    const { caller, botId } = await makeConnection(server, { capabilities: ['read_content'], grants: [story.pages.handbook] })
    const { id } = await activated(caller, receiver)
    fail()
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    await server.service.database.write((db) => db.run('delete from grants where bot_id = ?', botId))
    server.clock.advance(75_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(1)
    expect(await only(id)).toMatchObject({
      due_time: null,
      is_delivered: 0,
      error: 'The connection may not see this any more.',
    })
  })

  it('names to a public connection the bots that see it, and their users, anew for each attempt', async () => {
    const client = await makeClient(server)
    const headers = asClient(client)
    const nobody = server.caller(undefined)
    const addBot = (owner: string): Promise<string> =>
      server.service.database.write(async (db) => {
        const [id, workspaceId] = [randomUUID(), story.workspace.id]
        const bot = { id, kind: 'bot', name: 'Tide Planner', avatar_url: null, email: null, role: null } as const
        await insertUser(db, workspaceId, {
          ...bot,
          connection_id: client.connectionId,
          owner_id: owner,
          created_time: server.clock.now(),
        })
        await insertGrant(db, workspaceId, id, story.pages.handbook, server.clock.now())
        return id
      })
    const [ines, tomas] = [story.people[0].id, story.people[1].id]
    const first = await addBot(ines)
    const { id } = await activated(nobody, receiver, { headers })
    fail()
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    const second = await addBot(tomas)
    server.clock.advance(75_000)
    await until(() => attemptsAt(event)[1])
    const told = attemptsAt(event).map(({ body }) => body['accessible_by'] as { id: string; type: string }[])
    const named = (ids: readonly string[], type: string): object[] => ids.map((one) => ({ id: one, type }))
    expect(told[0]).toEqual([...named([first], 'bot'), ...named([ines], 'person')])
    expect(new Set(told[1])).toEqual(new Set([...named([first, second], 'bot'), ...named([ines, tomas], 'person')]))
    expect(attemptsAt(event)[0]?.text).toMatch(/"authors":\[.*\],"accessible_by":\[.*\],"attempt_number":1,/)
  })

  it('is not for a subscription that is pending, paused or gone', async () => {
    const { id, caller } = await active()
    await change(caller, id, { status: 'paused' })
    const paused = await leaveEvents(server, id)
    await change(caller, id, { status: 'active' })
    await caller.call('deleteWebhookSubscription', { path: { subscription_id: id } })
    const gone = await leaveEvents(server, id)
    await untilIdle(server)
    expect([...paused, ...gone].flatMap(attemptsAt)).toEqual([])
    expect(await deliveriesOf(server, id)).toEqual([])
  })
})

describe('what waits', () => {
  it.each<[string, (caller: TestServer['owner'], id: string) => Promise<unknown>]>([
    ['a pause', (caller, id) => change(caller, id, { status: 'paused' })],
    [
      'a pause that is over at once',
      async (caller, id) => {
        await change(caller, id, { status: 'paused' })
        await change(caller, id, { status: 'active' })
      },
    ],
    ['the end', (caller, id) => caller.call('deleteWebhookSubscription', { path: { subscription_id: id } })],
  ])('is dropped by %s', async (_case, end) => {
    const { id, caller } = await active()
    fail()
    const events = await leaveEvents(server, id, 3)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    await untilIdle(server)
    await end(caller, id)
    receiver.answerWith(undefined)
    await untilIdle(server)
    expect(await deliveriesOf(server, id)).toEqual([])
    server.clock.advance(3_600_000)
    await untilIdle(server)
    expect(events.flatMap(attemptsAt)).toHaveLength(3)
  })

  it('behind a pause goes out', async () => {
    const { id, caller } = await active()
    await change(caller, id, { status: 'paused' })
    await change(caller, id, { status: 'active' })
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
  })

  it('is sent by five at a time, and no more by a pause while some are open', async () => {
    const { id, caller } = await active('third')
    const open: (() => void)[] = []
    receiver.answerWith((response) => void open.push(() => response.writeHead(204).end()), 'third')
    await leaveEvents(server, id, 12)
    await until(() => open.length === 5 || undefined)
    expect(receiver.host.openAnswers()).toBe(5)
    open[0]?.()
    await until(() => open.length === 6 || undefined)
    expect(receiver.host.openAnswers()).toBe(5)
    await change(caller, id, { status: 'paused' })
    for (const answer of open.slice(1)) answer()
    await untilIdle(server)
    expect(open).toHaveLength(6)
    expect((await deliveriesOf(server, id)).every(({ is_delivered }) => is_delivered === 1)).toBe(true)
  })
})

describe('a receiver that does not answer', () => {
  it('holds up nobody else, and its own deliveries wait among those of others like it', async () => {
    const [dead, good] = [await active('third'), await active('other')]
    receiver.answerWith(() => undefined, 'third')
    await leaveEvents(server, dead.id, 30)
    await until(() => receiver.events('third').length >= 5 || undefined)
    const events = await leaveEvents(server, good.id, 30)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    expect((await deliveriesOf(server, good.id)).filter(({ is_delivered }) => is_delivered === 1).length).toBeGreaterThan(0)
    receiver.answerWith((response) => response.writeHead(204).end(), 'third')
    receiver.host.breakOff()
    const slow = (): Promise<object | undefined> =>
      server.service.database.read((db) =>
        db.get({}, 'select 1 as slow from webhook_subscriptions where id = ? and is_slow = 1', dead.id),
      )
    await untilIdle(server)
    // It answers again, so that it is one of the others.
    expect(await slow()).toBeUndefined()
    const rows = await deliveriesOf(server, dead.id)
    expect(rows.filter(({ due_time }) => due_time !== null).every(({ error }) => error !== null)).toBe(true)
    expect(rows.filter(({ is_delivered }) => is_delivered === 1).length).toBeGreaterThanOrEqual(25)
  })
})

describe('a subscription whose deliveries fail', () => {
  const DAY_MS = 86_400_000

  /** One event fails for the last time, after so many lost ones and so long a time without a success. */
  async function afterLoss(failingFor: number, lost: number): Promise<Record<string, unknown>> {
    const { id, caller } = await active()
    fail()
    const [event = ''] = await leaveEvents(server, id)
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
    await leaveEvents(server, id)
    await until(() => attemptsAt(event)[1])
    await untilIdle(server)
    return {
      ...(await retrieve(caller, id)),
      waiting: (await deliveriesOf(server, id)).filter(({ due_time }) => due_time !== null).length,
    }
  }

  it('is paused after seven days without a success and a hundred lost events, and what waits is dropped', async () => {
    const expected = { status: 'paused', pause_reason: 'delivery_failures', waiting: 0 }
    expect(await afterLoss(7 * DAY_MS, 99)).toMatchObject(expected)
  })

  it('is not paused a millisecond or an event earlier', async () => {
    expect(await afterLoss(7 * DAY_MS - 1, 500)).toMatchObject({ status: 'active', pause_reason: null, waiting: 1 })
    expect(await afterLoss(30 * DAY_MS, 98)).toMatchObject({ status: 'active', pause_reason: null, waiting: 1 })
  })

  it('starts anew with each success and when it is made active again', async () => {
    const { id, caller } = await active()
    const failures = (): Promise<object | undefined> =>
      server.service.database.read((db) =>
        db.get({}, 'select failing_since, lost_events from webhook_subscriptions where id = ?', id),
      )
    const worn = (): Promise<number> =>
      server.service.database.write((db) =>
        db.run('update webhook_subscriptions set failing_since = 1, lost_events = 99 where id = ?', id),
      )
    await worn()
    const [event = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    expect(await failures()).toEqual({ failing_since: null, lost_events: 0 })
    await worn()
    await change(caller, id, { status: 'paused' })
    expect((await change(caller, id, { status: 'active' })).body).toMatchObject({ status: 'active', pause_reason: null })
    expect(await failures()).toEqual({ failing_since: null, lost_events: 0 })
  })
})

describe('a receiver for which very many events wait', () => {
  it('is not read in one go: a turn looks up as many as it needs next', async () => {
    const { id } = await active('third')
    receiver.answerWith(() => undefined, 'third')
    const read: number[] = []
    onTestFinished(watchRows)
    observeRows((_shape, sql, _columns, rows) => {
      if (sql.includes('from webhook_deliveries')) read.push(rows.length)
    })
    await leaveEvents(server, id, 700)
    await until(() => receiver.events('third').filter(({ body }) => body['subscription_id'] === id).length >= 5 || undefined)
    expect(Math.max(...read)).toBeLessThanOrEqual(70)
    expect(Math.max(...read)).toBeGreaterThan(0)
    receiver.answerWith(undefined, 'third')
    receiver.host.breakOff()
    await untilIdle(server)
  })

  it('gets no more than are kept: what is due last is given up, and counts as lost while all fails', async () => {
    const { id } = await active()
    fail()
    const events = await leaveEvents(server, id, 5)
    await until(() => events.every((event) => attemptsAt(event).length === 1) || undefined)
    await untilIdle(server)
    const { database } = server.service
    const due = (await deliveriesOf(server, id)).toSorted((a, b) => Number(a.due_time) - Number(b.due_time))
    await database.write((db) => sweepDeliveries(db, server.clock.now(), 1_000, 3))
    const after = new Map((await deliveriesOf(server, id)).map((row) => [row.event_id, row]))
    for (const [index, { event_id }] of due.entries())
      expect(after.get(event_id)).toMatchObject(
        index < 3
          ? { is_delivered: null, error: 'The receiver answered with status 500.' }
          : { due_time: null, is_delivered: 0, error: 'Too many events waited for this receiver.' },
      )
    expect(
      await database.read((db) =>
        db.get({ lost_events: 'integer' }, 'select lost_events from webhook_subscriptions where id = ?', id),
      ),
    ).toEqual({ lost_events: 2 })
  })
})

describe('the log', () => {
  it('keeps the latest thousand deliveries of a subscription, for a week', async () => {
    const { id } = await active('once')
    await leaveEvents(server, id, 1)
    await untilIdle(server)
    const old = server.clock.now() - 1_000
    const { database } = server.service
    await database.write(async (db) => {
      const [row] = await db.all(
        { workspace_id: 'text', activation: 'integer' },
        'select workspace_id, activation from webhook_subscriptions where id = ?',
        id,
      )
      await db.insert({
        table: 'webhook_deliveries',
        columns: [
          'workspace_id',
          'subscription_id',
          'event_id',
          'event_type',
          'event',
          'activation',
          'created_time',
          'ended_time',
          'is_delivered',
        ],
        rows: Array.from({ length: 1_200 }, (_none, index) => [
          row?.workspace_id ?? '',
          id,
          `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
          'page.created',
          '{}',
          row?.activation ?? 0,
          old,
          old - index,
          1,
        ]),
      })
    })
    const [latest = ''] = await leaveEvents(server, id)
    await until(() => attemptsAt(latest)[0])
    await untilIdle(server)
    const kept = await deliveriesOf(server, id)
    expect(kept).toHaveLength(1_000)
    expect(kept.map(({ event_id }) => event_id)).toContain(latest)
    server.clock.advance(7 * 86_400_000 - 500)
    await sweep(database, server.clock.now())
    expect(await deliveriesOf(server, id)).toHaveLength(2)
    server.clock.advance(500)
    await sweep(database, server.clock.now())
    expect(await deliveriesOf(server, id)).toEqual([])
  })
})
