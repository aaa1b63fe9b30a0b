import { isSameJson } from '../../../kernel/canonical_json.ts'
import { generateKeyBetween } from 'fractional-indexing'
import type { DatabaseObject, DatabaseUpdateRequest, PartialDatabase } from '../../../../generated/types.ts'
import { canonicalId, idsOf } from '../../../kernel/ids.ts'
import { touch, updateContent, type Block } from '../../../store/blocks.ts'
import { listDataSources, updateDataSourceTexts } from '../../../store/data_sources.ts'
import { findDatabases, updateDatabaseDetails, type DatabaseDetails } from '../../../store/databases.ts'
import { isAtOrBelow, movePageBlock } from '../../../store/page_places.ts'
import {
  requireEditable,
  requireMayEdit,
  requireOpen,
  requireVisible,
  moveToTrash,
  storeCover,
  storeIcon,
  ReferenceList,
  requireReferences,
  storeRichText,
  type StoredRichText,
} from '../../content/index.ts'
import { loadDataSources } from '../data_sources/load.ts'
import { recordEvent, moving } from '../../events/index.ts'
import { invalid, notFound, type WriteScope } from '../../shared/index.ts'
import { placeOf, requireParent, type PageParent } from '../pages/parents.ts'
import { keepPrivate } from '../../people/index.ts'
import { retrieveDatabase } from './present.ts'

/** Applies a request: restore, title, description and appearance, parent, trash. Makes all changes or none. */
export async function updateDatabase(
  scope: WriteScope,
  id: string,
  request: DatabaseUpdateRequest,
): Promise<DatabaseObject | PartialDatabase> {
  const block = await requireVisible(scope, id, 'database')
  const references = new ReferenceList()
  const title = request.title && storeRichText(request.title, 'body.title', references)
  const details = await requireDetails(scope, block)
  const next = detailsAfter(scope, request, references, details)
  const parent = await newParent(scope, block, request.parent)
  await requireReferences(scope, references)
  await requireMayEdit(scope, block, 'database')
  await requireEditable(scope, block, 'database', request)
  if (parent?.block) await requireOpen(scope, parent.block, 'page', 'body.parent')
  const { in_trash: inTrash } = request
  if (inTrash === false && block.inTrash) await moveToTrash(scope, block, false)
  const changed = await writeDetails(scope, block, { title, before: details, next })
  const moved = parent !== undefined && (await moveDatabase(scope, block, parent.block))
  if (changed || moved) await touch(scope.db, scope.actor.workspaceId, [block.id], scope.actor.userId, scope.now)
  if (inTrash === true && !block.inTrash) await moveToTrash(scope, await requireVisible(scope, id, 'database'), true)
  return retrieveDatabase(scope, id)
}

/** @returns undefined if the database stays where it is */
async function newParent(
  scope: WriteScope,
  block: Block,
  written: DatabaseUpdateRequest['parent'],
): Promise<PageParent | undefined> {
  if (written === undefined) return undefined
  if (!('block_id' in written)) return requireParent(scope, written, 'databases')
  if (block.parentType !== 'block_id' || canonicalId(written.block_id) !== block.parentId)
    throw invalid(
      'body.parent.block_id',
      'should be the id of the block that the database is in: a database cannot be moved into a block',
    )
  return undefined
}

async function requireDetails(scope: WriteScope, block: Block): Promise<DatabaseDetails> {
  const details = (await findDatabases(scope.db, scope.actor.workspaceId, [block.id])).get(block.id)
  if (!details) throw notFound(scope.actor, 'database', block.id)
  return details
}

function detailsAfter(
  scope: WriteScope,
  request: DatabaseUpdateRequest,
  references: ReferenceList,
  details: DatabaseDetails,
): DatabaseDetails {
  const { icon, cover, description } = request
  return {
    ...details,
    description: description ? storeRichText(description, 'body.description', references) : details.description,
    icon: icon === undefined ? details.icon : icon && storeIcon(icon, 'body.icon', references, scope),
    cover: cover === undefined ? details.cover : cover && storeCover(cover, 'body.cover', references),
    isInline: request.is_inline ?? details.isInline,
    isLocked: request.is_locked ?? details.isLocked,
  }
}

interface Change {
  readonly title: StoredRichText | undefined
  readonly before: DatabaseDetails
  readonly next: DatabaseDetails
}

/** @returns whether any value has changed */
async function writeDetails(scope: WriteScope, block: Block, { title, before, next }: Change): Promise<boolean> {
  const { db, actor } = scope
  const newTitle = title !== undefined && !isSameJson(title, block.content['title'])
  const newDetails = !isSameJson(before, next)
  if (newTitle) await updateContent(db, actor.workspaceId, block.id, { ...block.content, title })
  if (newDetails) await updateDatabaseDetails(db, actor.workspaceId, block.id, next)
  const newDescription = !isSameJson(before.description, next.description)
  if (next.sharesWords && (newTitle || newDescription)) {
    await copyDetailsToSource(scope, block.id, newTitle ? title : undefined, newDescription ? next.description : undefined)
  }
  if (!isSameJson(before.icon, next.icon)) await showIconInSources(scope, block, before.icon)
  return newTitle || newDetails
}

/**
 * Removes icons that earlier releases copied to data sources when they were created. Without an icon of its own, a data source shows its
 * database's.
 */
async function showIconInSources(scope: WriteScope, { id }: Block, copied: unknown): Promise<void> {
  if (copied === null) return
  for (const source of (await sourcesOf(scope, id)).values())
    if (isSameJson(source.icon, copied))
      await updateDataSourceTexts(scope.db, scope.actor.workspaceId, source.id, { description: source.description, icon: null })
}

async function sourcesOf(scope: WriteScope, id: string): ReturnType<typeof loadDataSources> {
  return loadDataSources(scope, idsOf(await listDataSources(scope.db, scope.actor.workspaceId, [id])))
}

/** Copies the title and description of a database to its only data source. */
async function copyDetailsToSource(
  scope: WriteScope,
  id: string,
  title: StoredRichText | undefined,
  description: unknown,
): Promise<void> {
  const { db, actor, now } = scope
  for (const source of (await sourcesOf(scope, id)).values()) {
    const { block, icon } = source
    if (title) await updateContent(db, actor.workspaceId, source.id, { ...block.content, title })
    if (description !== undefined) await updateDataSourceTexts(db, actor.workspaceId, source.id, { description, icon })
    await touch(db, actor.workspaceId, [source.id], actor.userId, now)
  }
}

/** Moves a database. @param parent undefined for the top of the workspace @returns whether the place has changed */
async function moveDatabase(scope: WriteScope, block: Block, parent: Block | undefined): Promise<boolean> {
  const { db, actor, now } = scope
  const { workspaceId } = actor
  if (block.parentId === (parent?.id ?? workspaceId)) return false
  if (parent && (await isAtOrBelow(db, workspaceId, parent.id, block.id)))
    throw invalid('body.parent.page_id', 'should be the id of a page outside the database that is moved')
  const place = await placeOf(scope, parent ? { block: parent } : {})
  const { parentType, parentId, pageId, after, before } = place
  await movePageBlock(db, workspaceId, block.id, { parentType, parentId, pageId, rank: generateKeyBetween(after, before) })
  if (!parent) await keepPrivate(scope, block.id)
  const around = [block.pageId, parent?.id].filter((id) => id !== null && id !== undefined)
  await touch(db, workspaceId, around, actor.userId, now)
  await recordEvent(scope, moving(block, place))
  return true
}
