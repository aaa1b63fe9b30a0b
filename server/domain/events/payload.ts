import type { BlockPlace } from '../../store/sight.ts'
import type { Told } from './collapse.ts'
import { kindOfEvent, type EntityKind, type EventType } from './event_types.ts'
import { OLD_API_VERSION } from '../webhooks/api_versions.ts'
import { changesIn, isOfSource, type FormingFacts, type ToldOf } from './forming_facts.ts'

/** For whom an event is formed. */
export interface Audience {
  readonly connectionId: string
  readonly apiVersion: string
}

/** What an event is about, as payloads name it. */
export function entityOf(
  facts: FormingFacts,
  { entityId, told }: ToldOf,
): { readonly id: string; readonly type: EntityKind | 'block' } {
  const kind = kindOfEvent(told.type)
  // A linked database shows data sources of others and has none of its own.
  const isLinked = kind === 'database' && facts.sourcesOf(entityId).length === 0
  return { id: entityId, type: isLinked ? 'block' : kind }
}

/**
 * What an event says beside its envelope: ids and names of properties, nothing of what they hold.
 * @returns undefined where nothing is left that the connection may know
 */
export function dataOf(facts: FormingFacts, audience: Audience, one: ToldOf): { readonly data?: object } | undefined {
  return forms[one.told.type]({ ...one, facts, audience })
}

interface Forming extends ToldOf {
  readonly facts: FormingFacts
  readonly audience: Audience
}

type Form = (forming: Forming) => { readonly data?: object } | undefined

const upload: Form = ({ facts, entityId }) => (facts.upload(entityId) ? {} : undefined)
const comment: Form = ({ told: { details } }) => ({
  data: { parent: details['parent'], page_id: details['pageId'], discussion_id: details['discussionId'] },
})
const parentOnly = inTree(() => ({}))
const rows = inTree(rowsData)
const schema = inTree(schemaData)

const forms: Readonly<Record<EventType, Form>> = {
  'page.created': parentOnly,
  'page.properties_updated': inTree(propertiesData),
  'page.content_updated': inTree(({ told }) => ({ updated_blocks: told.details['blocks'] })),
  'page.moved': parentOnly,
  'page.deleted': parentOnly,
  'page.undeleted': parentOnly,
  'page.locked': parentOnly,
  'page.unlocked': parentOnly,
  'page.transcription_block.transcript_deleted': ({ told: { details } }) => ({
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

/** Of a page, database or data source: where it lies, and the rest. */
function inTree(rest: (forming: Forming, place: BlockPlace) => object | undefined): Form {
  return (forming) => {
    const place = forming.facts.place(forming.entityId)
    const parent = place && parentOf(forming, place)
    const more = parent && rest(forming, place)
    return more && { data: { parent, ...more } }
  }
}

/** Of a view. */
function inDatabase(rest: (details: Told['details']) => object): Form {
  return ({ told: { details } }) => ({ data: { parent: { id: details['databaseId'], type: 'database' }, ...rest(details) } })
}

function failedUpload({ facts, entityId }: Forming): { readonly data: object } | undefined {
  const result = facts.upload(entityId)?.import_result ?? null
  return result === null ? undefined : { data: { file_import_result: JSON.parse(result) as object } }
}

/** Where something lies, as payloads say it. */
function parentOf({ facts, audience }: Forming, place: BlockPlace): object | undefined {
  const { parentType, parentId: id } = place
  if (isOfSource(place)) {
    const source = facts.place(id)
    if (!source) return undefined
    const isOld = audience.apiVersion === OLD_API_VERSION
    return { id: source.parentId, type: 'database', ...(isOld ? {} : { data_source_id: id }) }
  }
  switch (parentType) {
    case 'workspace':
      return { id: facts.workspaceId, type: 'space' }
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

function rowsData(forming: Forming): object | undefined {
  const ids = forming.told.details['rows'] as readonly string[]
  return sourceOf(forming) === undefined ? undefined : { updated_blocks: ids.map((id) => ({ id, type: 'page' })) }
}

/** The data source that an event is about; undefined for a database with several, which does not say what happens to which. */
function sourceOf({ facts, entityId, told }: Forming): string | undefined {
  if (kindOfEvent(told.type) === 'data_source') return entityId
  const [only, another] = facts.sourcesOf(entityId).filter(({ inTrash }) => !inTrash)
  return another === undefined ? only?.id : undefined
}

function propertiesData({ facts, audience, told }: Forming, place: BlockPlace): object | undefined {
  const ids = told.details['properties'] as readonly string[]
  const seen = isOfSource(place)
    ? new Set(facts.propertiesOf(audience.connectionId, place.parentId).map(({ id }) => id))
    : undefined
  const left = seen ? ids.filter((id) => seen.has(id)) : ids
  return left.length === 0 && ids.length > 0 ? undefined : { updated_properties: left.map(encodeURIComponent) }
}

function schemaData(forming: Forming): object | undefined {
  const { facts, audience, told } = forming
  const { connectionId } = audience
  const sourceId = sourceOf(forming)
  const changes = changesIn(told).filter(({ targetId }) => facts.seesTarget(connectionId, targetId))
  if (sourceId === undefined || changes.length === 0) return undefined
  const names = new Map(facts.propertiesOf(connectionId, sourceId).map(({ id, name }) => [id, name]))
  return {
    updated_properties: changes.map(({ id, action }) => ({ id: encodeURIComponent(id), name: names.get(id) ?? null, action })),
  }
}
