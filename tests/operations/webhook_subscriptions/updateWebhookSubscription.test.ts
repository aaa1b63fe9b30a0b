import { describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile, type TestServer } from '../../harness/server.ts'
import { activated, allowing, change, lastVerification, retrieve, subscribed, verify } from '../../harness/webhooks.ts'
import { until } from '../../harness/process.ts'
import { receiverOfFile } from '../../harness/webhook_receiver.ts'

const receiver = await receiverOfFile()
const server = await serverOfFile(allowing(receiver))

const fresh = async (): Promise<TestServer['owner']> => (await makeConnection(server, { capabilities: [] })).caller

describe('updateWebhookSubscription', () => {
  it('200 with name, types and version changed, and the time of the change', async () => {
    const caller = await fresh()
    const { id } = await activated(caller, receiver)
    server.clock.advance(1_000)
    const changed = await change(caller, id, {
      name: 'Stock mirror',
      event_types: ['database.schema_updated', 'page.created', 'page.created'],
      api_version: '2022-06-28',
    })
    expect(changed.body).toMatchObject({
      status: 'active',
      name: 'Stock mirror',
      event_types: ['database.schema_updated', 'page.created'],
      api_version: '2022-06-28',
      last_edited_time: new Date(server.clock.now()).toISOString(),
    })
    expect((await change(caller, id, { name: null })).body['name']).toBeNull()
    expect((await change(caller, id, { event_types: ['comment.created'] })).body['event_types']).toEqual(['comment.created'])
  })

  it('200 without change for an empty body', async () => {
    const caller = await fresh()
    const { id } = await activated(caller, receiver)
    await lastVerification(caller, id)
    const before = await retrieve(caller, id)
    server.clock.advance(1_000)
    const { status, body } = await change(caller, id, {})
    expect([status, { ...body, request_id: null }]).toEqual([200, { ...before, request_id: null }])
    expect((await caller.call('updateWebhookSubscription', { path: { subscription_id: id } })).status).toBe(200)
  })

  it('200 for a pause and an activation, and without effect when one is repeated', async () => {
    const caller = await fresh()
    const { id } = await activated(caller, receiver)
    expect((await change(caller, id, { status: 'paused' })).body).toMatchObject({ status: 'paused', pause_reason: 'requested' })
    expect((await change(caller, id, { status: 'paused' })).body).toMatchObject({ status: 'paused', pause_reason: 'requested' })
    expect((await change(caller, id, { status: 'active' })).body).toMatchObject({ status: 'active', pause_reason: null })
    expect((await change(caller, id, { status: 'active' })).body).toMatchObject({ status: 'active', pause_reason: null })
  })

  it('200 with a new token for a new address while pending, and the old token invalid', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    const { body } = await change(caller, id, { url: receiver.url('other') })
    expect(body).toMatchObject({ url: receiver.url('other'), status: 'pending_verification' })
    const [next = ''] = await until(() => (receiver.tokens('other').length > 0 ? receiver.tokens('other') : undefined))
    expect(next).not.toBe(token)
    expectInvalid(await verify(caller, id, token), 'body.verification_token')
    expect((await verify(caller, id, next)).body['status']).toBe('active')
  })

  it('200 for a new address, which resets the count of wrong tokens', async () => {
    const caller = await fresh()
    const { id } = await subscribed(caller, receiver)
    for (let tries = 0; tries < 9; tries += 1) await verify(caller, id, 'secret_wrong')
    await change(caller, id, { url: receiver.url('third') })
    const [token = ''] = await until(() => (receiver.tokens('third').length > 0 ? receiver.tokens('third') : undefined))
    await verify(caller, id, 'secret_wrong')
    expect((await verify(caller, id, token)).status).toBe(200)
  })

  it('400 at body.url for another address of a verified subscription, while the same address is accepted', async () => {
    const caller = await fresh()
    const { id } = await activated(caller, receiver)
    expectInvalid(await change(caller, id, { url: receiver.url('other') }), 'body.url')
    expect((await change(caller, id, { url: receiver.url() })).status).toBe(200)
    await change(caller, id, { status: 'paused' })
    expectInvalid(await change(caller, id, { url: receiver.url('other'), name: 'x' }), 'body.url')
    expect(await retrieve(caller, id)).toMatchObject({ url: receiver.url(), name: null })
  })

  it.each<[string, object, string]>([
    ['a private address', { url: 'https://10.0.0.1/in' }, 'body.url'],
    ['http', { url: 'http://hooks.orchard.example/in' }, 'body.url'],
    ['activating a pending subscription', { status: 'active' }, 'body.status'],
    ['pausing a pending subscription', { status: 'paused' }, 'body.status'],
    ['the status pending', { status: 'pending_verification' }, 'body.status'],
    [
      'a type that the version of the subscription lacks',
      { event_types: ['page.created', 'database.schema_updated'] },
      'body.event_types[1]',
    ],
    ['a type that the new version lacks', { event_types: ['view.created'], api_version: '2022-06-28' }, 'body.event_types[0]'],
    ['a version that lacks a type of the subscription', { api_version: '2022-06-28' }, 'body.api_version'],
    ['no types', { event_types: [] }, 'body.event_types.length'],
    ['an unknown version', { api_version: '2022-02-22' }, 'body.api_version'],
    ['an empty name', { name: '' }, 'body.name.length'],
    ['an unknown key', { token: 'x' }, 'body.token'],
  ])('400, and no change, for %s', async (_case, body, location) => {
    const caller = await fresh()
    const { id } = await subscribed(caller, receiver, { event_types: ['view.updated'] })
    const before = await retrieve(caller, id)
    expectInvalid(await change(caller, id, body), location)
    expect(await retrieve(caller, id)).toMatchObject({
      url: before['url'],
      event_types: ['view.updated'],
      api_version: newestRelease,
    })
  })

  it('404 for a deleted subscription', async () => {
    const caller = await fresh()
    const { id } = await subscribed(caller, receiver)
    await caller.call('deleteWebhookSubscription', { path: { subscription_id: id } })
    expectError(await change(caller, id, { name: 'x' }), 404, 'object_not_found', id)
  })
})
