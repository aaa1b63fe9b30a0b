import { findBlock } from '../../store/blocks.ts'
import { insertEntries, type NewEntry, type Stream } from '../../store/outbox.ts'
import { listWebhookListeners, type WebhookListener } from '../../store/webhook_subscriptions.ts'
import type { Actor } from '../actor.ts'
import type { WriteScope } from '../scope.ts'
import { fireTriggers } from '../triggers/fire.ts'
import type { Change } from './change.ts'
import { NAMED_MAX } from './collapse.ts'
import { isToldAtOnce, kindOfEvent, oldTypeOf, type EventType } from './event_types.ts'
import { OLD_API_VERSION } from '../webhooks/api_versions.ts'
import { startForming } from './start_forming.ts'

/** Who changed something, when, and the transaction that does it. */
export type RecordScope = Pick<WriteScope, 'db' | 'now' | 'causedBy'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/**
 * Notes what happened for the subscriptions that want to know and for the agents that wait for it, in the transaction that makes it happen. One change for each entity and
 * kind of change is enough for a whole request; lists may be long. Where nobody listens this costs one look-up for each request.
 */
export async function recordEvent(scope: RecordScope, ...lists: readonly (Change | readonly Change[])[]): Promise<void> {
  const changes = lists.flat()
  if (changes.length === 0) return
  await fireTriggers(scope, changes)
  const listeners = await listenersOf(scope)
  if (listeners.length === 0) return
  const entries: NewEntry[] = []
  for (const change of changes) entries.push(...(await entriesOf(scope, listeners, change)))
  if (entries.length === 0) return
  const { workspaceId } = scope.actor
  await insertEntries(scope.db, workspaceId, entries)
  await startForming(scope.db, workspaceId, new Set(entries.map(({ stream }) => stream)), scope.now)
}

/** Whether anybody may want to know what happens in the workspace: where telling takes looking up, it is not looked up for nobody. */
export async function hasListeners(scope: RecordScope): Promise<boolean> {
  return (await listenersOf(scope)).length > 0
}

/** Each request has a scope of its own, so that it asks once. */
const lookedUp = new WeakMap<RecordScope, Promise<readonly WebhookListener[]>>()

function listenersOf(scope: RecordScope): Promise<readonly WebhookListener[]> {
  const known = lookedUp.get(scope) ?? listWebhookListeners(scope.db, scope.actor.workspaceId)
  lookedUp.set(scope, known)
  return known
}

async function entriesOf(scope: RecordScope, listeners: readonly WebhookListener[], change: Change): Promise<NewEntry[]> {
  const { type, id, ...details } = change
  const tellings = (await tellingsOf(scope, listeners, { type, id })).filter(isOfInterest)
  if (tellings.length === 0) return []
  const text = limited(details)
  return tellings.map(({ entityId, stream, type: told, listeners: among }) => ({
    entityId,
    stream,
    type: told,
    time: scope.now,
    authorId: scope.actor.userId,
    details: text,
    listeners: Object.fromEntries(
      among.map(({ id: listener, apiVersion, eventTypes }) => [listener, eventTypes.includes(told) ? apiVersion : null]),
    ),
  }))
}

/** A change as some subscriptions hear of it. */
interface Telling {
  readonly entityId: string
  readonly stream: Stream
  readonly type: EventType
  readonly listeners: readonly WebhookListener[]
}

/** Subscriptions of the old version hear otherwise of databases than the others do, and of data sources as of their database. */
async function tellingsOf(
  scope: RecordScope,
  listeners: readonly WebhookListener[],
  { type, id }: Pick<Change, 'type' | 'id'>,
): Promise<Telling[]> {
  const kind = kindOfEvent(type)
  if (kind !== 'database' && kind !== 'data_source')
    return [{ entityId: id, stream: isToldAtOnce(type) ? 'at_once' : 'window', type, listeners }]
  const present = listeners.filter(({ apiVersion }) => apiVersion !== OLD_API_VERSION)
  const old = listeners.filter(({ apiVersion }) => apiVersion === OLD_API_VERSION)
  const telling: Telling = { entityId: id, stream: 'window', type, listeners: present }
  const oldType = oldTypeOf(type)
  if (oldType === undefined || old.length === 0) return [telling]
  const entityId = kind === 'database' ? id : (await findBlock(scope.db, scope.actor.workspaceId, id))?.parentId
  if (entityId === undefined) return [telling]
  return [telling, { entityId, stream: 'window_2022_06_28', type: oldType, listeners: old }]
}

/** What lies together is wanted where anything of the kind is: what is not asked for itself decides what becomes of the rest. */
function isOfInterest({ stream, type, listeners }: Telling): boolean {
  if (stream === 'at_once') return listeners.some(({ eventTypes }) => eventTypes.includes(type))
  const kind = `${kindOfEvent(type)}.`
  return listeners.some(({ eventTypes }) => eventTypes.some((one) => one.startsWith(kind)))
}

/** As JSON, with no more of a list than may be named. */
function limited(details: object): string {
  const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > NAMED_MAX
  if (!Object.values(details).some(isLong)) return JSON.stringify(details)
  return JSON.stringify(details, (_key, value: unknown) => (isLong(value) ? value.slice(0, NAMED_MAX) : value))
}
