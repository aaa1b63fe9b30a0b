import { NEWEST_API_VERSION } from './api_versions.ts'
import type {
  DeletedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionCreateRequest,
  WebhookSubscriptionList,
  WebhookSubscriptionUpdateRequest,
} from '../../../../generated/types.ts'
import { canonicalId, newId } from '../../../kernel/ids.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import {
  countSubscriptions,
  findSubscription,
  lockConnection,
  insertSubscription,
  listSubscriptionsAfter,
  updateSubscription,
  type SubscriptionChanges,
  type SubscriptionOwner,
  type WebhookSubscriptionRow,
} from '../../../store/webhook_subscriptions.ts'
import { unauthorized } from '../../people/index.ts'
import {
  invalid,
  notFound,
  cutPage,
  positionOf,
  type Actor,
  type PageRequest,
  type Scope,
  type WriteScope,
} from '../../shared/index.ts'
import { apiVersionOf, requireEventTypes, requireVersionFor } from './event_types.ts'
import { endSubscription } from './end.ts'
import { eventTypesOf, presentSubscription, versionOfSubscription } from './present.ts'
import type { Receivers } from './receivers.ts'
import { requestVerification, startDelivery } from './start.ts'
import { newVerificationToken, sealToken } from './token.ts'

const SUBSCRIPTIONS_MAX = 10

/** @throws ServiceError `validation_error` at `body.url` for an address to which webhooks may not be sent */
export async function requireReceiver(receivers: Receivers, { url }: { readonly url?: string }): Promise<void> {
  const refusal = url === undefined ? undefined : await receivers.refusalOf(url)
  if (refusal !== undefined) throw invalid('body.url', `should ${refusal}`)
}

/** The owner of the caller's subscriptions. The contract restricts these operations to connections. */
function ownerOf({ workspaceId, connectionId }: Actor): SubscriptionOwner {
  if (connectionId === undefined) throw unauthorized()
  return { workspaceId, connectionId }
}

/** @throws ServiceError `object_not_found` also for subscriptions of other connections */
export async function findOwnSubscription(
  { db, actor }: Pick<Scope, 'actor'> & { readonly db: Connection },
  id: string,
): Promise<WebhookSubscriptionRow> {
  const { workspaceId, connectionId } = ownerOf(actor)
  const row = await findSubscription(db, workspaceId, canonicalId(id))
  if (row?.connection_id !== connectionId) throw notFound(actor, 'webhook subscription', canonicalId(id))
  return row
}

export async function listSubscriptions(scope: Scope, request: PageRequest): Promise<WebhookSubscriptionList> {
  const after = positionOf(scope.cursors, request)
  const rows = await listSubscriptionsAfter(scope.db, ownerOf(scope.actor), after, request.pageSize + 1)
  const { items, hasMore, nextCursor } = cutPage(scope.cursors, rows, request, (row) => [String(row.created_time), row.id])
  return {
    object: 'list',
    type: 'webhook_subscription',
    webhook_subscription: {},
    results: items.map(presentSubscription),
    has_more: hasMore,
    next_cursor: nextCursor,
  }
}

export async function retrieveSubscription(scope: Scope, id: string): Promise<WebhookSubscription> {
  return presentSubscription(await findOwnSubscription(scope, id))
}

/** Creates a subscription and sends its verification token to its address, without waiting for the response. */
export async function createSubscription(
  scope: WriteScope,
  request: WebhookSubscriptionCreateRequest,
): Promise<WebhookSubscription> {
  const { db, actor, now, version } = scope
  const owner = ownerOf(actor)
  const apiVersion = request.api_version ?? apiVersionOf(version) ?? NEWEST_API_VERSION
  const types = requireEventTypes(apiVersion, request.event_types)
  await lockConnection(db, owner.connectionId)
  if ((await countSubscriptions(db, owner)) >= SUBSCRIPTIONS_MAX)
    throw invalid('body', `should not exceed the ${SUBSCRIPTIONS_MAX} subscriptions that a connection may have`)
  const id = newId()
  await insertSubscription(db, {
    workspace_id: owner.workspaceId,
    id,
    connection_id: owner.connectionId,
    name: request.name ?? null,
    url: request.url,
    event_types: types,
    api_version: apiVersion,
    sealed_token: await sealToken(db, id, newVerificationToken()),
    created_time: now,
  })
  await requestVerification(db, { homeId: owner.workspaceId, subscriptionId: id }, now)
  return retrieveSubscription(scope, id)
}

/** Changes the given settings. A new address gets a new token; pausing drops pending deliveries. */
export async function updateSubscriptionOf(
  scope: WriteScope,
  id: string,
  request: WebhookSubscriptionUpdateRequest,
): Promise<WebhookSubscription> {
  const { db, now } = scope
  const row = await findOwnSubscription(scope, id)
  const work = { homeId: row.workspace_id, subscriptionId: row.id }
  const changes: SubscriptionChanges = {
    ...typeChanges(row, request),
    ...statusChanges(row, request, now),
    ...(request.name === undefined ? {} : { name: request.name }),
  }
  const addressChanges = await urlChanges(scope, row, request)
  const all = { ...changes, ...addressChanges }
  if (Object.keys(all).length > 0) await updateSubscription(db, row, { ...all, last_edited_time: now })
  if (addressChanges.url !== undefined) await requestVerification(db, work, now)
  if (changes.status !== undefined) await startDelivery(db, work, now)
  return retrieveSubscription(scope, id)
}

function typeChanges(row: WebhookSubscriptionRow, request: WebhookSubscriptionUpdateRequest): SubscriptionChanges {
  const version = request.api_version ?? versionOfSubscription(row)
  const types = request.event_types
  if (types === undefined) requireVersionFor(version, eventTypesOf(row))
  return {
    ...(request.api_version === undefined ? {} : { api_version: version }),
    ...(types === undefined ? {} : { event_types: requireEventTypes(version, types) }),
  }
}

function statusChanges(
  row: WebhookSubscriptionRow,
  { status }: WebhookSubscriptionUpdateRequest,
  now: number,
): SubscriptionChanges {
  if (status === undefined) return {}
  if (row.status === 'pending_verification') throw invalid('body.status', 'should not be set before the address is verified')
  if (row.status === status) return {}
  return status === 'active' ? activation(row, now) : { status, pause_reason: 'requested', activation: row.activation + 1 }
}

/** Pauses or resumes a subscription as `updateSubscriptionOf` does. @throws ServiceError `validation_error` at `body.status` */
export async function setSubscriptionStatus(
  db: Transaction,
  row: WebhookSubscriptionRow,
  status: 'active' | 'paused',
  now: number,
): Promise<void> {
  const changes = statusChanges(row, { status }, now)
  if (changes.status === undefined) return
  await updateSubscription(db, row, { ...changes, last_edited_time: now })
  await startDelivery(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
}

/** The changes that activate a subscription. It receives only events from now on. */
export function activation(row: Pick<WebhookSubscriptionRow, 'activation'>, now: number): SubscriptionChanges {
  return {
    status: 'active',
    pause_reason: null,
    active_since: now,
    activation: row.activation + 1,
    failing_since: null,
    lost_events: 0,
    is_slow: 0,
  }
}

async function urlChanges(
  { db }: WriteScope,
  row: WebhookSubscriptionRow,
  { url }: WebhookSubscriptionUpdateRequest,
): Promise<SubscriptionChanges> {
  if (url === undefined || url === row.url) return {}
  if (row.status !== 'pending_verification')
    throw invalid('body.url', 'should not change after its verification; delete the subscription and create another')
  return { url, sealed_token: await sealToken(db, row.id, newVerificationToken()), wrong_tries: 0 }
}

/** Ends a subscription permanently. */
export async function deleteSubscriptionOf(scope: WriteScope, id: string): Promise<DeletedWebhookSubscription> {
  const row = await findOwnSubscription(scope, id)
  await endSubscription(scope.db, row, scope.now)
  return { object: 'webhook_subscription', id: row.id, deleted: true }
}
