import { generateNKeysBetween } from 'fractional-indexing'
import type { DatabaseCreateRequest, DatabaseObject, PartialDatabase } from '../../../generated/types.ts'
import { newId } from '../../kernel/ids.ts'
import { insertBlocks, touch, type Block } from '../../store/blocks.ts'
import { insertDataSource } from '../../store/data_sources.ts'
import { insertDatabase } from '../../store/databases.ts'
import { lastRank } from '../../store/sibling_ranks.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed } from '../blocks/access.ts'
import { placeBelow } from '../blocks/blocks.ts'
import type { Place } from '../blocks/plan.ts'
import { draftNewSchema } from '../data_sources/new_schema.ts'
import { SchemaSession, type SchemaDraft } from '../data_sources/schema_session.ts'
import { recordEvent } from '../events/record.ts'
import { creation } from '../events/tree_changes.ts'
import { invalid } from '../failures.ts'
import { storeCover, storeIcon } from '../icons/icons.ts'
import { requirePage } from '../pages/access.ts'
import { topOfWorkspace } from '../pages/parents.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { plainText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/write.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { keepPrivate } from '../sharing.ts'
import { addTableView } from '../views/create.ts'
import { requireDatabase } from './load.ts'
import { presentDatabase } from './present.ts'

/** Makes a database, its first data source and a table view: all of it or nothing. */
export async function createDatabase(
  scope: WriteScope,
  request: DatabaseCreateRequest,
): Promise<DatabaseObject | PartialDatabase> {
  const { db, actor, now } = scope
  const references = new ReferenceList()
  const title = storeRichText(request.title ?? [], 'body.title', references)
  const description = storeRichText(request.description ?? [], 'body.description', references)
  const icon = request.icon ? storeIcon(request.icon, 'body.icon', references, scope.baseUrl) : null
  const cover = request.cover ? storeCover(request.cover, 'body.cover', references) : null
  const parent = await requireParent(scope, request.parent)
  await requireReferences(scope, references)
  if (parent) await requireRoom(scope, parent)
  const [id, sourceId] = [newId(), newId()]
  const session = new SchemaSession(scope)
  const draft = await newDraft(scope, sourceId, title)
  session.begin(draft)
  const { properties = { Name: { title: {} } } } = request.initial_data_source ?? {}
  await draftNewSchema(session, draft, properties, 'body.initial_data_source.properties')

  const place = parent ? await placeBelow(scope, parent, undefined) : await topOfWorkspace(scope)
  await insertBlocks(db, actor.workspaceId, [{ ...placed(scope, id, place), type: 'child_database', content: { title } }])
  const { is_inline: isInline = false } = request
  await insertDatabase(db, actor.workspaceId, id, { description, icon, cover, isInline, isLocked: false, sharesWords: true })
  await insertSource(scope, id, draft, { title, description, icon })
  await session.save()
  if (!parent) await keepPrivate(scope, id)
  await recordEvent(scope, creation({ ...place, id, type: 'child_database' }))
  await addTableView(scope, id, sourceId)
  if (parent) await touch(db, actor.workspaceId, [parent.id], actor.userId, now)
  return presentDatabase(scope, await requireDatabase(scope, id))
}

/** @returns the page the database goes on, or undefined for the top of the workspace */
export async function requireParent(scope: Scope, parent: DatabaseCreateRequest['parent']): Promise<Block | undefined> {
  if ('page_id' in parent) return requirePage(scope, parent.page_id, 'body.parent.page_id')
  if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {
    throw invalid('body.parent', 'should name a page: an internal connection cannot create databases at the top of the workspace')
  }
  return undefined
}

export async function requireRoom(scope: WriteScope, parent: Block): Promise<void> {
  await requireMayEdit(scope, parent, 'page')
  requireNotTrashed(parent, 'body.parent')
  await requireLiveAncestors(scope, parent, 'body.parent')
}

/** What the block of a database or data source has wherever it goes. */
function placed(
  scope: WriteScope,
  id: string,
  place: Place,
): Pick<Block, 'id' | 'parentType' | 'parentId' | 'pageId' | 'rank' | 'createdTime' | 'createdBy'> {
  const { parentType, parentId, pageId } = place
  const [rank = ''] = generateNKeysBetween(place.behind, place.before, 1)
  return { id, parentType, parentId, pageId, rank, createdTime: scope.now, createdBy: scope.actor.userId }
}

/** An empty schema for a data source that is being made. */
export async function newDraft(scope: Scope, id: string, title: StoredRichText): Promise<SchemaDraft> {
  const plain = plainText(title, await gatherFacts(scope, [title]))
  return { id, title: plain, properties: [], retired: [], isChanged: false, stored: undefined }
}

/** Writes a new data source, last in its database. */
export async function insertSource(
  scope: WriteScope,
  databaseId: string,
  { id, properties, retired }: SchemaDraft,
  words: { readonly title: StoredRichText; readonly description: StoredRichText; readonly icon: unknown },
): Promise<void> {
  const { db, actor } = scope
  const behind = await lastRank(db, actor.workspaceId, databaseId)
  const place: Place = { parentType: 'database_id', parentId: databaseId, pageId: null, behind, before: null }
  const { title, description, icon } = words
  await insertBlocks(db, actor.workspaceId, [{ ...placed(scope, id, place), type: 'data_source', content: { title } }])
  await insertDataSource(db, actor.workspaceId, id, { description, icon, properties, retired })
}
