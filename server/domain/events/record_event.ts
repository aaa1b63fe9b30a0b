import { findBlock } from '../../store/blocks.ts'
import { insertEntries, type NewEntry, type Stream } from '../../store/outbox.ts'
import type { WebhookListener } from '../../store/webhook_subscriptions.ts'
import type { Actor, WriteScope } from '../shared/index.ts'
import { fireTriggers } from './fire_triggers.ts'
import { awaitedChanges } from './awaited_changes.ts'
import type { Change } from './change.ts'
import { NAMED_MAX } from './coalesce.ts'
import { firstEdits } from './first_edits.ts'
import { isImmediate, kindOfEvent, oldTypeOf, type EventType } from './event_types.ts'
import { OLD_API_VERSION } from './webhooks/api_versions.ts'
import { startForming } from './start_forming.ts'

/** The author, time and transaction of a change. */
export type RecordScope = Pick<WriteScope, 'db' | 'now' | 'causedBy'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/**
 * Records changes for webhook subscriptions, and starts the agents that they trigger, in the transaction that makes the changes. One change
 * for each entity and type is enough for a whole request; lists may be long. If there is no subscription, this costs one query per request.
 */
export async function recordEvent(scope: RecordScope, ...lists: readonly (Change | readonly Change[])[]): Promise<void> {
  const changes = lists.flat()
  if (changes.length === 0) return
  const { listeners } = await awaitedChanges(scope)
  await fireTriggers(scope, changes)
  if (listeners.length === 0) return
  const entries: NewEntry[] = []
  const first = await firstEdits(scope, changes)
  for (const change of changes) entries.push(...(await entriesOf(scope, listeners, change, first)))
  if (entries.length === 0) return
  const { workspaceId } = scope.actor
  await insertEntries(scope.db, workspaceId, entries)
  await startForming(scope.db, workspaceId, new Set(entries.map(({ stream }) => stream)), scope.now)
}

/**
 * Starts the query of `recordEvent` ahead of a likely change, together with the preceding read: a database server returns both in one round
 * trip.
 */
export function expectEvents(scope: RecordScope): void {
  awaitedChanges(scope).catch(() => undefined)
}

/** Whether the workspace has any subscription. Check before reading data that only an event needs. */
export async function hasListeners(scope: RecordScope): Promise<boolean> {
  return (await awaitedChanges(scope)).listeners.length > 0
}

async function entriesOf(
  scope: RecordScope,
  listeners: readonly WebhookListener[],
  change: Change,
  first: ReadonlySet<string>,
): Promise<NewEntry[]> {
  const { type, id, ...details } = change
  const routes = (await routeChange(scope, listeners, { type, id }, first)).filter(isSubscribedTo)
  if (routes.length === 0) return []
  const text = detailsJson(details)
  return routes.map(({ entityId, stream, type: routedType, listeners: among, isSent }) => ({
    entityId,
    stream,
    type: routedType,
    time: scope.now,
    authorId: authorOf(scope),
    details: isSent ? SENT : text,
    listeners: Object.fromEntries(
      among.map(({ id: listener, apiVersion, eventTypes }) => [listener, eventTypes.includes(routedType) ? apiVersion : null]),
    ),
  }))
}

/**
 * The author of a change. A change that an agent has proposed counts as the agent's, no matter who approved it: the record, too, shows the
 * agent as its editor.
 */
function authorOf({ actor, causedBy = [] }: RecordScope): string {
  return causedBy.at(-1) ?? actor.userId
}

/** The details of an edit that is reported through the `at_once` stream. */
const SENT = JSON.stringify({ properties: [], sent: true })

/** A change as some of the subscriptions receive it. */
interface RoutedChange {
  readonly entityId: string
  readonly stream: Stream
  readonly type: EventType
  readonly listeners: readonly WebhookListener[]
  /** Whether the change only opens a window, because it is reported immediately. */
  readonly isSent?: boolean
}

/**
 * A change in the forms in which subscriptions receive it. Subscriptions of the old version receive different events for databases,
 * and database events for data sources.
 */
async function routeChange(
  scope: RecordScope,
  listeners: readonly WebhookListener[],
  { type, id }: Pick<Change, 'type' | 'id'>,
  first: ReadonlySet<string>,
): Promise<RoutedChange[]> {
  const kind = kindOfEvent(type)
  if (type === 'page.properties_updated' && first.has(id)) {
    const route = { entityId: id, type, listeners }
    return [
      { ...route, stream: 'at_once' },
      { ...route, stream: 'window', isSent: true },
    ]
  }
  if (kind !== 'database' && kind !== 'data_source')
    return [{ entityId: id, stream: isImmediate(type) ? 'at_once' : 'window', type, listeners }]
  const present = listeners.filter(({ apiVersion }) => apiVersion !== OLD_API_VERSION)
  const old = listeners.filter(({ apiVersion }) => apiVersion === OLD_API_VERSION)
  const routed: RoutedChange = { entityId: id, stream: 'window', type, listeners: present }
  const oldType = oldTypeOf(type)
  if (oldType === undefined || old.length === 0) return [routed]
  const entityId = kind === 'database' ? id : (await findBlock(scope.db, scope.actor.workspaceId, id))?.parentId
  if (entityId === undefined) return [routed]
  return [routed, { entityId, stream: 'window_2022_06_28', type: oldType, listeners: old }]
}

/**
 * Whether a change must be recorded because of a subscription. In a window, any type of the same kind counts: a change to which nobody has
 * subscribed may still cancel or absorb others.
 */
function isSubscribedTo({ stream, type, listeners }: RoutedChange): boolean {
  if (stream === 'at_once') return listeners.some(({ eventTypes }) => eventTypes.includes(type))
  const kind = `${kindOfEvent(type)}.`
  return listeners.some(({ eventTypes }) => eventTypes.some((one) => one.startsWith(kind)))
}

/** Details as JSON, with lists truncated to the maximum of an event. */
function detailsJson(details: object): string {
  const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > NAMED_MAX
  if (!Object.values(details).some(isLong)) return JSON.stringify(details)
  return JSON.stringify(details, (_key, value: unknown) => (isLong(value) ? value.slice(0, NAMED_MAX) : value))
}
