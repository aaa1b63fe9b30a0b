import type { WebhookEventType } from '../../../generated/types.ts'
import type { ChangeType } from './change.ts'

export type EventType = WebhookEventType

/** What a type begins with: the kind of its entity. */
export type EntityKind = 'page' | 'database' | 'data_source' | 'comment' | 'file_upload' | 'view'

export function kindOfEvent(type: EventType): EntityKind {
  return type.slice(0, type.indexOf('.')) as EntityKind
}

/** What a type ends with. */
export function actionOf(type: EventType): string {
  return type.slice(type.lastIndexOf('.') + 1)
}

const toldAtOnce: ReadonlySet<EventType> = new Set([
  'page.locked',
  'page.unlocked',
  'page.transcription_block.transcript_deleted',
] as const)

/** Whether each change is an event, without waiting for others. */
export function isToldAtOnce(type: EventType): boolean {
  const kind = kindOfEvent(type)
  return kind === 'comment' || kind === 'file_upload' || toldAtOnce.has(type)
}

/** The type in which subscriptions of the old version hear of a change; undefined where they do not. */
export function oldTypeOf(type: ChangeType): EventType | undefined {
  if (type === 'data_source.content_updated') return 'database.content_updated'
  if (type === 'data_source.schema_updated') return 'database.schema_updated'
  const kind = kindOfEvent(type)
  return kind === 'data_source' || kind === 'view' ? undefined : type
}
