import { parentTypes } from '../../store/blocks.ts'
import { flagForm, id, list, nullable, object, oneOfTexts, text, type Form } from '../../store/stored/form.ts'
import type { ChangeType } from './change.ts'

const nothing = object({})
const reference = object({ id, type: oneOfTexts(['page', 'database', 'block']) })
const parent = object({ parentType: oneOfTexts(parentTypes), parentId: id })
const move = object({ from: parent, to: parent })
const comment = object({ discussionId: id, parent: reference, pageId: id })
const rows = object({ rows: list(id) })
const propertyChange = object({ id: text, action: oneOfTexts(['created', 'updated', 'deleted']) }, { targetId: id })
const schema = object({ properties: list(propertyChange) })
const fields = list(oneOfTexts(['name', 'filter', 'sorts', 'configuration']))

const forms = {
  'page.created': nothing,
  'page.properties_updated': object({ properties: list(text) }, { sent: flagForm }),
  'page.content_updated': object({ blocks: list(reference) }),
  'page.moved': move,
  'page.deleted': nothing,
  'page.undeleted': nothing,
  'page.locked': nothing,
  'page.unlocked': nothing,
  'page.transcription_block.transcript_deleted': object({ blockId: id, transcriptId: nullable(id) }),
  'database.created': nothing,
  'database.moved': move,
  'database.deleted': nothing,
  'database.undeleted': nothing,
  'data_source.created': nothing,
  'data_source.content_updated': rows,
  'data_source.schema_updated': schema,
  'data_source.moved': move,
  'data_source.deleted': nothing,
  'data_source.undeleted': nothing,
  'comment.created': comment,
  'comment.updated': comment,
  'comment.deleted': comment,
  'file_upload.created': nothing,
  'file_upload.completed': nothing,
  'file_upload.expired': nothing,
  'file_upload.upload_failed': nothing,
  'view.created': object({ databaseId: id, viewType: text }),
  'view.updated': object({ databaseId: id, fields }),
  'view.deleted': object({ databaseId: id }),
} as const satisfies Readonly<Record<ChangeType, Form>>

/** The form of the stored details of a change, by type; subscriptions of the old version get two more types. */
const changeForms: Readonly<Record<string, Form>> = {
  ...forms,
  'database.content_updated': rows,
  'database.schema_updated': schema,
}

/** @returns undefined for an unknown type */
export function changeForm(type: string): Form | undefined {
  return Object.hasOwn(changeForms, type) ? changeForms[type] : undefined
}
