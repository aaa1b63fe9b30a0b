import { toTimestamp } from '../../kernel/clock.ts'
import { idsTogether } from '../../kernel/ids.ts'
import { findConnection, type ConnectionRecord } from '../../store/connections.ts'
import type { Transaction } from '../../store/database.ts'
import {
  deleteEntries,
  listImmediateEntries,
  listEntriesOf,
  listDueEntities,
  type DueEntity,
  type Entry,
  type Stream,
} from '../../store/outbox.ts'
import { listWebhookListeners, type WebhookListener } from '../../store/webhook_subscriptions.ts'
import { insertDelivery } from './webhooks/insert_delivery.ts'
import type { FormedEvent } from './webhooks/payload.ts'
import { coalesce, windowsOf, WINDOW, type RecordedChange, type CoalescedChange } from './coalesce.ts'
import type { EventType } from './event_types.ts'
import { EventContext, type EntityChange } from './event_context.ts'
import { dataOf, entityOf } from './payload.ts'
import { mayReceive } from './visibility.ts'
import { where } from '../../store/stored/form.ts'
import { readUnlessDamaged } from '../../store/stored/read_json.ts'
import { changeForm } from './change_forms.ts'

/** The number of entities, or of immediate changes, per transaction. It is small, so that no request waits long for the transaction. */
const BATCH_SIZE = 100
/**
 * The maximum number of changes in windows that one transaction reads, unless a single window has more. A change may list 500 items, and a
 * backlog contains many changes.
 */
const ENTRIES_MAX = 200
/**
 * The maximum text of the events that one transaction forms, unless a single window has more; approximate. Each change becomes an event for
 * each subscription.
 */
const TEXT_MAX = 16_000_000
/** The approximate length of an event besides the details of its changes. */
const EVENT_LENGTH = 1_000

interface Formed {
  /** The number of windows, or immediate changes, that became events. */
  readonly count: number
  /** Whether more entries may be due. */
  readonly hasMore: boolean
}

/** Turns the due entries in a stream of an outbox into events, enqueues these for delivery, and deletes the entries. */
export async function formEvents(db: Transaction, workspaceId: string, stream: Stream, now: number): Promise<Formed> {
  const due = await findDue(db, workspaceId, stream, now)
  const groups = withinText(due.groups)
  if (groups.length === 0) return { count: 0, hasMore: false }
  const subscriptions = await activeSubscriptionsIn(db, workspaceId)
  const relevant = groups.flatMap((group) => subscriptions.flatMap((subscription) => changesFor(subscription, group)))
  const connectionIds = [...new Set(relevant.map(({ subscription }) => subscription.connection.id))]
  const context = await EventContext.load(db, workspaceId, relevant, connectionIds)
  const nextId = idsTogether()
  const bySubscription = [...Map.groupBy(relevant, ({ subscription }) => subscription.listener)]
  const deliveries = bySubscription.map(([{ workspaceId: homeId, id: subscriptionId }, own]) => {
    return { homeId, subscriptionId, events: own.flatMap((one) => eventOf(context, one, nextId) ?? []) }
  })
  await insertDelivery(db, deliveries, now)
  await deleteEntries(
    db,
    workspaceId,
    groups.flatMap(({ entries }) => entries.map(({ number }) => number)),
  )
  return { count: groups.length, hasMore: due.isFull || groups.length < due.groups.length }
}

/** Changes of one entity that are coalesced with each other: those of one window, or a single immediate one. */
interface ChangeGroup {
  readonly entityId: string
  readonly entries: readonly Entry[]
  /** The changes of its undamaged entries. */
  readonly changes: readonly RecordedChange[]
  /** Coalesces all changes of the group, or those that concern a subscription. */
  coalesce(changes: readonly RecordedChange[]): readonly CoalescedChange[]
}

interface Due {
  readonly groups: readonly ChangeGroup[]
  readonly isFull: boolean
}

/** The first groups, with events of at most this much text in total; at least one group. */
function withinText(groups: readonly ChangeGroup[], textMax = TEXT_MAX): readonly ChangeGroup[] {
  let remaining = textMax
  const beyond = groups.findIndex(({ entries }) => (remaining -= textOf(entries)) < 0)
  return beyond === -1 ? groups : groups.slice(0, Math.max(1, beyond))
}

/** The approximate text of these changes' events for all subscriptions. */
function textOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { details, listeners }) => sum + (details.length + EVENT_LENGTH) * Object.keys(listeners).length, 0)
}

async function findDue(db: Transaction, workspaceId: string, stream: Stream, now: number): Promise<Due> {
  if (stream === 'at_once') {
    const entries = await listImmediateEntries(db, workspaceId, BATCH_SIZE)
    return { groups: immediateGroups(entries), isFull: entries.length === BATCH_SIZE }
  }
  const entities = await listDueEntities(db, workspaceId, stream, now, WINDOW, BATCH_SIZE)
  const some = atMost(entities, ENTRIES_MAX)
  const ids = some.map(({ id }) => id)
  for (let limit = ENTRIES_MAX; ; limit *= 2) {
    const entries = await listEntriesOf(db, workspaceId, stream, ids, limit)
    const hasMore = entries.length === limit
    const groups = closedWindows(entries, now, hasMore)
    if (hasMore && groups.length === 0) continue
    return { groups, isFull: hasMore || some.length < entities.length || entities.length === BATCH_SIZE }
  }
}

/** The groups of immediate changes: each change is one, except that the edits of a page by one request are one together. */
function immediateGroups(entries: readonly Entry[]): ChangeGroup[] {
  const groupKey = ({ type, entityId, time, number }: Entry): string =>
    type === 'page.properties_updated' ? `${entityId} ${time}` : String(number)
  return [...Map.groupBy(entries, groupKey).values()].map((own) => ({
    entityId: own[0]?.entityId ?? '',
    entries: own,
    changes: recordedChangesOf(own),
    coalesce: own.length > 1 ? coalesce : (one) => one.map(uncoalesced),
  }))
}

/** The first entities, with at most this many entries in total; an entity with more is returned alone. */
function atMost(entities: readonly DueEntity[], entriesMax: number): DueEntity[] {
  let remaining = entriesMax
  const beyond = entities.findIndex(({ entries }) => (remaining -= entries) < 0)
  return beyond === -1 ? [...entities] : entities.slice(0, Math.max(1, beyond))
}

/** The windows that are over. @param hasMore whether there are further entries, which may belong to the last window of an entity */
function closedWindows(entries: readonly Entry[], now: number, hasMore: boolean): ChangeGroup[] {
  return [...Map.groupBy(entries, (entry) => entry.entityId)].flatMap(([entityId, own]) => {
    const windows = windowsOf(own)
    const closed = (hasMore ? windows.slice(0, -1) : windows).filter(({ closes }) => closes <= now)
    return closed.map((window) => ({ entityId, entries: window.changes, changes: recordedChangesOf(window.changes), coalesce }))
  })
}

/** The changes of entries, except damaged ones, which become no event. */
function recordedChangesOf(entries: readonly Entry[]): RecordedChange[] {
  return entries.flatMap(({ entityId, type, time, authorId, details, listeners }) => {
    const form = changeForm(type) ?? unknownType
    const read = readUnlessDamaged('outbox.details', entityId, details, form) as RecordedChange['details'] | undefined
    return read === undefined ? [] : [{ type: type as EventType, time, authorId, details: read, listeners }]
  })
}

const unknownType = where('the details of a change of a known type', () => false)

function uncoalesced({ authorId, ...change }: RecordedChange): CoalescedChange {
  return { ...change, authorIds: [authorId] }
}

interface ActiveSubscription {
  readonly listener: WebhookListener
  readonly connection: ConnectionRecord
}

async function activeSubscriptionsIn(db: Transaction, workspaceId: string): Promise<ActiveSubscription[]> {
  const connections = new Map<string, ConnectionRecord | undefined>()
  const subscriptions: ActiveSubscription[] = []
  for (const listener of await listWebhookListeners(db, workspaceId)) {
    const { connectionId: id } = listener
    if (!connections.has(id)) connections.set(id, await findConnection(db, id))
    const connection = connections.get(id)
    if (connection) subscriptions.push({ listener, connection })
  }
  return subscriptions
}

interface SubscriptionChange extends EntityChange {
  readonly subscription: ActiveSubscription
  readonly apiVersion: string
}

/** The changes for a subscription: those made while it was active, of the types it had subscribed to then. */
function changesFor(subscription: ActiveSubscription, { entityId, changes, coalesce }: ChangeGroup): SubscriptionChange[] {
  const { id, activeSince } = subscription.listener
  const heard = changes.filter(({ time, listeners }) => time >= activeSince && Object.hasOwn(listeners, id))
  if (heard.length === 0) return []
  return coalesce(heard).flatMap((change) => {
    const apiVersion = change.listeners[id]
    return typeof apiVersion === 'string' && mayReceive(subscription.connection, change.type)
      ? [{ entityId, change, subscription, apiVersion }]
      : []
  })
}

function eventOf(context: EventContext, one: SubscriptionChange, nextId: () => string): FormedEvent | undefined {
  const { change, subscription, apiVersion } = one
  const { listener, connection } = subscription
  if (!context.isSeen(connection.id, one)) return undefined
  const data = dataOf(context, { connectionId: connection.id, apiVersion }, one)
  if (!data) return undefined
  return {
    id: nextId(),
    timestamp: toTimestamp(change.time),
    workspace_id: context.workspaceId,
    workspace_name: context.workspaceName,
    subscription_id: listener.id,
    integration_id: connection.id,
    authors: change.authorIds.map((id) => context.author(id)),
    api_version: apiVersion,
    type: change.type,
    entity: entityOf(context, one),
    ...data,
  }
}
