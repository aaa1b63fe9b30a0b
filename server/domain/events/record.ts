import { findBlock } from '../../store/blocks.ts'
import { insertEntries, type NewEntry, type Stream } from '../../store/outbox.ts'
import { listWebhookListeners, type WebhookListener } from '../../store/webhook_subscriptions.ts'
import type { Actor } from '../actor.ts'
import type { WriteScope } from '../scope.ts'
import type { Change } from './change.ts'
import { NAMED_MAX } from './collapse.ts'
import { isToldAtOnce, kindOfEvent, oldTypeOf, OLD_API_VERSION, type EntityKind, type EventType } from './event_types.ts'
import { startForming } from './start_forming.ts'

/** Who changed something, when, and the transaction that does it. */
export type RecordScope = Pick<WriteScope, 'db' | 'now'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/**
 * Notes what happened for the subscriptions that want to know, in the transaction that makes it happen. One change for each entity and
 * kind of change is enough for a whole request; lists may be long. Where nobody listens this costs one look-up for each request.
 */
export async function recordEvent(scope: RecordScope, ...lists: readonly (Change | readonly Change[])[]): Promise<void> {
  const changes = lists.flat()
  if (changes.length === 0) return
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
  const oldType = oldTypeOf(type)
  const kind = kindOfEvent(type)
  const [old, present] = [true, false].map((isOld) =>
    listeners.filter(({ apiVersion }) => (apiVersion === OLD_API_VERSION) === isOld),
  )
  const differ = kind === 'database' || kind === 'data_source'
  const text = JSON.stringify(limited(details))
  const entry = (entityId: string, stream: Stream, told: EventType, among: readonly WebhookListener[] = []): NewEntry[] => {
    const isAtOnce = stream === 'at_once'
    const concerns = (one: string): boolean => (isAtOnce ? one === told : isOfKind(one, kindOfEvent(told)))
    if (!among.some(({ eventTypes }) => eventTypes.some(concerns))) return []
    const asked = among.map(({ id, apiVersion, eventTypes }) => [id, eventTypes.includes(told) ? apiVersion : null] as const)
    const { now: time, actor } = scope
    return [{ entityId, stream, type: told, time, authorId: actor.userId, details: text, listeners: Object.fromEntries(asked) }]
  }
  if (!differ) return entry(id, isToldAtOnce(type) ? 'at_once' : 'window', type, listeners)
  const entries = entry(id, 'window', type, present)
  if (oldType === undefined || !old?.some(({ eventTypes }) => eventTypes.some((one) => isOfKind(one, 'database')))) return entries
  const entityId = kind === 'database' ? id : (await findBlock(scope.db, scope.actor.workspaceId, id))?.parentId
  return entityId === undefined ? entries : [...entries, ...entry(entityId, 'window_2022_06_28', oldType, old)]
}

function isOfKind(eventType: string, kind: EntityKind): boolean {
  return eventType.startsWith(`${kind}.`)
}

function limited(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]: [string, unknown]) => [
      key,
      Array.isArray(value) ? value.slice(0, NAMED_MAX) : value,
    ]),
  )
}
