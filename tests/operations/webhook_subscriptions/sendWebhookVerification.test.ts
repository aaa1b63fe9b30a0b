import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { untilIdle } from '../../harness/deliveries.ts'
import { expectError } from '../../harness/expectations.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile, type TestServer } from '../../harness/server.ts'
import { activated, allowing, change, lastVerification, retrieve, subscribed } from '../../harness/webhooks.ts'
import { receiverOfFile } from '../../harness/webhook_receiver.ts'

const receiver = await receiverOfFile()
const server = await serverOfFile(allowing(receiver))

const fresh = async (): Promise<TestServer['owner']> => (await makeConnection(server, { capabilities: [] })).caller
const resend = (caller: TestServer['owner'], id: string, headers = {}): ReturnType<typeof caller.call> =>
  caller.call('sendWebhookVerification', { path: { subscription_id: id }, headers })

describe('sendWebhookVerification', () => {
  it('200 with the same token sent again, and the latest outcome', async () => {
    const caller = await fresh()
    receiver.respondWith((response) => response.writeHead(500).end(), 'other')
    const { id, token } = await subscribed(caller, receiver, { path: 'other' })
    expect(await lastVerification(caller, id)).toMatchObject({
      status_code: 500,
      error: 'The receiver responded with status 500.',
    })
    receiver.respondWith(undefined, 'other')
    server.clock.advance(60_000)
    const { status, body } = await resend(caller, id)
    expect([status, body['status']]).toEqual([200, 'pending_verification'])
    await until(async () => (await lastVerification(caller, id))['status_code'] === 204 || undefined)
    expect(receiver.tokens('other')).toEqual([token, token])
    expect((await lastVerification(caller, id))['time']).toBe(new Date(server.clock.now()).toISOString())
  })

  it('200 without a second verification request for a repeated idempotency key', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver, { path: 'third' })
    const headers = { 'Idempotency-Key': 'resend-once' }
    await resend(caller, id, headers)
    expect((await resend(caller, id, headers)).headers['idempotency-replayed']).toBe('true')
    await until(() => receiver.tokens('third')[1])
    await untilIdle(server)
    expect(receiver.tokens('third')).toEqual([token, token])
  })

  it('400 for a verified subscription, paused or not', async () => {
    const caller = await fresh()
    const { id } = await activated(caller, receiver)
    expectError(await resend(caller, id), 400, 'validation_error', id)
    await change(caller, id, { status: 'paused' })
    expectError(await resend(caller, id), 400, 'validation_error', id)
    expect((await retrieve(caller, id))['status']).toBe('paused')
  })

  it('404 for an unknown subscription', async () => {
    expectError(await resend(server.owner, '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'), 404, 'object_not_found')
  })
})
