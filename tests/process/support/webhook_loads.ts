import { expect } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { enqueue } from '../../../server/domain/shared/jobs/queue.ts'
import { DELIVERY_KIND, RETRY_KIND, SLOW_DELIVERY_KIND } from '../../../server/domain/events/webhooks/kinds.ts'
import { Caller } from '../../harness/caller.ts'
import { makeConnection } from '../../harness/connections.ts'
import { pour } from '../../harness/local_server.ts'
import { until } from '../../harness/process.ts'
import { activated, lastVerification, subscribed } from '../../harness/webhooks.ts'
import { rows, text } from './expired_rows.ts'
import type { SmallService } from './small_service.ts'

const { id: workspaceId } = exampleWorkspace.workspace
const PER_CONNECTION = 10
/** The length of an event with the maximum number of blocks. */
const EVENT_LENGTH = 40_000
/** How long deliveries stay recent. Recent deliveries are sent without reading their subject again. */
const HOUR_MS = 3_600_000
/** More than one query of a subscription's deliveries finds. */
const DELIVERIES = 75

/**
 * Active subscriptions of separate connections.
 * @returns their ids
 */
async function subscriptions({ service, store, receiver }: SmallService, count: number): Promise<string[]> {
  const host = {
    service: { database: store },
    clock: { now: () => Date.now() },
    caller: (token: string | undefined) => new Caller(service.url, token),
  }
  const ids: string[] = []
  while (ids.length < count) {
    const { caller } = await makeConnection(host, { capabilities: ['read_content'], grants: [workspaceId] })
    for (let made = 0; made < PER_CONNECTION && ids.length < count; made += 1)
      ids.push((await activated(caller, receiver, { path: 'once', event_types: ['page.created'] })).id)
  }
  return ids
}

/** Makes each subscription deliver as many of the longest events as a process handles at once, and waits until they have arrived. */
async function deliver(small: SmallService, count: number, kind: string): Promise<void> {
  const { store } = small
  const isSlow = kind === SLOW_DELIVERY_KIND
  const ids = await subscriptions(small, count)
  await store.write(async (db) => {
    for (const subscriptionId of ids) {
      await db.run(
        rows(
          DELIVERIES,
          'webhook_deliveries (workspace_id, subscription_id, event_id, event_type, event, activation, created_time, due_time)',
          `s.workspace_id, s.id, randomblob(16), 'page.created', '{"type":"page.created","text":"' || ${text(EVENT_LENGTH)} || '"}',
            s.activation, ${Date.now() + HOUR_MS}, 1`,
        ).replace(/ from n$/, ` from n, (select * from webhook_subscriptions where id = ?) s`),
        subscriptionId,
      )
      await db.run('update webhook_subscriptions set is_slow = ? where id = ?', Number(isSlow), subscriptionId)
      await enqueue(db, { kind, workspaceId, key: subscriptionId, payload: { homeId: workspaceId, subscriptionId }, dueTime: 1 })
    }
  })
  await until(async () => {
    const row = await store.read((db) => db.get({}, 'select 1 as due from webhook_deliveries where due_time = 1 limit 1'))
    return row ? undefined : true
  })
}

/** The maximum number of subscriptions that a process serves at once. */
export const deliverToMany = (small: SmallService): Promise<void> => deliver(small, 100, DELIVERY_KIND)

export const deliverToFew = (small: SmallService): Promise<void> => deliver(small, 10, DELIVERY_KIND)

/** Delivers to slow receivers, which keep their subscriptions in the slow group. */
export async function deliverSlowly(small: SmallService): Promise<void> {
  let count = 0
  small.receiver.respondWith((response) => {
    count += 1
    setTimeout(() => response.writeHead(204).end(), count % 25 === 1 ? 1_100 : 0)
  }, 'once')
  await deliver(small, 100, SLOW_DELIVERY_KIND)
}

/** Retries deliveries that are all due at once. */
export async function retryMany(small: SmallService): Promise<void> {
  const [subscriptionId = ''] = await subscriptions(small, 1)
  const payload = { homeId: workspaceId, subscriptionId }
  await small.store.write(async (db) => {
    for (let time = 1; time <= 1_000; time += 1)
      await enqueue(db, { kind: RETRY_KIND, workspaceId, key: `${subscriptionId} ${time}`, payload, dueTime: time })
  })
  await until(async () => {
    const row = await small.store.read((db) => db.get({}, `select 1 as due from jobs where kind = '${RETRY_KIND}' limit 1`))
    return row ? undefined : true
  })
}

/** Verifies a subscription whose receiver sends an endless response. */
export async function verifyEndlessly(small: SmallService): Promise<void> {
  const { service, receiver } = small
  receiver.respondWith((response) => {
    response.writeHead(200)
    pour(response)
  }, 'third')
  const { id } = await subscribed(service.owner, receiver, { path: 'third' })
  expect(await lastVerification(service.owner, id)).toMatchObject({ status_code: 200 })
}
