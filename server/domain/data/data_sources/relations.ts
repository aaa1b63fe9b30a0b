import type { RelationConfigRequest, SyncedPropertyRefRequest } from '../../../../generated/types.ts'
import { validationError } from '../../../kernel/errors.ts'
import { oneSpelling } from '../../../kernel/ids.ts'
import { invalid, freeName, type WriteScope } from '../../shared/index.ts'
import { findById, type RelationProperty, type StoredProperty } from '../properties/stored.ts'
import { requireDataSource } from './load.ts'
import type { SchemaSession } from './schema_session.ts'

/**
 * Adds a relation to a schema and, if it is two-way, its opposite to the target.
 * @param path the path of its settings in the request
 * @throws ServiceError `object_not_found` for a target that is not visible to the caller
 */
export async function addRelation(
  session: SchemaSession,
  { id, name, description }: StoredProperty,
  request: RelationConfigRequest,
  path: string,
): Promise<RelationProperty> {
  const target = await session.open(request.data_source_id)
  await requireDatabaseOf(session.scope, target.id, request.database_id, `${path}.database_id`)
  const relation: RelationProperty = { id, name, description, type: 'relation', dataSourceId: target.id }
  session.put(relation)
  return 'dual_property' in request ? pair(session, relation, request.dual_property ?? {}, `${path}.dual_property`) : relation
}

/** Pairs a relation with its opposite, which exists or is created. */
export async function pair(
  session: SchemaSession,
  relation: RelationProperty,
  request: SyncedPropertyRefRequest,
  path: string,
): Promise<RelationProperty> {
  const { draft } = session
  const target = await session.openToChange(relation.dataSourceId)
  const { synced_property_id: writtenId, synced_property_name: writtenName } = withoutBlanks(request)
  const existing = writtenId === undefined ? undefined : findById(target.properties, writtenId)
  if (writtenId !== undefined && !canBeOpposite(existing, draft.id, relation)) {
    throw invalid(`${path}.synced_property_id`, 'should be the id of a one-way relation of the target that leads here')
  }
  const names = new Set(target.properties.map((property) => property.name))
  const name = writtenName ?? existing?.name ?? freeName(names, `Related to ${draft.title || 'New database'} (${relation.name})`)
  const taken = target.properties.some((property) => property.name === name && property.id !== existing?.id)
  if (taken) throw invalid(`${path}.synced_property_name`, 'should be a name that no other property of the target has')
  const id = existing?.id ?? session.newId(target)
  const paired: RelationProperty = { ...relation, syncedId: id }
  session.put(paired)
  const description = existing?.description ?? null
  session.put({ id, name, description, type: 'relation', dataSourceId: draft.id, syncedId: relation.id }, target)
  return paired
}

/** The members of a reference to the opposite column. Null and empty texts count as omitted. */
export function withoutBlanks({ synced_property_id: id, synced_property_name: name }: SyncedPropertyRefRequest): {
  readonly synced_property_id?: string
  readonly synced_property_name?: string
} {
  return { ...(id ? { synced_property_id: id } : {}), ...(name ? { synced_property_name: name } : {}) }
}

/** If a request names the target's database too, checks that they belong together. @throws ServiceError `validation_error` */
export async function requireDatabaseOf(scope: WriteScope, targetId: string, written: unknown, path: string): Promise<void> {
  if (written === undefined || written === null || written === '') return
  const { database } = await requireDataSource(scope, targetId)
  if (oneSpelling(String(written)) !== database.id) throw validationError(path, `\`"${database.id}"\``, written)
}

function canBeOpposite(property: StoredProperty | undefined, sourceId: string, relation: RelationProperty): boolean {
  return (
    property?.type === 'relation' &&
    property.dataSourceId === sourceId &&
    property.syncedId === undefined &&
    property.id !== relation.id
  )
}

/** Dissolves a two-way relation. The opposite stays as a one-way relation. */
export async function unpair(session: SchemaSession, relation: RelationProperty): Promise<void> {
  if (relation.syncedId === undefined) return
  const target = await session.open(relation.dataSourceId)
  const opposite = findById(target.properties, relation.syncedId)
  if (opposite?.type !== 'relation') return
  const { syncedId: _gone, ...single } = opposite
  session.put(single, target)
}
