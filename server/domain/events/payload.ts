import type { BlockPlace } from '../../store/viewing_bots.ts'
import type { CoalescedChange } from './coalesce.ts'
import { kindOfEvent, type EntityKind, type EventType } from './event_types.ts'
import { OLD_API_VERSION } from './webhooks/api_versions.ts'
import { changesIn, isOfSource, type EventContext, type EntityChange } from './event_context.ts'
import { readJson } from '../../store/stored/read_json.ts'

export interface EventRecipient {
  readonly connectionId: string
  readonly apiVersion: string
}

/** The `entity` of a payload. */
export function entityOf(
  context: EventContext,
  { entityId, change }: EntityChange,
): { readonly id: string; readonly type: EntityKind | 'block' } {
  const kind = kindOfEvent(change.type)
  // A linked database shows data sources of other databases and has none of its own.
  const isLinked = kind === 'database' && context.sourcesOf(entityId).length === 0
  return { id: entityId, type: isLinked ? 'block' : kind }
}

/**
 * The `data` of a payload: ids and names of properties, never their values.
 * @returns undefined if the connection may not see any of it
 */
export function dataOf(
  context: EventContext,
  recipient: EventRecipient,
  one: EntityChange,
): { readonly data?: object } | undefined {
  return dataBuilders[one.change.type]({ ...one, context, recipient })
}

interface DataInput extends EntityChange {
  readonly context: EventContext
  readonly recipient: EventRecipient
}

type DataBuilder = (forming: DataInput) => { readonly data?: object } | undefined

const upload: DataBuilder = ({ context, entityId }) => (context.upload(entityId) ? {} : undefined)
const comment: DataBuilder = ({ change: { details } }) => ({
  data: { parent: details['parent'], page_id: details['pageId'], discussion_id: details['discussionId'] },
})
const parentOnly = inTree(() => ({}))
const rows = inTree(rowsData)
const schema = inTree(schemaData)

const dataBuilders: Readonly<Record<EventType, DataBuilder>> = {
  'page.created': parentOnly,
  'page.properties_updated': inTree(propertiesData),
  'page.content_updated': inTree(({ change }) => ({ updated_blocks: change.details['blocks'] })),
  'page.moved': parentOnly,
  'page.deleted': parentOnly,
  'page.undeleted': parentOnly,
  'page.locked': parentOnly,
  'page.unlocked': parentOnly,
  'page.transcription_block.transcript_deleted': ({ change: { details } }) => ({
    data: { target: { id: details['blockId'], type: 'block' }, transcript_id: details['transcriptId'] },
  }),
  'database.created': parentOnly,
  'database.content_updated': rows,
  'database.schema_updated': schema,
  'database.moved': parentOnly,
  'database.deleted': parentOnly,
  'database.undeleted': parentOnly,
  'data_source.created': parentOnly,
  'data_source.content_updated': rows,
  'data_source.schema_updated': schema,
  'data_source.moved': parentOnly,
  'data_source.deleted': parentOnly,
  'data_source.undeleted': parentOnly,
  'comment.created': comment,
  'comment.updated': comment,
  'comment.deleted': comment,
  'file_upload.created': upload,
  'file_upload.completed': upload,
  'file_upload.expired': upload,
  'file_upload.upload_failed': failedUpload,
  'view.created': inDatabase(({ viewType }) => ({ view_type: viewType })),
  'view.updated': inDatabase(({ fields }) => ({ updated_fields: fields })),
  'view.deleted': inDatabase(() => ({})),
}

/** Data for a page, database or data source: its parent, and what `rest` returns. */
function inTree(rest: (forming: DataInput, place: BlockPlace) => object | undefined): DataBuilder {
  return (forming) => {
    const place = forming.context.place(forming.entityId)
    const parent = place && parentOf(forming, place)
    const more = parent && rest(forming, place)
    return more && { data: { parent, ...more } }
  }
}

/** Data for a view: its database, and what `rest` returns. */
function inDatabase(rest: (details: CoalescedChange['details']) => object): DataBuilder {
  return ({ change: { details } }) => ({ data: { parent: { id: details['databaseId'], type: 'database' }, ...rest(details) } })
}

function failedUpload({ context, entityId }: DataInput): { readonly data: object } | undefined {
  const result = context.upload(entityId)?.import_result ?? null
  return result === null
    ? undefined
    : { data: { file_import_result: readJson('file_uploads.import_result', entityId, result) as object | null } }
}

/** The `parent` in a payload. */
function parentOf({ context, recipient }: DataInput, place: BlockPlace): object | undefined {
  const { parentType, parentId: id } = place
  if (isOfSource(place)) {
    const source = context.place(id)
    if (!source) return undefined
    const isOld = recipient.apiVersion === OLD_API_VERSION
    return { id: source.parentId, type: 'database', ...(isOld ? {} : { data_source_id: id }) }
  }
  switch (parentType) {
    case 'workspace':
      return { id: context.workspaceId, type: 'space' }
    case 'page_id':
      return { id, type: 'page' }
    case 'database_id':
      return { id, type: 'database' }
    case 'block_id':
    case 'data_source_id':
    case 'template_of':
      return { id, type: 'block' }
  }
}

function rowsData(forming: DataInput): object | undefined {
  const ids = forming.change.details['rows'] as readonly string[]
  return sourceOf(forming) === undefined ? undefined : { updated_blocks: ids.map((id) => ({ id, type: 'page' })) }
}

/** The data source that an event is about; undefined for a database with several, because the payload can name only one. */
function sourceOf({ context, entityId, change }: DataInput): string | undefined {
  if (kindOfEvent(change.type) === 'data_source') return entityId
  const [only, another] = context.sourcesOf(entityId).filter(({ inTrash }) => !inTrash)
  return another === undefined ? only?.id : undefined
}

function propertiesData({ context, recipient, change }: DataInput, place: BlockPlace): object | undefined {
  const ids = change.details['properties'] as readonly string[]
  const seen = isOfSource(place)
    ? new Set(context.propertiesOf(recipient.connectionId, place.parentId).map(({ id }) => id))
    : undefined
  const left = seen ? ids.filter((id) => seen.has(id)) : ids
  return left.length === 0 && ids.length > 0 ? undefined : { updated_properties: left.map(encodeURIComponent) }
}

function schemaData(forming: DataInput): object | undefined {
  const { context, recipient, change } = forming
  const { connectionId } = recipient
  const sourceId = sourceOf(forming)
  const changes = changesIn(change).filter(({ targetId }) => context.seesTarget(connectionId, targetId))
  if (sourceId === undefined || changes.length === 0) return undefined
  const names = new Map(context.propertiesOf(connectionId, sourceId).map(({ id, name }) => [id, name]))
  return {
    updated_properties: changes.map(({ id, action }) => ({ id: encodeURIComponent(id), name: names.get(id) ?? null, action })),
  }
}
