import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertDelivery } from '../../server/domain/events/webhooks/insert_delivery.ts'
import { signatureOf } from '../../server/domain/events/webhooks/payload.ts'
import { insertGrant } from '../../server/store/grants.ts'
import { insertUser } from '../../server/store/users.ts'
import { makeConnection } from '../harness/connections.ts'
import { deliveriesOf, formedEvent, insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import { makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { sweep } from '../harness/sweeps.ts'
import { activated, asClient, change } from '../harness/webhooks.ts'
import { deliveryWorldOfFile } from './support/delivery_world.ts'

const { active, attemptsAt, fail, only, receiver, server } = await deliveryWorldOfFile()

describe('an event', () => {
  it('is sent once, with a signature of its exact bytes, and recorded in the log', async () => {
    const { id, token } = await active()
    const [event = ''] = await insertDeliveries(server, id)
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

  it('is delivered once even if queued twice', async () => {
    const { id } = await active()
    const [event = ''] = await insertDeliveries(server, id)
    await untilIdle(server)
    await server.service.database.write((db) =>
      insertDelivery(
        db,
        [{ homeId: formedEvent(id).workspace_id, subscriptionId: id, events: [formedEvent(id, event)] }],
        server.clock.now(),
      ),
    )
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(1)
  })

  it('is delivered once among hundreds of others', async () => {
    const { id } = await active('other')
    const events = await insertDeliveries(server, id, 150)
    await until(() => events.every((event) => attemptsAt(event).length > 0) || undefined)
    await untilIdle(server)
    expect(receiver.events('other').filter(({ body }) => body['subscription_id'] === id)).toHaveLength(150)
  })

  it('is retried after 1, 4, 15 and 45 minutes and 2, 6 and 15 hours, each within a tenth, and then dropped, if each attempt fails', async () => {
    const { id, token } = await active()
    fail()
    const [event = ''] = await insertDeliveries(server, id)
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
    const differencesOf = attemptsAt(event).map(({ text }) => text.replace(/"attempt_number":\d/, ''))
    expect(new Set(differencesOf).size).toBe(1)
    expect(await only(id)).toMatchObject({ due_time: null, attempts: 8, status_code: 500, is_delivered: 0 })
    server.clock.advance(48 * 3_600_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(8)
  })

  it('is not sent a third time after an acknowledged second attempt', async () => {
    const { id } = await active()
    fail()
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    receiver.respondWith(undefined)
    server.clock.advance(75_000)
    await until(() => attemptsAt(event)[1])
    await untilIdle(server)
    server.clock.advance(3_600_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(2)
    expect(await only(id)).toMatchObject({ attempts: 2, is_delivered: 1, error: null })
  })

  it('is neither sent nor retried once the connection may no longer see its subject', async () => {
    const { caller, botId } = await makeConnection(server, {
      capabilities: ['read_content'],
      grants: [exampleWorkspace.pages.handbook],
    })
    const { id } = await activated(caller, receiver)
    fail()
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    await server.service.database.write((db) => db.run('delete from grants where bot_id = ?', botId))
    server.clock.advance(75_000)
    await untilIdle(server)
    expect(attemptsAt(event)).toHaveLength(1)
    expect(await only(id)).toMatchObject({
      due_time: null,
      is_delivered: 0,
      error: 'The connection no longer has access to the changed content.',
    })
  })

  it('names, at each attempt, the bots of a public connection that can then see its subject, and their users', async () => {
    const client = await makeClient(server)
    const headers = asClient(client)
    const nobody = server.caller(undefined)
    const addBot = (owner: string): Promise<string> =>
      server.service.database.write(async (db) => {
        const [id, workspaceId] = [randomUUID(), exampleWorkspace.workspace.id]
        const bot = { id, kind: 'bot', name: 'Tide Planner', avatar_url: null, email: null, role: null } as const
        await insertUser(db, workspaceId, {
          ...bot,
          connection_id: client.connectionId,
          owner_id: owner,
          created_time: server.clock.now(),
        })
        await insertGrant(db, workspaceId, id, exampleWorkspace.pages.handbook, server.clock.now())
        return id
      })
    const [ines, tomas] = [exampleWorkspace.people[0].id, exampleWorkspace.people[1].id]
    const first = await addBot(ines)
    const { id } = await activated(nobody, receiver, { headers })
    fail()
    const [event = ''] = await insertDeliveries(server, id)
    await until(() => attemptsAt(event)[0])
    await untilIdle(server)
    const second = await addBot(tomas)
    server.clock.advance(75_000)
    await until(() => attemptsAt(event)[1])
    const audiences = attemptsAt(event).map(({ body }) => body['accessible_by'] as { id: string; type: string }[])
    const named = (ids: readonly string[], type: string): object[] => ids.map((one) => ({ id: one, type }))
    expect(audiences[0]).toEqual([...named([first], 'bot'), ...named([ines], 'person')])
    expect(new Set(audiences[1])).toEqual(new Set([...named([first, second], 'bot'), ...named([ines, tomas], 'person')]))
    expect(attemptsAt(event)[0]?.text).toMatch(/"authors":\[.*\],"accessible_by":\[.*\],"attempt_number":1,/)
  })

  it('is not sent to a subscription that is paused or deleted', async () => {
    const { id, caller } = await active()
    await change(caller, id, { status: 'paused' })
    const paused = await insertDeliveries(server, id)
    await change(caller, id, { status: 'active' })
    await caller.call('deleteWebhookSubscription', { path: { subscription_id: id } })
    const gone = await insertDeliveries(server, id)
    await untilIdle(server)
    expect([...paused, ...gone].flatMap(attemptsAt)).toEqual([])
    expect(await deliveriesOf(server, id)).toEqual([])
  })
})

describe('the log of deliveries', () => {
  it('keeps the latest thousand deliveries of a subscription for a week', async () => {
    const { id } = await active('once')
    await insertDeliveries(server, id, 1)
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
    const [latest = ''] = await insertDeliveries(server, id)
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
