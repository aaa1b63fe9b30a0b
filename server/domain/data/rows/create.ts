import { operations } from '../../../../generated/operations.ts'
import type { PagePropertiesRequest } from '../../../../generated/types.ts'
import { ServiceError, stateError } from '../../../kernel/errors.ts'
import { type Block } from '../../../store/blocks.ts'
import { addToRowCount, countRows, listDataSources } from '../../../store/data_sources.ts'
import { requireVisible, type ReferenceList } from '../../content/index.ts'
import { requireDataSource, type DataSource } from '../data_sources/load.ts'
import { ValueNotes } from '../properties/value_notes.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
import { visibleAmong } from '../../../store/access.ts'
import { requireTargets } from './require_targets.ts'
import { insertRowValues, keepNewOptions, newRowValues, parseWritten, type WrittenValues } from './write.ts'

export const ROWS_MAX = 250_000

/**
 * The data source of a new row, which the request names by its own id or, if it is the only one of its database, by the database's.
 * @throws ServiceError `object_not_found`; `validation_error` for a database with several data sources, or with none
 */
export async function requireRowParent(
  scope: Scope,
  parent: { readonly database_id: string } | { readonly data_source_id: string },
): Promise<DataSource> {
  if ('data_source_id' in parent) return requireDataSource(scope, parent.data_source_id)
  const database = await requireVisible(scope, parent.database_id, 'database')
  return requireDataSource(scope, await onlySourceOf(scope, database))
}

/**
 * The id of the only data source of a database that is visible to the caller.
 * @throws ServiceError `validation_error` if several are visible, which the error names, or none
 */
export async function onlySourceOf(scope: Scope, database: Pick<Block, 'id' | 'inTrash'>): Promise<string> {
  const listed = await listDataSources(scope.db, scope.actor.workspaceId, [database.id])
  const ids = listed.filter(({ inTrash }) => database.inTrash || !inTrash).map(({ id }) => id)
  const visible = await visibleAmong(scope.db, scope.actor, ids)
  const seen = ids.filter((id) => visible.has(id))
  const [only, another] = seen
  if (only === undefined) throw stateError(`The database ${database.id} has no data source.`)
  if (another === undefined) return only
  throw new ServiceError('validation_error', {
    message: 'This database has several data sources. Send the id of one of them instead.',
    additionalData: {
      error_type: 'multiple_data_sources_for_database',
      database_id: database.id,
      child_data_source_ids: seen,
      minimum_api_version: operations.retrieveDataSource.available.from,
    },
  })
}

/** Parses the values of a new row, and makes all checks that depend only on the request and the schema. */
export function parseNewRow(
  scope: Scope,
  dataSource: DataSource,
  properties: PagePropertiesRequest | undefined,
  references: ReferenceList,
): WrittenValues {
  return parseWritten(dataSource, properties, new ValueNotes(references, scope.actor.userId))
}

/**
 * Checks everything about a new row that depends on stored data. @throws ServiceError `object_not_found`, `validation_error`, or
 * `row_limit_exceeded` when the data source is full
 */
export async function requireRoomForRow(scope: WriteScope, dataSource: DataSource, written: WrittenValues): Promise<void> {
  await requireTargets(scope, written.notes)
  await requireBelowRowLimit(scope, dataSource)
}

/** @throws ServiceError `row_limit_exceeded` when the data source is full */
export async function requireBelowRowLimit(scope: WriteScope, dataSource: DataSource): Promise<void> {
  if ((await countRows(scope.db, scope.actor.workspaceId, dataSource.id)) < ROWS_MAX) return
  throw new ServiceError('row_limit_exceeded', {
    message: `The data source ${dataSource.id} has the maximum of ${ROWS_MAX} rows.`,
  })
}

/** Stores the values of a row whose page has just been created. */
export async function insertRow(scope: WriteScope, dataSource: DataSource, block: Block, written: WrittenValues): Promise<void> {
  await keepNewOptions(scope, dataSource, written.notes)
  await insertRowValues(scope, dataSource, block, await newRowValues(scope, dataSource, written))
  await addToRowCount(scope.db, scope.actor.workspaceId, dataSource.id, 1)
}
