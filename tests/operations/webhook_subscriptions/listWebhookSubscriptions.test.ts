import { describe, expect, it } from 'vitest'
import { serverOfFile, TestClock } from '../../harness/server.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf, textAt } from '../../harness/json.ts'
import { makeClient } from '../../harness/oauth.ts'
import { asClient, subscribe } from '../../harness/webhooks.ts'

const server = await serverOfFile({}, new TestClock(true))

const URL = 'https://hooks.orchard.example/in'

describe('listWebhookSubscriptions', () => {
  it('200 with the subscriptions of the connection, oldest first, page by page', async () => {
    const { caller } = await makeConnection(server, { capabilities: [] })
    expect((await caller.call('listWebhookSubscriptions')).body).toMatchObject({
      results: [],
      has_more: false,
      next_cursor: null,
    })
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.push(idOf((await subscribe(caller, URL)).body))
    await subscribe(server.owner, URL)
    const first = await caller.call('listWebhookSubscriptions', { query: { page_size: 2 } })
    expect(first.body).toMatchObject({ object: 'list', type: 'webhook_subscription', webhook_subscription: {}, has_more: true })
    const start_cursor = textAt(first.body, 'next_cursor')
    const second = await caller.call('listWebhookSubscriptions', { query: { page_size: 2, start_cursor } })
    expect([...resultsOf(first.body), ...resultsOf(second.body)].map(idOf)).toEqual(ids)
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
  })

  it('200 for the client of a public connection, with its own cursors', async () => {
    const headers = asClient(await makeClient(server))
    const nobody = server.caller(undefined)
    for (let count = 0; count < 2; count += 1) await subscribe(nobody, URL, {}, headers)
    const { body } = await nobody.call('listWebhookSubscriptions', { query: { page_size: 1 }, headers })
    expect(resultsOf(body)).toHaveLength(1)
    const query = { start_cursor: textAt(body, 'next_cursor') }
    expect(resultsOf((await nobody.call('listWebhookSubscriptions', { query, headers })).body)).toHaveLength(1)
    expectInvalid(await server.owner.call('listWebhookSubscriptions', { query }), 'query.start_cursor')
  })

  it('400 for a page size of 0 and of 101', async () => {
    for (const page_size of [0, 101])
      expectInvalid(await server.owner.call('listWebhookSubscriptions', { query: { page_size } }), 'query.page_size')
  })
})
