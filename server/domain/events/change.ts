import type { WebhookEventType } from '../../../generated/types.ts'
import type { ParentType } from '../../store/blocks.ts'

/** A page, database or block, as events name it. */
export interface BlockReference {
  readonly id: string
  readonly type: 'page' | 'database' | 'block'
}

/** What became of one property of a schema. */
export interface PropertyChange {
  readonly id: string
  readonly action: 'created' | 'updated' | 'deleted'
  /** Of a relation, the data source that it leads to: who does not see that does not see the property. */
  readonly targetId?: string
}

/** Parts of a view that events tell apart. */
export type ViewField = 'name' | 'filter' | 'sorts' | 'configuration'

interface Parent {
  readonly parentType: ParentType
  readonly parentId: string
}

interface Move {
  readonly from: Parent
  readonly to: Parent
}

/** Where a comment stands. */
interface CommentPlace {
  readonly discussionId: string
  /** The page or block that was commented on. */
  readonly parent: BlockReference
  readonly pageId: string
}

/** What else is known of a change, by its type. */
interface ChangeDetails {
  readonly 'page.created': object
  readonly 'page.properties_updated': { readonly properties: readonly string[] }
  /** Of several blocks one below the other, the uppermost. */
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
  /** Rows that came or went. */
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

/** Types of the contract but those that only subscriptions of the old version know: they are told instead of those of data sources. */
export type ChangeType = Exclude<WebhookEventType, 'database.content_updated' | 'database.schema_updated'>

/** Something that happened to an entity: what events tell. `id` is that of the entity that the type begins with. */
export type Change = { readonly [T in ChangeType]: { readonly type: T; readonly id: string } & ChangeDetails[T] }[ChangeType]
