import type { DataSourceObject, PartialDataSource } from '../../../../generated/types.ts'
import { undashed } from '../../../kernel/ids.ts'
import { findDatabases } from '../../../store/databases.ts'
import {
  presentEdits,
  presentParent,
  presentCover,
  presentIcon,
  gatherFacts,
  presentRichText,
  type StoredCover,
  type StoredIcon,
  type StoredRichText,
} from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import { requireDataSource, type DataSource } from './load.ts'
import { presentSchemas } from './present_schema.ts'

/**
 * A data source as it is visible to the caller, whether or not it is in the trash: complete with the read-content capability,
 * otherwise only its columns.
 */
export async function retrieveDataSource(scope: Scope, id: string): Promise<DataSourceObject | PartialDataSource> {
  const [full] = await presentDataSources(scope, [await requireDataSource(scope, id)])
  if (!full) throw new Error('no data source was read')
  return scope.actor.capabilities.has('read_content') ? full : { object: 'data_source', id: full.id, properties: full.properties }
}

/** Complete data sources in the given order. */
export async function presentDataSources(scope: Scope, dataSources: readonly DataSource[]): Promise<DataSourceObject[]> {
  const databaseIds = dataSources.map(({ database }) => database.id)
  const details = await findDatabases(scope.db, scope.actor.workspaceId, databaseIds)
  const schemas = await presentSchemas(scope, dataSources)
  const around = [...details.values()].map(({ cover, icon }) => [cover, icon])
  const own = dataSources.map(({ block, description, icon }) => [block.content['title'], description, icon])
  const facts = await gatherFacts(scope, [own, around])
  return dataSources.map(({ id, block, database, description, icon, inTrash }) => {
    const inDatabase = details.get(database.id)
    return {
      object: 'data_source',
      id,
      title: presentRichText(block.content['title'] as StoredRichText, facts),
      description: presentRichText(description as StoredRichText, facts),
      parent: { type: 'database_id', database_id: database.id },
      database_parent: presentParent(database),
      is_inline: inDatabase?.isInline ?? false,
      in_trash: inTrash,
      ...presentEdits(block),
      properties: schemas.get(id) ?? {},
      icon: presentIcon((icon ?? inDatabase?.icon ?? null) as StoredIcon | null, facts),
      cover: presentCover((inDatabase?.cover ?? null) as StoredCover | null, facts),
      url: `${scope.baseUrl}/${undashed(database.id)}`,
      public_url: null,
    } as DataSourceObject
  })
}
