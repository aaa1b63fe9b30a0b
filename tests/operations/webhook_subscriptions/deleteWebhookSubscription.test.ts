import { describe, expect, it } from 'vitest'
import { deleteConnection, removeConnection, setConnectionEnabled } from '../../../server/domain/administration/connections.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { Transaction } from '../../../server/domain/shared/database.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { makeClient } from '../../harness/oauth.ts'
import { serverOfFile } from '../../harness/server.ts'
import { asClient, retrieve, subscribe } from '../../harness/webhooks.ts'

const server = await serverOfFile()

const URL = 'https://hooks.orchard.example/in'
const remove = (id: string, headers = {}, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('deleteWebhookSubscription', { path: { subscription_id: id }, headers })
const subscriptionsOf = async (connectionId: string): Promise<number> =>
  (
    await server.service.database.read((db) =>
      db.all({}, 'select id from webhook_subscriptions where connection_id = ?', connectionId),
    )
  ).length

describe('deleteWebhookSubscription', () => {
  it('200 for a subscription, and 404 when it is deleted again', async () => {
    const id = idOf((await subscribe(server.owner, URL)).body)
    const { status, body } = await remove(id)
    expect([status, { ...body, request_id: null }]).toEqual([
      200,
      { object: 'webhook_subscription', id, deleted: true, request_id: null },
    ])
    expectError(await remove(id), 404, 'object_not_found', id)
    expect(await retrieve(server.owner, id)).toMatchObject({ code: 'object_not_found' })
    expect(resultsOf((await server.owner.call('listWebhookSubscriptions')).body).map(idOf)).not.toContain(id)
    expectError(
      await server.owner.call('verifyWebhookSubscription', { path: { subscription_id: id }, body: { verification_token: 'x' } }),
      404,
      'object_not_found',
    )
  })

  it('200 again with the same idempotency key', async () => {
    const id = idOf((await subscribe(server.owner, URL)).body)
    const headers = { 'Idempotency-Key': `delete-${id}` }
    await remove(id, headers)
    const again = await remove(id, headers)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  })

  it('400 for a malformed id, and 404 for an unknown subscription', async () => {
    expectInvalid(await remove('7'), 'path.subscription_id')
    expectError(await remove('7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'), 404, 'object_not_found')
  })
})

describe('subscriptions of a connection', () => {
  const internal = async (): Promise<string> => {
    const { caller, connectionId } = await makeConnection(server, { capabilities: [] })
    await subscribe(caller, URL)
    await subscribe(caller, URL)
    expect(await subscriptionsOf(connectionId)).toBe(2)
    return connectionId
  }

  it.each<[string, (db: Transaction, id: string, now: number) => Promise<unknown>]>([
    ['disabled', (db, id, now) => setConnectionEnabled(db, id, false, now)],
    ['deleted', (db, id, now) => deleteConnection(db, id, now)],
    ['removed from its workspace', (db, id, now) => removeConnection(db, id, exampleWorkspace.workspace.id, now)],
  ])('are deleted when the internal connection is %s', async (_case, end) => {
    const [gone, other] = [await internal(), await internal()]
    await server.service.database.write((db) => end(db, gone, server.clock.now()))
    expect([await subscriptionsOf(gone), await subscriptionsOf(other)]).toEqual([0, 2])
  })

  it('of a public connection stay when it leaves a workspace, and are deleted when it is disabled', async () => {
    const { connectionId, ...client } = await makeClient(server)
    const nobody = server.caller(undefined)
    await subscribe(nobody, URL, {}, asClient(client))
    const { database } = server.service
    const now = server.clock.now()
    await database.write((db) => removeConnection(db, connectionId, exampleWorkspace.workspace.id, now))
    expect(await subscriptionsOf(connectionId)).toBe(1)
    await database.write((db) => setConnectionEnabled(db, connectionId, false, now))
    await database.write((db) => setConnectionEnabled(db, connectionId, true, now))
    expect(resultsOf((await nobody.call('listWebhookSubscriptions', { headers: asClient(client) })).body)).toEqual([])
  })
})
