import { isSameJson } from '../../../kernel/canonical_json.ts'
import { generateKeyBetween } from 'fractional-indexing'
import type { DataSourceObject, DataSourceUpdateRequest, PartialDataSource } from '../../../../generated/types.ts'
import { touch, updateContent } from '../../../store/blocks.ts'
import { updateDataSourceTexts } from '../../../store/data_sources.ts'
import { findDatabases, updateDatabaseDetails } from '../../../store/databases.ts'
import { isAtOrBelow, movePageBlock } from '../../../store/page_places.ts'
import { lastRank } from '../../../store/sibling_ranks.ts'
import {
  requireEditable,
  requireMayEdit,
  requireVisible,
  moveToTrash,
  storeIcon,
  ReferenceList,
  requireReferences,
  storeRichText,
  type StoredRichText,
} from '../../content/index.ts'
import { newDraft } from '../databases/create.ts'
import { recordEvent, moving } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { addTableView } from '../views/create.ts'
import { changeSchema } from './change_schema.ts'
import { requireRoomForSource, stopSharingDetails } from './create.ts'
import { retrieveDataSource } from './present.ts'
import { requireDataSource, type DataSource } from './load.ts'
import { draftOf, SchemaSession } from './schema_session.ts'

/** Applies a request: restore, title, description and icon, columns, parent, trash. Makes all changes or none. */
export async function updateDataSource(
  scope: WriteScope,
  id: string,
  request: DataSourceUpdateRequest,
): Promise<DataSourceObject | PartialDataSource> {
  const dataSource = await requireDataSource(scope, id)
  const references = new ReferenceList()
  const words = {
    title: request.title && storeRichText(request.title, 'body.title', references),
    description: request.description && storeRichText(request.description, 'body.description', references),
    icon: request.icon && storeIcon(request.icon, 'body.icon', references, scope),
  }
  await requireReferences(scope, references)
  await requireMayEdit(scope, dataSource.block, 'data source')
  await requireEditable(scope, dataSource.block, 'data source', request)
  const { in_trash: inTrash } = request
  if (inTrash === false && dataSource.block.inTrash) await moveToTrash(scope, dataSource.block, false)
  if (request.properties) await changeColumns(scope, dataSource, request.properties)
  const icon = request.icon === undefined ? undefined : (words.icon ?? null)
  await writeDetails(scope, await requireDataSource(scope, id), { ...words, icon })
  if (request.parent) await moveSource(scope, dataSource, request.parent.database_id)
  if (inTrash === true && !dataSource.block.inTrash) await moveToTrash(scope, dataSource.block, true)
  return retrieveDataSource(scope, id)
}

async function changeColumns(
  scope: WriteScope,
  dataSource: DataSource,
  properties: NonNullable<DataSourceUpdateRequest['properties']>,
): Promise<void> {
  const { title } = await newDraft(scope, dataSource.id, dataSource.block.content['title'] as StoredRichText)
  const session = new SchemaSession(scope, draftOf(dataSource, title))
  const { draft } = session
  const before = JSON.stringify(draft.properties)
  await changeSchema(session, properties)
  draft.isChanged = JSON.stringify(draft.properties) !== before
  await session.save()
}

/** Undefined members stay. */
interface WrittenDetails {
  readonly title: StoredRichText | undefined
  readonly description: StoredRichText | undefined
  readonly icon: unknown
}

async function writeDetails(
  scope: WriteScope,
  dataSource: DataSource,
  { title, description, icon }: WrittenDetails,
): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId } = actor
  const { id, block, database } = dataSource
  const around = (await findDatabases(db, workspaceId, [database.id])).get(database.id)
  const shared = around?.sharesWords ?? false
  const differs = (value: unknown, before: unknown): boolean => value !== undefined && !isSameJson(value, before)
  const newTitle = differs(title, block.content['title'])
  const newIcon = differs(icon, dataSource.icon) && (dataSource.icon !== null || differs(icon, around?.icon ?? null))
  const newDetails = differs(description, dataSource.description) || newIcon
  if (newTitle) await updateContent(db, workspaceId, id, { ...block.content, title })
  if (newDetails) {
    const details = { description: description ?? dataSource.description, icon: newIcon ? icon : dataSource.icon }
    await updateDataSourceTexts(db, workspaceId, id, details)
  }
  if (newTitle && shared) await updateContent(db, workspaceId, database.id, { ...database.content, title })
  if (description !== undefined && shared && around)
    await updateDatabaseDetails(db, workspaceId, database.id, { ...around, description })
  if (newTitle || newDetails) await touch(db, workspaceId, shared ? [id, database.id] : [id], actor.userId, now)
}

/** Moves a data source, with its rows, to the end of another database. */
async function moveSource(scope: WriteScope, dataSource: DataSource, writtenId: string): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId } = actor
  const target = await requireVisible(scope, writtenId, 'database')
  if (target.id === dataSource.database.id) return
  if (await isAtOrBelow(db, workspaceId, target.id, dataSource.id))
    throw invalid('body.parent.database_id', 'should be the id of a database outside the data source that is moved')
  await requireRoomForSource(scope, target)
  const rank = generateKeyBetween(await lastRank(db, workspaceId, target.id), null)
  const place = { parentType: 'database_id', parentId: target.id, pageId: null } as const
  await movePageBlock(db, workspaceId, dataSource.id, { ...place, rank })
  for (const id of [dataSource.database.id, target.id]) await stopSharingDetails(scope, id)
  await recordEvent(scope, moving(dataSource.block, place))
  await addTableView(scope, target.id, dataSource.id)
  await touch(db, workspaceId, [dataSource.id, dataSource.database.id, target.id], actor.userId, now)
}
