import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { listAuditLog } from '../../server/store/audit_log.ts'
import { makeConnection } from '../harness/connections.ts'
import { insertDeliveries, untilIdle } from '../harness/deliveries.ts'
import type { JsonObject } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { receiverOfFile } from '../harness/webhook_receiver.ts'
import { activated, allowing, subscribed } from '../harness/webhooks.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const receiver = await receiverOfFile()
const server = await serverOfFile(allowing(receiver))
const { database } = server.service

const owner = await ConsoleCaller.of(server, ines.email)
const member = await ConsoleCaller.of(server, other.email)
const { caller, connectionId } = await makeConnection(server, { capabilities: ['read_content'], grants: [workspaceId] })

/** A new connection, because each may have only a few subscriptions. */
const newSubscription = async (options: object = {}): Promise<{ id: string; token: string }> => {
  const made = await makeConnection(server, { capabilities: ['read_content'], grants: [workspaceId] })
  return activated(made.caller, receiver, { ...options })
}
const details = (id: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveWebhook', { path: { subscription_id: id } })
const delivery = (id: string, eventId: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveWebhookDelivery', { path: { subscription_id: id, event_id: eventId } })
const send = (id: string, eventId: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('sendWebhookDelivery', { path: { subscription_id: id, event_id: eventId } })
const setStatus = (id: string, status: string, viewer = owner): ReturnType<ConsoleCaller['call']> =>
  viewer.call('updateWebhook', { path: { subscription_id: id }, body: { status } })
const acts = async (): Promise<string[]> =>
  (await database.read((db) => listAuditLog(db, { workspaceId }, 100))).map(
    ({ action, object_name: name }) => `${action} ${name}`,
  )
const sentCount = (eventId: string, path = 'in'): number =>
  receiver.events(path).filter(({ body }) => body['id'] === eventId).length

/** One delivered event, and one that waits for its second attempt. */
async function twoDeliveries(id: string, path = 'in'): Promise<{ delivered: string; waiting: string }> {
  const [delivered = ''] = await insertDeliveries(server, id)
  await untilIdle(server)
  receiver.respondWith((response) => response.writeHead(503).end(), path)
  const [waiting = ''] = await insertDeliveries(server, id)
  await untilIdle(server)
  receiver.respondWith(undefined, path)
  return { delivered, waiting }
}

describe('listWebhooks', () => {
  it('200 with the subscriptions of all connections of the workspace for an owner, newest first, without tokens', async () => {
    const first = await activated(caller, receiver, { name: 'Stock mirror' })
    server.clock.advance(1_000)
    const second = await subscribed(caller, receiver)
    const { body } = await owner.call('listWebhooks')
    const results = body['results'] as JsonObject[]
    expect(results.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(results[1]).toMatchObject({
      ...{ name: 'Stock mirror', url: receiver.url(), status: 'active', pause_reason: null, event_types: ['page.created'] },
      connection: { id: connectionId, name: 'Crate Counter' },
      workspace: { id: workspaceId, name: exampleWorkspace.workspace.name },
      last_verification: { status: 204, error: null },
    })
    expect(results[0]).toMatchObject({ status: 'pending_verification' })
    for (const text of [first.token, second.token, 'secret_']) expect(JSON.stringify(body)).not.toContain(text)
  })

  it('200 with nothing for a person who owns no workspace', async () => {
    await newSubscription()
    expect((await member.call('listWebhooks')).body).toMatchObject({ results: [], has_more: false })
  })
})

describe('retrieveWebhook', () => {
  it('200 with waiting deliveries, then ended ones', async () => {
    const { id } = await newSubscription()
    const { delivered, waiting } = await twoDeliveries(id)
    const { body } = await details(id)
    const entity = { id: exampleWorkspace.pages.handbook, type: 'page' }
    expect(body).toMatchObject({
      webhook: { id, failing_since: expect.any(String) },
      waiting_count: 1,
      deliveries: [
        {
          ...{ event_id: waiting, event_type: 'page.created', entity, state: 'waiting', attempts: 1, status: 503 },
          ...{ error: 'The receiver responded with status 503.', due_time: expect.any(String), ended_time: null },
        },
        { event_id: delivered, entity, state: 'delivered', status: 204, error: null, due_time: null },
      ],
      has_more: false,
    })
  })

  it('200 with at most 100 deliveries, of which 50 wait', async () => {
    const { id } = await newSubscription({ path: 'third' })
    await insertDeliveries(server, id, 60)
    await untilIdle(server)
    receiver.respondWith((response) => response.writeHead(503).end(), 'third')
    await insertDeliveries(server, id, 55)
    await untilIdle(server)
    receiver.respondWith(undefined, 'third')
    const { body } = await details(id)
    const states = (body['deliveries'] as JsonObject[]).map(({ state }) => state)
    expect(states).toEqual([...Array<string>(50).fill('waiting'), ...Array<string>(50).fill('delivered')])
    expect(body).toMatchObject({ waiting_count: 55, has_more: true })
  })

  it('404 with the same message for other people as for a missing one', async () => {
    const { id } = await newSubscription()
    const [hidden, missing] = [await details(id, member), await details(randomUUID(), member)]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.body['message']).toBe(missing.body['message'])
  })
})

describe('retrieveWebhookDelivery', () => {
  it('200 with the event', async () => {
    const { id } = await newSubscription()
    const { delivered } = await twoDeliveries(id)
    expect((await delivery(id, delivered)).body).toMatchObject({
      webhook: { id },
      delivery: { event_id: delivered, state: 'delivered' },
      event: { id: delivered, type: 'page.created', subscription_id: id },
    })
  })

  it('404 with the same message for a hidden, a foreign and a missing delivery', async () => {
    const [{ id }, foreign] = [await newSubscription(), await newSubscription()]
    const { delivered } = await twoDeliveries(id)
    const responses = [
      await delivery(id, delivered, member),
      await delivery(foreign.id, delivered),
      await delivery(id, randomUUID()),
      await delivery(randomUUID(), delivered),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(responses.map(({ body }) => body['message'])).size).toBe(1)
  })
})

describe('sendWebhookDelivery', () => {
  it('200 and sends an ended delivery again, and a waiting one before it is due', async () => {
    const { id } = await newSubscription({ path: 'other' })
    const { delivered, waiting } = await twoDeliveries(id, 'other')
    const again = await send(id, delivered)
    expect([again.status, again.body['delivery']]).toEqual([200, expect.objectContaining({ state: 'waiting', attempts: 0 })])
    expect((await send(id, waiting)).status).toBe(200)
    await untilIdle(server)
    expect([sentCount(delivered, 'other'), sentCount(waiting, 'other')]).toEqual([2, 2])
    expect((await delivery(id, waiting)).body['delivery']).toMatchObject({ state: 'delivered', attempts: 2, status: 204 })
    const sent = `webhook.delivery_sent ${receiver.url('other')}`
    expect((await acts()).filter((act) => act === sent)).toHaveLength(2)
  })

  it('400 while the subscription is paused', async () => {
    const { id } = await newSubscription()
    const { delivered } = await twoDeliveries(id)
    await setStatus(id, 'paused')
    const { status, body } = await send(id, delivered)
    expect([status, body['message']]).toEqual([400, 'The subscription is paused; only active ones receive events.'])
  })

  it('404 for a missing delivery, and for other people', async () => {
    const { id } = await newSubscription()
    const { delivered } = await twoDeliveries(id)
    expect((await send(id, randomUUID())).status).toBe(404)
    expect((await send(id, delivered, member)).status).toBe(404)
    await untilIdle(server)
    expect(sentCount(delivered)).toBe(1)
  })
})

describe('updateWebhook', () => {
  it('200 and drops waiting deliveries when it pauses, and does not send them after it resumes', async () => {
    const { id } = await newSubscription({ path: 'once' })
    const { delivered, waiting } = await twoDeliveries(id, 'once')
    const paused = await setStatus(id, 'paused')
    expect(paused.body).toMatchObject({
      webhook: { status: 'paused', pause_reason: 'requested' },
      waiting_count: 0,
      deliveries: [{ event_id: delivered }],
    })
    expect((await setStatus(id, 'paused')).status).toBe(200)
    // A job that runs while the clock is advanced loses its lease.
    await untilIdle(server)
    server.clock.advance(1_000)
    expect((await setStatus(id, 'active')).body).toMatchObject({ webhook: { status: 'active', pause_reason: null } })
    await untilIdle(server)
    server.clock.advance(3_600_000)
    const [next = ''] = await insertDeliveries(server, id)
    await untilIdle(server)
    expect([sentCount(waiting, 'once'), sentCount(next, 'once')]).toEqual([1, 1])
    const url = receiver.url('once')
    expect((await acts()).filter((act) => act.endsWith(url) && !act.includes('sent'))).toEqual([
      `webhook.resumed ${url}`,
      `webhook.paused ${url}`,
    ])
  })

  it('400 before the address is verified', async () => {
    const made = await makeConnection(server, { capabilities: ['read_content'] })
    const { id } = await subscribed(made.caller, receiver)
    const { status, body } = await setStatus(id, 'active')
    expect([status, body['message']]).toEqual([400, expect.stringContaining('verified')])
  })

  it('404 for other people', async () => {
    const { id } = await newSubscription()
    expect((await setStatus(id, 'paused', member)).status).toBe(404)
    expect((await details(id)).body['webhook']).toMatchObject({ status: 'active' })
  })
})
