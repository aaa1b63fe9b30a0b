import type { WebhookEventType } from '../../../generated/types.ts'
import type { ChangeType } from './change.ts'

export type EventType = WebhookEventType

/** The kind of entity with which an event type begins. */
export type EntityKind = KindOf<EventType>

type KindOf<Type> = Type extends `${infer Kind}.${string}` ? Kind : never

const entityKinds: Readonly<Record<EntityKind, true>> = {
  page: true,
  database: true,
  data_source: true,
  comment: true,
  file_upload: true,
  view: true,
}

function isEntityKind(word: string): word is EntityKind {
  return Object.hasOwn(entityKinds, word)
}

/** @throws Error for an invalid event type */
export function kindOfEvent(type: string): EntityKind {
  const word = type.slice(0, type.indexOf('.'))
  if (!isEntityKind(word)) throw new Error(`not an event type: ${type}`)
  return word
}

export function actionOf(type: EventType): string {
  return type.slice(type.lastIndexOf('.') + 1)
}

const immediateTypes: ReadonlySet<EventType> = new Set([
  'page.created',
  'page.locked',
  'page.unlocked',
  'page.transcription_block.transcript_deleted',
] as const)

/** Whether each change immediately becomes a separate event. */
export function isImmediate(type: EventType): boolean {
  const kind = kindOfEvent(type)
  return kind === 'comment' || kind === 'file_upload' || immediateTypes.has(type)
}

/** The type that subscriptions of the old version get for a change; undefined if they get none. */
export function oldTypeOf(type: ChangeType): EventType | undefined {
  if (type === 'data_source.content_updated') return 'database.content_updated'
  if (type === 'data_source.schema_updated') return 'database.schema_updated'
  const kind = kindOfEvent(type)
  return kind === 'data_source' || kind === 'view' ? undefined : type
}
