import { findDataSources, type StoredDataSource } from '../../../store/data_sources.ts'
import { findBlocks, type Block } from '../../../store/blocks.ts'
import { visibleAmong } from '../../../store/access.ts'
import { requireVisible } from '../../content/index.ts'
import { notFound, withUniqueNames, type Scope } from '../../shared/index.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { reportDamage } from '../../../store/stored/damage.ts'

/** A data source with its columns, and the block of its database. */
export interface DataSource extends Omit<StoredDataSource, 'properties'> {
  readonly id: string
  readonly database: Block
  /** The columns visible to the caller, with unique names. */
  readonly properties: readonly StoredProperty[]
  /** All columns as stored. Use them for writing back, never for finding a column that a caller names. */
  readonly allProperties: readonly StoredProperty[]
  /** Whether the data source or its database, and therefore its rows, are in the trash. */
  readonly inTrash: boolean
}

/**
 * Loads data sources by id, visible or not, with the columns visible to the caller. A relation is hidden if its target is.
 */
export async function loadDataSources(scope: Scope, ids: readonly string[]): Promise<Map<string, DataSource>> {
  const stored = await findDataSources(scope.db, scope.actor.workspaceId, [...new Set(ids)])
  const databaseIds = new Set([...stored.values()].map(({ block }) => block.parentId))
  const [databases, isSeen] = await Promise.all([
    findBlocks(scope.db, scope.actor.workspaceId, [...databaseIds]),
    columnVisibility(scope, [...stored.values()]),
  ])
  const loaded = new Map<string, DataSource>()
  for (const [id, source] of stored) {
    const database = databases.get(source.block.parentId)
    if (!database) continue
    const allProperties = columnsOf(source)
    const properties = withUniqueNames(allProperties.filter(isSeen))
    loaded.set(id, { ...source, id, database, properties, allProperties, inTrash: source.block.inTrash || database.inTrash })
  }
  return loaded
}

function columnsOf({ properties }: StoredDataSource): readonly StoredProperty[] {
  return properties as readonly StoredProperty[]
}

/** Determines which columns are visible to the caller. */
async function columnVisibility(
  { db, actor }: Scope,
  sources: readonly StoredDataSource[],
): Promise<(property: StoredProperty) => boolean> {
  if (actor.seesWholeWorkspace) return () => true
  const targets = sources.flatMap((source) =>
    columnsOf(source).flatMap((property) => (property.type === 'relation' ? [property.dataSourceId] : [])),
  )
  const visible = await visibleAmong(db, actor, [...new Set(targets)])
  return (property) => property.type !== 'relation' || visible.has(property.dataSourceId)
}

/** A data source that is visible to the caller. @throws ServiceError `object_not_found` for any other record */
export async function requireDataSource(scope: Scope, writtenId: string): Promise<DataSource> {
  const block = await requireVisible(scope, writtenId, 'data source')
  const dataSource = (await loadDataSources(scope, [block.id])).get(block.id)
  if (!dataSource) throw notFound(scope.actor, 'data source', block.id)
  return dataSource
}

/** The data source of a row, which exists unless the database is damaged. @throws ServiceError `object_not_found` */
export async function dataSourceOfRow(scope: Scope, row: Block): Promise<DataSource> {
  const dataSource = (await loadDataSources(scope, [row.parentId])).get(row.parentId)
  if (!dataSource) {
    reportDamage({ place: 'data_sources', id: row.parentId, expected: 'a row with this id' })
    throw notFound(scope.actor, 'data source', row.parentId)
  }
  return dataSource
}

/** Whether a page belongs to a data source, as a row or as a template. */
export function hasColumns(page: Block): boolean {
  return page.parentType === 'data_source_id' || page.parentType === 'template_of'
}
