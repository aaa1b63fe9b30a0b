import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { makeClient } from '../../harness/oauth.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile, type TestServer } from '../../harness/server.ts'
import { activated, allowing, asClient, change, lastVerification, retrieve, subscribed, verify } from '../../harness/webhooks.ts'
import { receiverOfFile } from '../../harness/webhook_receiver.ts'

const receiver = await receiverOfFile()
const server = await serverOfFile(allowing(receiver))

const fresh = async (): Promise<TestServer['owner']> => (await makeConnection(server, { capabilities: [] })).caller
const resend = (caller: TestServer['owner'], id: string): ReturnType<typeof caller.call> =>
  caller.call('sendWebhookVerification', { path: { subscription_id: id } })

describe('verifyWebhookSubscription', () => {
  it('200 for the correct token, which activates the subscription', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    server.clock.advance(60_000)
    const time = new Date(server.clock.now()).toISOString()
    const { status, body } = await verify(caller, id, token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'active', verified_time: time, last_edited_time: time, pause_reason: null })
  })

  it('200 for the client of a public connection', async () => {
    const headers = asClient(await makeClient(server))
    const { id, token } = await subscribed(server.caller(undefined), receiver, { headers })
    expect((await verify(server.caller(undefined), id, token, headers)).body['status']).toBe('active')
  })

  it('200 without change for the correct token of a verified subscription, and 400 for a wrong one', async () => {
    const caller = await fresh()
    const { id, token } = await activated(caller, receiver)
    await lastVerification(caller, id)
    const before = await retrieve(caller, id)
    server.clock.advance(1_000)
    expect({ ...(await verify(caller, id, token)).body, request_id: null }).toEqual({ ...before, request_id: null })
    for (let tries = 0; tries < 12; tries += 1) expectInvalid(await verify(caller, id, `${token}x`), 'body.verification_token')
    expect((await verify(caller, id, token)).status).toBe(200)
    await change(caller, id, { status: 'paused' })
    expect((await verify(caller, id, token)).body['status']).toBe('paused')
    expectInvalid(await verify(caller, id, 'secret_wrong'), 'body.verification_token')
  })

  it('400 for a wrong token, which the response does not repeat', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    for (const wrong of [token.slice(0, -1), `${token} `, token.toLowerCase(), 'x', 'secret_']) {
      const response = await verify(caller, id, wrong)
      expectInvalid(response, 'body.verification_token')
      expect(JSON.stringify(response.body)).not.toContain(wrong.length > 8 ? wrong : token)
    }
    expect((await retrieve(caller, id))['status']).toBe('pending_verification')
    expect((await verify(caller, id, token)).status).toBe(200)
  })

  it('400 even for the correct token after ten wrong ones, until a new token is sent', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver, { path: 'other' })
    const tries = await Promise.all(Array.from({ length: 9 }, () => verify(caller, id, 'secret_wrong')))
    for (const response of tries) expectInvalid(response, 'body.verification_token')
    await verify(caller, id, 'secret_wrong')
    expectInvalid(await verify(caller, id, token), 'body.verification_token')
    const known = receiver.tokens('other').length
    expect((await resend(caller, id)).status).toBe(200)
    const next = await until(() => receiver.tokens('other')[known])
    expect(next).not.toBe(token)
    expectInvalid(await verify(caller, id, token), 'body.verification_token')
    expect((await verify(caller, id, next)).body['status']).toBe('active')
  })

  it('200 for the correct token after nine wrong ones', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    for (let tries = 0; tries < 9; tries += 1) await verify(caller, id, 'secret_wrong')
    expect((await verify(caller, id, token)).status).toBe(200)
  })

  it('400 and then 200 with one idempotency key, which is ignored', async () => {
    const caller = await fresh()
    const { id, token } = await subscribed(caller, receiver)
    const headers = { 'Idempotency-Key': 'verify-once' }
    expectInvalid(await verify(caller, id, 'secret_wrong', headers), 'body.verification_token')
    const response = await verify(caller, id, token, headers)
    expect([response.status, response.headers['idempotency-replayed']]).toEqual([200, undefined])
  })

  it('400 without a token, for an empty one, for more than 200 characters, for another type, and for an unknown member', async () => {
    const call = (body: unknown): ReturnType<typeof server.owner.call> =>
      server.owner.call('verifyWebhookSubscription', { path: { subscription_id: '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11' }, body })
    expectInvalid(await call({}), 'body.verification_token')
    expectInvalid(await call({ verification_token: '' }), 'body.verification_token.length')
    expectInvalid(await call({ verification_token: 'x'.repeat(201) }), 'body.verification_token.length')
    expectInvalid(await call({ verification_token: 1 }), 'body.verification_token')
    expectInvalid(await call({ verification_token: 'x', url: 'https://x.example' }), 'body.url')
    expectError(await call({ verification_token: 'x' }), 404, 'object_not_found')
  })
})
