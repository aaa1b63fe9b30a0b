import { toTimestamp } from '../../kernel/clock.ts'
import { idsTogether } from '../../kernel/ids.ts'
import { findConnection, type ConnectionRecord } from '../../store/connections.ts'
import type { Transaction } from '../../store/database.ts'
import {
  deleteEntriesOf,
  listEntriesAtOnce,
  listEntriesOf,
  listRipeEntities,
  type Entry,
  type Stream,
} from '../../store/outbox.ts'
import { listWebhookListeners, type WebhookListener } from '../../store/webhook_subscriptions.ts'
import { insertDelivery } from '../webhooks/insert_delivery.ts'
import type { FormedEvent } from '../webhooks/payload.ts'
import { collapse, windowsOf, WINDOW, type Happening, type Told } from './collapse.ts'
import type { EventType } from './event_types.ts'
import { FormingFacts, type ToldOf } from './forming_facts.ts'
import { dataOf, entityOf } from './payload.ts'
import { mayHear } from './visibility.ts'

/** Entities that are told of in one transaction, or changes that are told at once: few enough that no request waits long for it. */
const ENTITIES_AT_ONCE = 100

/** What a round of forming has come to. */
interface Formed {
  /** Of how many windows, or changes that are told at once, it made events. */
  readonly count: number
  /** Whether more may be due. */
  readonly hasMore: boolean
}

/**
 * Makes events of what is due in a stream of an outbox, leaves them to be delivered, and takes it out of the outbox.
 */
export async function formEvents(db: Transaction, workspaceId: string, stream: Stream, now: number): Promise<Formed> {
  const due = await findDue(db, workspaceId, stream, now)
  if (due.finished.length + due.begun.size === 0) return { count: 0, hasMore: false }
  const audiences = await audiencesIn(db, workspaceId)
  const wanted = due.told.flatMap((tell) => audiences.flatMap((audience) => wantedBy(audience, tell)))
  const connectionIds = [...new Set(wanted.map(({ audience }) => audience.connection.id))]
  const facts = await FormingFacts.gather(db, workspaceId, wanted, connectionIds)
  const nextId = idsTogether()
  for (const [{ workspaceId: homeId, id: subscriptionId }, own] of Map.groupBy(wanted, ({ audience }) => audience.listener)) {
    const events = own.flatMap((one) => eventOf(facts, one, nextId) ?? [])
    await insertDelivery(db, { homeId, subscriptionId, events }, now)
  }
  await deleteEntriesOf(db, workspaceId, stream, due.finished, due.lastNumber)
  for (const [entityId, number] of due.begun) await deleteEntriesOf(db, workspaceId, stream, [entityId], number)
  return { count: due.told.length, hasMore: due.isFull }
}

/** What happened to an entity that is told together. */
interface Tell {
  readonly entityId: string
  readonly happenings: readonly Happening[]
  /** What of it comes to one who has heard of it all, or of a part. */
  sum(happenings: readonly Happening[]): readonly Told[]
}

interface Due {
  readonly told: readonly Tell[]
  /** Entities of which nothing is left to tell. */
  readonly finished: readonly string[]
  /** Of others, the number of the last entry that is told. */
  readonly begun: ReadonlyMap<string, number>
  readonly lastNumber: number
  readonly isFull: boolean
}

async function findDue(db: Transaction, workspaceId: string, stream: Stream, now: number): Promise<Due> {
  if (stream === 'at_once') {
    const entries = await listEntriesAtOnce(db, workspaceId, ENTITIES_AT_ONCE)
    return {
      told: entries.map((entry) => ({
        entityId: entry.entityId,
        happenings: [happeningOf(entry)],
        sum: (one) => one.map(alone),
      })),
      finished: [...new Set(entries.map(({ entityId }) => entityId))],
      begun: new Map(),
      lastNumber: entries.at(-1)?.number ?? 0,
      isFull: entries.length === ENTITIES_AT_ONCE,
    }
  }
  const ripe = await listRipeEntities(db, workspaceId, stream, now, WINDOW, ENTITIES_AT_ONCE)
  const entries = await listEntriesOf(db, workspaceId, stream, ripe)
  const [told, finished, begun]: [Tell[], string[], Map<string, number>] = [[], [], new Map()]
  for (const [entityId, own] of Map.groupBy(entries, (entry) => entry.entityId)) {
    const closed = windowsOf(own).filter(({ closes }) => closes <= now)
    for (const { happenings } of closed) told.push({ entityId, happenings: happenings.map(happeningOf), sum: collapse })
    const last = closed.at(-1)?.happenings.at(-1)
    if (last === own.at(-1)) finished.push(entityId)
    else if (last) begun.set(entityId, last.number)
  }
  const lastNumber = entries.at(-1)?.number ?? 0
  return { told, finished, begun, lastNumber, isFull: ripe.length === ENTITIES_AT_ONCE }
}

function happeningOf({ type, time, authorId, details, listeners }: Entry): Happening {
  // Only `recordEvent` writes entries.
  return { type: type as EventType, time, authorId, details: JSON.parse(details) as Happening['details'], listeners }
}

function alone({ authorId, ...happening }: Happening): Told {
  return { ...happening, authorIds: [authorId] }
}

/** A subscription that is active, and its connection. */
interface Audience {
  readonly listener: WebhookListener
  readonly connection: ConnectionRecord
}

async function audiencesIn(db: Transaction, workspaceId: string): Promise<Audience[]> {
  const connections = new Map<string, ConnectionRecord | undefined>()
  const audiences: Audience[] = []
  for (const listener of await listWebhookListeners(db, workspaceId)) {
    const { connectionId: id } = listener
    if (!connections.has(id)) connections.set(id, await findConnection(db, id))
    const connection = connections.get(id)
    if (connection) audiences.push({ listener, connection })
  }
  return audiences
}

interface Wanted extends ToldOf {
  readonly audience: Audience
  readonly apiVersion: string
}

/** What a subscription is told: of what happened while it was active, the types it had asked for then. */
function wantedBy(audience: Audience, { entityId, happenings, sum }: Tell): Wanted[] {
  const { id, activeSince } = audience.listener
  const heard = happenings.filter(({ time, listeners }) => time >= activeSince && Object.hasOwn(listeners, id))
  if (heard.length === 0) return []
  return sum(heard).flatMap((told) => {
    const apiVersion = told.listeners[id]
    return typeof apiVersion === 'string' && mayHear(audience.connection, told.type)
      ? [{ entityId, told, audience, apiVersion }]
      : []
  })
}

function eventOf(facts: FormingFacts, one: Wanted, nextId: () => string): FormedEvent | undefined {
  const { told, audience, apiVersion } = one
  const { listener, connection } = audience
  if (!facts.isSeen(connection.id, one)) return undefined
  const data = dataOf(facts, { connectionId: connection.id, apiVersion }, one)
  if (!data) return undefined
  return {
    id: nextId(),
    timestamp: toTimestamp(told.time),
    workspace_id: facts.workspaceId,
    workspace_name: facts.workspaceName,
    subscription_id: listener.id,
    integration_id: connection.id,
    authors: told.authorIds.map((id) => facts.author(id)),
    api_version: apiVersion,
    type: told.type,
    entity: entityOf(facts, one),
    ...data,
  }
}
