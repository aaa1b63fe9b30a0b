import type { BlockPlace } from '../../store/sight.ts'
import type { BlockReference } from './change.ts'
import type { Told } from './collapse.ts'
import { kindOfEvent, OLD_API_VERSION, type EntityKind } from './event_types.ts'
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
  const { entityId, told } = one
  switch (kindOfEvent(told.type)) {
    case 'file_upload':
      return uploadData(facts, one)
    case 'comment':
      return { data: commentData(told) }
    case 'view': {
      const parent = { id: String(told.details['databaseId']), type: 'database' }
      return { data: { parent, ...viewData(told) } }
    }
    default: {
      if (told.type === 'page.transcription_block.transcript_deleted') return { data: transcriptData(told) }
      const place = facts.place(entityId)
      const parent = place && parentOf(facts, audience, place)
      const rest = parent && treeData(facts, audience, one, place)
      return rest && { data: { parent, ...rest } }
    }
  }
}

/** Where something lies, as payloads say it. */
function parentOf(facts: FormingFacts, { apiVersion }: Audience, place: BlockPlace): object | undefined {
  const { parentType, parentId: id } = place
  if (isOfSource(place)) {
    const source = facts.place(id)
    if (!source) return undefined
    return { id: source.parentId, type: 'database', ...(apiVersion === OLD_API_VERSION ? {} : { data_source_id: id }) }
  }
  switch (parentType) {
    case 'workspace':
      return { id: facts.workspaceId, type: 'space' }
    case 'page_id':
      return { id, type: 'page' }
    case 'database_id':
      return { id, type: 'database' }
    default:
      return { id, type: 'block' }
  }
}

/** Of pages, databases and data sources: what else is told than where they lie. */
function treeData(facts: FormingFacts, audience: Audience, { entityId, told }: ToldOf, place: BlockPlace): object | undefined {
  const { details } = told
  switch (told.type) {
    case 'page.content_updated':
      return { updated_blocks: details['blocks'] as readonly BlockReference[] }
    case 'database.content_updated':
    case 'data_source.content_updated':
      if (isAmbiguous(facts, one(told, entityId))) return undefined
      return { updated_blocks: (details['rows'] as readonly string[]).map((id) => ({ id, type: 'page' })) }
    case 'page.properties_updated':
      return propertiesData(facts, audience, details['properties'] as readonly string[], place)
    case 'database.schema_updated':
    case 'data_source.schema_updated':
      return isAmbiguous(facts, one(told, entityId)) ? undefined : schemaData(facts, audience, one(told, entityId))
    default:
      return {}
  }
}

function one(told: Told, entityId: string): ToldOf {
  return { told, entityId }
}

/** A database with several data sources does not say what happens to which. */
function isAmbiguous(facts: FormingFacts, { entityId, told }: ToldOf): boolean {
  return kindOfEvent(told.type) === 'database' && liveSources(facts, entityId).length !== 1
}

function liveSources(facts: FormingFacts, databaseId: string): readonly { readonly id: string }[] {
  return facts.sourcesOf(databaseId).filter(({ inTrash }) => !inTrash)
}

function propertiesData(
  facts: FormingFacts,
  { connectionId }: Audience,
  ids: readonly string[],
  place: BlockPlace,
): object | undefined {
  const seen = isOfSource(place) ? new Set(facts.propertiesOf(connectionId, place.parentId).map(({ id }) => id)) : undefined
  const told = seen ? ids.filter((id) => seen.has(id)) : ids
  return told.length === 0 && ids.length > 0 ? undefined : { updated_properties: told.map(encodeURIComponent) }
}

function schemaData(facts: FormingFacts, { connectionId }: Audience, { entityId, told }: ToldOf): object | undefined {
  const changes = changesIn(told).filter(({ targetId }) => facts.seesTarget(connectionId, targetId))
  if (changes.length === 0) return undefined
  const sourceId = kindOfEvent(told.type) === 'database' ? liveSources(facts, entityId)[0]?.id : entityId
  const names = new Map(facts.propertiesOf(connectionId, sourceId ?? '').map(({ id, name }) => [id, name]))
  return {
    updated_properties: changes.map(({ id, action }) => ({ id: encodeURIComponent(id), name: names.get(id) ?? null, action })),
  }
}

function viewData({ type, details }: Told): object {
  if (type === 'view.created') return { view_type: details['viewType'] }
  return type === 'view.updated' ? { updated_fields: details['fields'] } : {}
}

function commentData({ details }: Told): object {
  return { parent: details['parent'], page_id: details['pageId'], discussion_id: details['discussionId'] }
}

function transcriptData({ details }: Told): object {
  return { target: { id: details['blockId'], type: 'block' }, transcript_id: details['transcriptId'] }
}

function uploadData(facts: FormingFacts, { entityId, told }: ToldOf): { readonly data?: object } | undefined {
  const upload = facts.upload(entityId)
  if (!upload) return undefined
  if (told.type !== 'file_upload.upload_failed') return {}
  return upload.import_result === null ? undefined : { data: { file_import_result: JSON.parse(upload.import_result) as object } }
}
