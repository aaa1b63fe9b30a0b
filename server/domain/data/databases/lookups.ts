import type { DatabaseObject, DataSourceObject } from '../../../../generated/types.ts'
import { idsOf } from '../../../kernel/ids.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { listDataSources } from '../../../store/data_sources.ts'
import { loadDataSources } from '../data_sources/load.ts'
import { presentDataSources } from '../data_sources/present.ts'
import type { Scope } from '../../shared/index.ts'
import { presentDatabases } from './present.ts'

/** The complete data sources of each database that are visible to the caller, in order. */
export async function dataSourcesOf(scope: Scope, databaseIds: readonly string[]): Promise<Map<string, DataSourceObject[]>> {
  const { workspaceId } = scope.actor
  const visible = await visibleAmong(scope.db, scope.actor, databaseIds)
  const blocks = [...(await findBlocks(scope.db, workspaceId, [...visible])).values()]
  const databases = blocks.filter(({ type }) => type === 'child_database')
  const listed = await listDataSources(scope.db, workspaceId, idsOf(databases))
  const loaded = await loadDataSources(scope, idsOf(listed))
  const presented = await presentDataSources(scope, [...loaded.values()])
  const byId = new Map(presented.map((dataSource) => [dataSource.id, dataSource]))
  return new Map(
    databases.map((database) => {
      const own = listed.filter(({ databaseId, inTrash }) => databaseId === database.id && (database.inTrash || !inTrash))
      return [database.id, own.flatMap(({ id }) => byId.get(id) ?? [])]
    }),
  )
}

/** The complete database of each data source that is visible to the caller. */
export async function databasesOf(scope: Scope, dataSourceIds: readonly string[]): Promise<Map<string, DatabaseObject>> {
  const visible = await visibleAmong(scope.db, scope.actor, dataSourceIds)
  const loaded = await loadDataSources(scope, [...visible])
  const blocks = new Map([...loaded.values()].map(({ database }) => [database.id, database]))
  const presented = await presentDatabases(scope, [...blocks.values()])
  const byId = new Map(presented.map((database) => [database.id, database]))
  return new Map(
    [...loaded].flatMap(([id, source]) => {
      const database = byId.get(source.database.id)
      return database ? [[id, database] as const] : []
    }),
  )
}
