import { findConnection } from '../../../store/connections.ts'
import type { Database } from '../../../store/database.ts'
import { dropDeliveries, listVoidDeliveries } from '../../../store/webhook_deliveries.ts'
import { findSubscription, updateSubscription, type WebhookSubscriptionRow } from '../../../store/webhook_subscriptions.ts'
import type { Transaction } from '../../../store/database.ts'
import type { Attempt, JobKind } from '../../shared/index.ts'
import { DELIVERY_KIND, RETRY_KIND, SLOW_DELIVERY_KIND, type SubscriptionWork } from './kinds.ts'
import { DeliveryOutcomes } from './delivery_outcomes.ts'
import type { Receivers } from './receivers.ts'
import { retryAt, retryTimeOf, startDelivery, startSlowDelivery } from './start.ts'
import { openToken } from './token.ts'
import { LEASE_MS, DeliveryRun, type DeliveryRunDeps } from './delivery_run.ts'

const MINUTE_MS = 60_000
const PAUSES: readonly number[] = [1_000, 5_000, 15_000, 30_000]
const VOID_AT_ONCE = 500

export interface DeliveryDeps {
  readonly database: Database
  readonly receivers: Receivers
  now(): number
}

/**
 * Deliveries have one job for each subscription, so that none has more open deliveries than allowed across all processes. Subscriptions
 * with slow receivers have a queue of their own, so that they do not delay others.
 */
export function deliveryKinds(deps: DeliveryDeps): readonly JobKind[] {
  const runDeps = { ...deps, outcomes: new DeliveryOutcomes(deps.database, deps.now) }
  const died: JobKind['died'] = (db, job) =>
    retryAt(db, { ...(job.payload as SubscriptionWork), time: retryTimeOf(deps.now() + MINUTE_MS) })
  const deliveries = { pauses: PAUSES, leaseMilliseconds: LEASE_MS, atOnce: 100, died }
  return [
    {
      ...deliveries,
      name: DELIVERY_KIND,
      run: (job, attempt) => deliver(runDeps, job.payload as SubscriptionWork, false, attempt),
    },
    {
      ...deliveries,
      name: SLOW_DELIVERY_KIND,
      run: (job, attempt) => deliver(runDeps, job.payload as SubscriptionWork, true, attempt),
    },
    {
      name: RETRY_KIND,
      pauses: PAUSES,
      leaseMilliseconds: 30_000,
      atOnce: 10,
      died,
      async run(job, attempt) {
        await attempt.finish((db) => startDelivery(db, job.payload as SubscriptionWork, deps.now()))
      },
    },
  ]
}

async function deliver(deps: DeliveryRunDeps, work: SubscriptionWork, isSlow: boolean, attempt: Attempt): Promise<void> {
  const { database, now } = deps
  const { subscription, token, isPublic } = await database.read(async (db) => {
    const row = await findSubscription(db, work.homeId, work.subscriptionId)
    return {
      subscription: row,
      token: row?.sealed_token ? await openToken(db, row.id, row.sealed_token) : undefined,
      isPublic: row !== undefined && (await findConnection(db, row.connection_id))?.kind === 'public',
    }
  })
  await dropVoid(database, work, subscription, attempt.signal)
  if (subscription?.status !== 'active' || token === undefined) return
  if (Boolean(subscription.is_slow) !== isSlow) {
    await attempt.finish((db) => startAmong(db, work, !isSlow, now()))
    return
  }
  const result = await new DeliveryRun(deps, { subscription, token, isPublic }, attempt).run()
  if (attempt.signal.aborted) return
  if (result.isSlow !== undefined && result.isSlow !== isSlow)
    await attempt.finish((db) => changeLane(db, subscription, !isSlow, now()))
  else if (result.hasMore) await attempt.continueAt(now())
}

/** Moves a subscription to the other queue. The ending job does so itself, so that no two jobs send its deliveries. */
async function changeLane(db: Transaction, row: WebhookSubscriptionRow, isSlow: boolean, now: number): Promise<void> {
  await updateSubscription(db, row, { is_slow: Number(isSlow) })
  await startAmong(db, { homeId: row.workspace_id, subscriptionId: row.id }, isSlow, now)
}

function startAmong(db: Transaction, work: SubscriptionWork, isSlow: boolean, now: number): Promise<void> {
  return isSlow ? startSlowDelivery(db, work, now) : startDelivery(db, work, now)
}

/** Drops deliveries from before a pause of the subscription. If the subscription was deleted, drops all of them. */
async function dropVoid(
  database: Database,
  { homeId: workspaceId, subscriptionId }: SubscriptionWork,
  subscription: WebhookSubscriptionRow | undefined,
  signal: AbortSignal,
): Promise<void> {
  const ref = { workspaceId, subscriptionId }
  for (;;) {
    const ids = await database.read((db) => listVoidDeliveries(db, ref, subscription?.activation, VOID_AT_ONCE))
    if (ids.length === 0 || signal.aborted) return
    await database.write((db) => dropDeliveries(db, ref, ids))
  }
}
