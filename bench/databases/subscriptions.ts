import { randomUUID } from 'node:crypto'
import { newestRelease } from '../../generated/operations.ts'
import { newVerificationToken, sealToken } from '../../server/domain/events/webhooks/token.ts'
import type { Database, Transaction } from '../../server/store/database.ts'
import { insertSubscription, updateSubscription } from '../../server/store/webhook_subscriptions.ts'

/** A subscription that is active without verification. */
export interface BenchSubscription {
  readonly eventTypes: readonly string[]
  /** Endpoint of its events; if undefined, nothing is sent. */
  readonly url?: string
}

/**
 * Replaces the subscriptions of the demo connection and deletes their events.
 * @returns the new ids
 */
export async function replaceSubscriptions(database: Database, wanted: readonly BenchSubscription[]): Promise<string[]> {
  return database.write(async (db) => {
    for (const table of ['outbox', 'webhook_deliveries', 'webhook_workspaces', 'webhook_subscriptions'])
      await db.run(`delete from ${table}`)
    await db.run(`delete from jobs where kind like 'webhook%' and state <> 'running'`)
    const ids: string[] = []
    for (const one of wanted) ids.push(await subscribe(db, one))
    return ids
  })
}

async function subscribe(db: Transaction, { eventTypes, url }: BenchSubscription): Promise<string> {
  const connection = await db.get({ id: 'text', workspace_id: 'text' }, 'select id, workspace_id from connections')
  if (!connection) throw new Error('a database without a connection')
  const [key, now] = [{ workspace_id: connection.workspace_id, id: randomUUID() }, Date.now()]
  await insertSubscription(db, {
    ...key,
    connection_id: connection.id,
    name: null,
    url: url ?? 'https://hooks.example/in',
    event_types: JSON.stringify(eventTypes),
    api_version: newestRelease,
    sealed_token: url === undefined ? null : await sealToken(db, key.id, newVerificationToken()),
    created_time: now,
  })
  await updateSubscription(db, key, { status: 'active', verified_time: now, active_since: now, activation: 1 })
  return key.id
}
