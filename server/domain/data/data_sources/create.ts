import type { DataSourceCreateRequest, DataSourceObject, PartialDataSource } from '../../../../generated/types.ts'
import { newRecordId } from '../../../kernel/ids.ts'
import { touch, type Block } from '../../../store/blocks.ts'
import { listDataSources } from '../../../store/data_sources.ts'
import { findDatabases, updateDatabaseDetails } from '../../../store/databases.ts'
import { requireVisible, storeIcon, ReferenceList, requireReferences, storeRichText } from '../../content/index.ts'
import { insertSource, newDraft } from '../databases/create.ts'
import { recordEvent } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { requireOpenDatabase } from '../views/access.ts'
import { addTableView } from '../views/create.ts'
import { retrieveDataSource } from './present.ts'
import { draftNewSchema } from './new_schema.ts'
import { SchemaSession } from './schema_session.ts'

const DATA_SOURCES_MAX = 100

/** Adds a data source as the last one of a database, with a table view. */
export async function createDataSource(
  scope: WriteScope,
  request: DataSourceCreateRequest,
): Promise<DataSourceObject | PartialDataSource> {
  const { db, actor } = scope
  const references = new ReferenceList()
  const title = storeRichText(request.title ?? [], 'body.title', references)
  const description = storeRichText(request.description ?? [], 'body.description', references)
  const icon = request.icon ? storeIcon(request.icon, 'body.icon', references, scope) : null
  const database = await requireVisible(scope, request.parent.database_id, 'database')
  await requireReferences(scope, references)
  await requireRoomForSource(scope, database)
  const session = new SchemaSession(scope, await newDraft(scope, newRecordId('data_source'), title))
  const { draft } = session
  await draftNewSchema(session, request.properties, 'body.properties')
  await insertSource(scope, database.id, draft, { title, description, icon })
  await session.save()
  await stopSharingDetails(scope, database.id)
  await recordEvent(scope, { type: 'data_source.created', id: draft.id })
  await addTableView(scope, database.id, draft.id)
  await touch(db, actor.workspaceId, [database.id], actor.userId, scope.now)
  return retrieveDataSource(scope, draft.id)
}

/** Checks that a data source can be added to a database. */
export async function requireRoomForSource(scope: WriteScope, database: Block): Promise<void> {
  await requireOpenDatabase(scope, database, 'body.parent')
  const sources = await listDataSources(scope.db, scope.actor.workspaceId, [database.id])
  if (sources.length >= DATA_SOURCES_MAX) {
    throw invalid('body.parent.database_id', `should be a database with fewer than ${DATA_SOURCES_MAX} data sources`)
  }
}

/**
 * A database shares its title, description and icon with its only data source. Once it has had a second one, they stay separate.
 */
export async function stopSharingDetails(scope: WriteScope, databaseId: string): Promise<void> {
  const { workspaceId } = scope.actor
  const details = (await findDatabases(scope.db, workspaceId, [databaseId])).get(databaseId)
  if (!details?.sharesWords) return
  await updateDatabaseDetails(scope.db, workspaceId, databaseId, { ...details, sharesWords: false })
}
