import type { DataSourceObject, PartialDataSource } from '../../../generated/types.ts'
import type { Scope } from '../scope.ts'
import { requireDataSource } from './load.ts'
import { presentDataSource } from './present.ts'

/** A data source, whether or not it is in the trash. */
export async function retrieveDataSource(scope: Scope, id: string): Promise<DataSourceObject | PartialDataSource> {
  return presentDataSource(scope, await requireDataSource(scope, id))
}
