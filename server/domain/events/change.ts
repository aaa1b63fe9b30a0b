import type { WebhookEventType } from '../../../generated/types.ts'
import type { ParentType } from '../../store/blocks.ts'

/** A page, database or block in an event. */
export interface BlockReference {
  readonly id: string
  readonly type: 'page' | 'database' | 'block'
}

export interface PropertyChange {
  readonly id: string
  readonly action: 'created' | 'updated' | 'deleted'
  /** For a relation, its target data source: a connection that cannot see the target cannot see the property. */
  readonly targetId?: string
}

/** Parts of a view that events distinguish. */
export type ViewField = 'name' | 'filter' | 'sorts' | 'configuration'

interface Parent {
  readonly parentType: ParentType
  readonly parentId: string
}

interface Move {
  readonly from: Parent
  readonly to: Parent
}

interface CommentPlace {
  readonly discussionId: string
  /** The page or block that was commented on. */
  readonly parent: BlockReference
  readonly pageId: string
}

/** The details of a change, by its type. */
interface ChangeDetails {
  readonly 'page.created': object
  readonly 'page.properties_updated': { readonly properties: readonly string[] }
  /** If blocks are nested, only the outermost. */
  readonly 'page.content_updated': { readonly blocks: readonly BlockReference[] }
  readonly 'page.moved': Move
  readonly 'page.deleted': object
  readonly 'page.undeleted': object
  readonly 'page.locked': object
  readonly 'page.unlocked': object
  readonly 'page.transcription_block.transcript_deleted': { readonly blockId: string; readonly transcriptId: string | null }
  readonly 'database.created': object
  readonly 'database.moved': Move
  readonly 'database.deleted': object
  readonly 'database.undeleted': object
  readonly 'data_source.created': object
  /** Rows that were added or removed. */
  readonly 'data_source.content_updated': { readonly rows: readonly string[] }
  readonly 'data_source.schema_updated': { readonly properties: readonly PropertyChange[] }
  readonly 'data_source.moved': Move
  readonly 'data_source.deleted': object
  readonly 'data_source.undeleted': object
  readonly 'comment.created': CommentPlace
  readonly 'comment.updated': CommentPlace
  readonly 'comment.deleted': CommentPlace
  readonly 'file_upload.created': object
  readonly 'file_upload.completed': object
  readonly 'file_upload.expired': object
  readonly 'file_upload.upload_failed': object
  readonly 'view.created': { readonly databaseId: string; readonly viewType: string }
  readonly 'view.updated': { readonly databaseId: string; readonly fields: readonly ViewField[] }
  readonly 'view.deleted': { readonly databaseId: string }
}

/** The event types of the contract, except those that only subscriptions of the old version receive instead of data source events. */
export type ChangeType = Exclude<WebhookEventType, 'database.content_updated' | 'database.schema_updated'>

/** A change of an entity, which events report. `id` belongs to the kind of entity with which the type begins. */
export type Change = { readonly [T in ChangeType]: { readonly type: T; readonly id: string } & ChangeDetails[T] }[ChangeType]
