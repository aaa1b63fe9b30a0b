import type { DataSourceObject, ReleaseDate } from '../../generated/types.ts'
import { ServiceError, stateError } from '../kernel/errors.ts'
import { without, type JsonObject } from './json.ts'
import type { Lookups } from './release.ts'

/** The release that introduced data sources. */
const MINIMUM_VERSION: ReleaseDate = '2025-09-03'

/**
 * Merges a database with its only data source into the single object of older releases.
 * @param database in the form of release 2025-09-03
 */
export function mergeDatabase(database: JsonObject, dataSource: JsonObject): JsonObject {
  const { title, properties, created_by, last_edited_by } = dataSource
  return {
    ...without(database, 'data_sources', 'is_locked'),
    title,
    properties,
    created_by,
    last_edited_by,
    last_edited_time: later(database['last_edited_time'], dataSource['last_edited_time']),
  }
}

/** The later of two timestamps. In responses they have a fixed format in UTC, so comparing the strings compares the times. */
function later(one: unknown, other: unknown): unknown {
  return String(one) > String(other) ? one : other
}

/**
 * The only data source of a database, for a version without data sources.
 * @returns undefined if the caller cannot see the database; the operation itself then returns the error
 * @throws ServiceError `validation_error` if the database has no data source or several
 */
export async function onlyDataSource(
  lookups: Lookups,
  databaseId: string,
  version: ReleaseDate,
): Promise<DataSourceObject | undefined> {
  const dataSources = (await lookups.dataSourcesOf([databaseId])).get(databaseId)
  if (dataSources === undefined) return undefined
  const [only, another] = dataSources
  if (another !== undefined) throw severalDataSources(databaseId, dataSources, version)
  if (only === undefined) throw stateError(`The database ${databaseId} has no data source that version ${version} supports.`)
  return only
}

function severalDataSources(databaseId: string, dataSources: readonly DataSourceObject[], version: ReleaseDate): ServiceError {
  return new ServiceError('validation_error', {
    message: `This database has several data sources, which version ${version} does not support.`,
    additionalData: {
      error_type: 'multiple_data_sources_for_database',
      database_id: databaseId,
      child_data_source_ids: dataSources.map(({ id }) => id),
      minimum_api_version: MINIMUM_VERSION,
    },
  })
}
