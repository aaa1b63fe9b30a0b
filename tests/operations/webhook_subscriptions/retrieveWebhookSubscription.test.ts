import { describe, expect, it } from 'vitest'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { makeClient } from '../../harness/oauth.ts'
import { serverOfFile } from '../../harness/server.ts'
import { asClient, retrieve, subscribe } from '../../harness/webhooks.ts'

const server = await serverOfFile()

const URL = 'https://hooks.orchard.example/in'

describe('retrieveWebhookSubscription', () => {
  it('200 with the subscription as it was created, for any spelling of the id', async () => {
    const { body } = await subscribe(server.owner, URL, { name: 'Stock mirror' })
    const id = idOf(body)
    for (const spelling of [id, id.toUpperCase(), id.replaceAll('-', '')])
      expect(await retrieve(server.owner, spelling)).toMatchObject({
        id,
        name: 'Stock mirror',
        url: URL,
        event_types: ['page.created'],
      })
  })

  it('404 for the subscription of another client or connection', async () => {
    const [one, other] = [asClient(await makeClient(server)), asClient(await makeClient(server))]
    const nobody = server.caller(undefined)
    const id = idOf((await subscribe(nobody, URL, {}, one)).body)
    const retrieve = (headers: object): ReturnType<typeof nobody.call> =>
      nobody.call('retrieveWebhookSubscription', { path: { subscription_id: id }, headers: { ...headers } })
    expect((await retrieve(one)).status).toBe(200)
    expectError(await retrieve(other), 404, 'object_not_found', id)
    expectError(
      await server.owner.call('retrieveWebhookSubscription', { path: { subscription_id: id } }),
      404,
      'object_not_found',
      id,
    )
  })

  it('400 for a malformed id', async () => {
    expectInvalid(
      await server.owner.call('retrieveWebhookSubscription', { path: { subscription_id: 'latest' } }),
      'path.subscription_id',
    )
  })
})
