import type { DatabaseCreateRequest, DatabaseObject, PartialDatabase } from '../../../../generated/types.ts'
import { newRecordId } from '../../../kernel/ids.ts'
import { insertBlocks, touch } from '../../../store/blocks.ts'
import { insertDataSource } from '../../../store/data_sources.ts'
import { insertDatabase } from '../../../store/databases.ts'
import {
  requireOpen,
  newRow,
  placeAtEnd,
  storeCover,
  storeIcon,
  ReferenceList,
  requireReferences,
  gatherFacts,
  plainText,
  storeRichText,
  type StoredRichText,
} from '../../content/index.ts'
import { draftNewSchema } from '../data_sources/new_schema.ts'
import { SchemaSession, type SchemaDraft } from '../data_sources/schema_session.ts'
import { recordEvent, creation } from '../../events/index.ts'
import { placeOf, requireParent } from '../pages/parents.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
import { keepPrivate } from '../../people/index.ts'
import { addTableView } from '../views/create.ts'
import { retrieveDatabase } from './present.ts'

/** Creates a database with its first data source and a table view. Creates all of them or none. */
export async function createDatabase(
  scope: WriteScope,
  request: DatabaseCreateRequest,
): Promise<DatabaseObject | PartialDatabase> {
  const { db, actor, now } = scope
  const references = new ReferenceList()
  const title = storeRichText(request.title ?? [], 'body.title', references)
  const description = storeRichText(request.description ?? [], 'body.description', references)
  const icon = request.icon ? storeIcon(request.icon, 'body.icon', references, scope) : null
  const cover = request.cover ? storeCover(request.cover, 'body.cover', references) : null
  const { block: parent } = await requireParent(scope, request.parent, 'databases')
  await requireReferences(scope, references)
  if (parent) await requireOpen(scope, parent, 'page', 'body.parent')
  const [id, sourceId] = [newRecordId('database'), newRecordId('data_source')]
  const session = new SchemaSession(scope, await newDraft(scope, sourceId, title))
  const path = request.properties ? 'body.properties' : 'body.initial_data_source.properties'
  await draftNewSchema(session, request.properties ?? request.initial_data_source?.properties ?? { Name: { title: {} } }, path)

  const place = await placeOf(scope, parent ? { block: parent } : {})
  await insertBlocks(db, actor.workspaceId, [newRow(scope, place, { id, type: 'child_database', content: { title } })])
  const { is_inline: isInline = false } = request
  await insertDatabase(db, actor.workspaceId, id, { description, icon, cover, isInline, isLocked: false, sharesWords: true })
  await insertSource(scope, id, session.draft, { title, description, icon: null })
  await session.save()
  if (!parent) await keepPrivate(scope, id)
  await recordEvent(scope, creation({ ...place, id, type: 'child_database' }))
  await addTableView(scope, id, sourceId)
  if (parent) await touch(db, actor.workspaceId, [parent.id], actor.userId, now)
  return retrieveDatabase(scope, id)
}

export async function newDraft(scope: Scope, id: string, title: StoredRichText): Promise<SchemaDraft> {
  const plain = plainText(title, await gatherFacts(scope, [title]))
  return { id, title: plain, properties: [], retired: [], isChanged: false, stored: undefined }
}

/** Stores a new data source as the last one of its database. */
export async function insertSource(
  scope: WriteScope,
  databaseId: string,
  { id, properties, retired }: SchemaDraft,
  words: { readonly title: StoredRichText; readonly description: StoredRichText; readonly icon: unknown },
): Promise<void> {
  const { db, actor } = scope
  const place = await placeAtEnd(scope, { parentType: 'database_id', parentId: databaseId, pageId: null })
  const { title, description, icon } = words
  await insertBlocks(db, actor.workspaceId, [newRow(scope, place, { id, type: 'data_source', content: { title } })])
  await insertDataSource(db, actor.workspaceId, id, { description, icon, properties, retired })
}
