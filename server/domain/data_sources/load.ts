import { findDataSources, type StoredDataSource } from '../../store/data_sources.ts'
import { findBlocks, type Block } from '../../store/blocks.ts'
import { visibleAmong } from '../../store/access.ts'
import { requireVisible } from '../blocks/access.ts'
import { notFound } from '../failures.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { Scope } from '../scope.ts'

/** A data source with its columns, and the block of its database. */
export interface DataSource extends Omit<StoredDataSource, 'properties'> {
  readonly id: string
  readonly database: Block
  readonly properties: readonly StoredProperty[]
  /** Itself or its database is in the trash; so are its rows then. */
  readonly inTrash: boolean
}

/** Data sources by id, whoever may see them. */
export async function loadDataSources(scope: Scope, ids: readonly string[]): Promise<Map<string, DataSource>> {
  const stored = await findDataSources(scope.db, scope.actor.workspaceId, [...new Set(ids)])
  const databases = await findBlocks(scope.db, scope.actor.workspaceId, [
    ...new Set([...stored.values()].map(({ block }) => block.parentId)),
  ])
  const loaded = new Map<string, DataSource>()
  for (const [id, source] of stored) {
    const database = databases.get(source.block.parentId)
    if (!database) continue
    const properties = source.properties as readonly StoredProperty[]
    loaded.set(id, { ...source, id, database, properties, inTrash: source.block.inTrash || database.inTrash })
  }
  return loaded
}

/** @throws ServiceError `object_not_found` for anything but a data source that the caller sees */
export async function requireDataSource(scope: Scope, writtenId: string): Promise<DataSource> {
  const block = await requireVisible(scope, writtenId, 'data source')
  const dataSource = (await loadDataSources(scope, [block.id])).get(block.id)
  if (!dataSource) throw notFound(scope.actor, 'data source', block.id)
  return dataSource
}

/** A data source that exists for certain: that of a row. */
export async function dataSourceOfRow(scope: Scope, row: Block): Promise<DataSource> {
  const dataSource = (await loadDataSources(scope, [row.parentId])).get(row.parentId)
  if (!dataSource) throw new Error(`row ${row.id} has no data source`)
  return dataSource
}

/** Whether a page belongs to a data source, as a row or as a template. */
export function hasColumns(page: Block): boolean {
  return page.parentType === 'data_source_id' || page.parentType === 'template_of'
}

/** Relations among the columns whose targets the caller does not see: neither schema nor rows show them. */
export async function hiddenRelations(scope: Scope, properties: readonly StoredProperty[]): Promise<Set<string>> {
  const relations = properties.filter((property) => property.type === 'relation')
  if (relations.length === 0) return new Set()
  const visible = await visibleAmong(scope.db, scope.actor, [...new Set(relations.map(({ dataSourceId }) => dataSourceId))])
  return new Set(relations.filter(({ dataSourceId }) => !visible.has(dataSourceId)).map(({ id }) => id))
}
