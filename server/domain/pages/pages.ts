import { generateNKeysBetween } from 'fractional-indexing'
import type { CreatePageRequest, PageObject, PartialPage, UpdatePageRequest } from '../../../generated/types.ts'
import { newId } from '../../kernel/ids.ts'
import { ServiceError, stateError } from '../../kernel/errors.ts'
import { insertBlocks, lastRank, touch, updateContent, type Block } from '../../store/blocks.ts'
import { findPage, insertPage, updatePage as updatePageRow, type Page } from '../../store/pages.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed, requireVisible } from '../blocks/access.ts'
import { moveToTrash, placeBelow, requireOriginals } from '../blocks/blocks.ts'
import { draftBlocks, insertDrafts, requireFit, type Place } from '../blocks/plan.ts'
import { invalid } from '../failures.ts'
import { storeCover, storeIcon } from '../icons/icons.ts'
import { draftMarkdown, type PageContent } from '../markdown/page_content.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { keepPrivate } from '../sharing.ts'
import { readPage } from './read.ts'
import { requirePage } from './access.ts'
import { writtenTitle } from './properties.ts'

type Filter = readonly string[] | undefined

export async function retrievePage(scope: Scope, id: string, filter: Filter): Promise<PageObject | PartialPage> {
  const block = await requirePage(scope, id, 'path.page_id')
  return readPage(scope, block, await pageOf(scope, block), filter)
}

/** Makes a page below another one, or at the top of the workspace, with its content: all of it or nothing. */
export async function createPage(
  scope: WriteScope,
  request: CreatePageRequest,
  filter: Filter,
): Promise<PageObject | PartialPage> {
  requireNoPendingParts(request)
  const references = new ReferenceList()
  const title = writtenTitle(request.properties, references)
  const page = pageDetails(scope, request, references, { icon: null, cover: null, isLocked: false, isArchived: false })
  const path = request.children === undefined ? 'body.content' : 'body.children'
  const content = await contentOf(scope, request, path, references, title === undefined)
  const parent = await requireOpenParent(scope, request, references)
  await requireOriginals(scope, references)
  requireFit({ type: 'child_page', content: {} }, content.drafts, path)

  const place = parent ? await placeBelow(scope, parent, request.position) : await topOfWorkspace(scope)
  const id = await insertPageBlock(scope, place, title ?? content.title ?? [])
  await insertPage(scope.db, scope.actor.workspaceId, id, page)
  if (!parent) await keepPrivate(scope, id)
  await insertDrafts(scope, content.drafts, { parentType: 'page_id', parentId: id, pageId: id, behind: null, before: null })
  if (parent) await touch(scope.db, scope.actor.workspaceId, [parent.id], scope.actor.userId, scope.now)
  return retrievePage(scope, id, filter)
}

/** Checks everything about a new page but its content. */
export async function requireCreatable(scope: WriteScope, request: CreatePageRequest): Promise<void> {
  requireNoPendingParts(request)
  const references = new ReferenceList()
  writtenTitle(request.properties, references)
  pageDetails(scope, request, references, { icon: null, cover: null, isLocked: false, isArchived: false })
  const parent = await requireOpenParent(scope, request, references)
  if (parent) await placeBelow(scope, parent, request.position)
}

/** The parent page, when it may be written to and all else that the request names is there. */
async function requireOpenParent(
  scope: WriteScope,
  request: CreatePageRequest,
  references: ReferenceList,
): Promise<Block | undefined> {
  const parent = await requireParent(scope, request.parent)
  await requireReferences(scope, references)
  if (!parent) return undefined
  await requireMayEdit(scope, parent, 'page')
  requireNotTrashed(parent, 'body.parent')
  await requireLiveAncestors(scope, parent, 'body.parent')
  return parent
}

/** The blocks of a new page, from whichever source the request names. */
async function contentOf(
  scope: Scope,
  request: CreatePageRequest,
  path: string,
  references: ReferenceList,
  takesTitle: boolean,
): Promise<PageContent> {
  const notes = { references, baseUrl: scope.baseUrl }
  if (request.markdown !== undefined) return draftMarkdown(scope, request.markdown, 'body.markdown', notes, takesTitle)
  return { title: undefined, drafts: draftBlocks(request.children ?? request.content ?? [], path, notes) }
}

/** @returns the parent page, or undefined for the top of the workspace */
async function requireParent(scope: WriteScope, parent: CreatePageRequest['parent']): Promise<Block | undefined> {
  if (parent === undefined || 'workspace' in parent) {
    if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {
      throw invalid('body.parent', 'should name a page: an internal connection cannot create pages at the top of the workspace')
    }
    return undefined
  }
  if ('page_id' in parent) return requirePage(scope, parent.page_id, 'body.parent.page_id')
  if ('database_id' in parent) await requireVisible(scope, parent.database_id, 'database')
  throw notYet('Rows of data sources')
}

async function topOfWorkspace(scope: WriteScope): Promise<Place> {
  const { workspaceId } = scope.actor
  return {
    parentType: 'workspace',
    parentId: workspaceId,
    pageId: null,
    behind: await lastRank(scope.db, workspaceId, workspaceId),
    before: null,
  }
}

async function insertPageBlock(scope: WriteScope, place: Place, title: unknown): Promise<string> {
  const id = newId()
  const [rank = ''] = generateNKeysBetween(place.behind, place.before, 1)
  await insertBlocks(scope.db, scope.actor.workspaceId, [
    {
      id,
      type: 'child_page',
      parentType: place.parentType,
      parentId: place.parentId,
      pageId: place.pageId,
      rank,
      content: { title },
      createdTime: scope.now,
      createdBy: scope.actor.userId,
    },
  ])
  return id
}

/** Changes what the request names, in the contract's order: restore, properties and looks, lock and archive, trash. */
export async function updatePage(
  scope: WriteScope,
  id: string,
  request: UpdatePageRequest,
  filter: Filter,
): Promise<PageObject | PartialPage> {
  requireNoPendingParts(request)
  const references = new ReferenceList()
  const title = writtenTitle(request.properties, references)
  const block = await requirePage(scope, id, 'path.page_id')
  const page = await pageOf(scope, block)
  const details = pageDetails(scope, request, references, page)
  await requireReferences(scope, references)
  await requireMayEdit(scope, block, 'page')
  if (Object.keys(request).length > 0) await requireEditable(scope, block, request)

  const { workspaceId, userId } = scope.actor
  const newContent = title === undefined ? block.content : { ...block.content, title }
  const titleChanged = JSON.stringify(newContent) !== JSON.stringify(block.content)
  const detailsChanged = JSON.stringify(details) !== JSON.stringify(page)
  if (titleChanged) await updateContent(scope.db, workspaceId, block.id, newContent)
  if (detailsChanged) await updatePageRow(scope.db, workspaceId, block.id, details)
  if (titleChanged || detailsChanged) await touch(scope.db, workspaceId, [block.id], userId, scope.now)
  if (request.in_trash !== undefined && request.in_trash !== block.inTrash) await moveToTrash(scope, block, request.in_trash)
  return retrievePage(scope, id, filter)
}

async function requireEditable(scope: WriteScope, block: Block, request: UpdatePageRequest): Promise<void> {
  const onlyTrashes = request.in_trash === true && Object.keys(request).length === 1
  if (block.inTrash && request.in_trash !== false && !onlyTrashes) {
    throw stateError('path.page_id cannot be edited: the page is in the trash. Restore it with `in_trash` false.')
  }
  await requireLiveAncestors(scope, block, 'path.page_id')
}

/** Looks and marks of a page after a request; what it leaves out stays. */
function pageDetails(scope: Scope, request: CreatePageRequest | UpdatePageRequest, references: ReferenceList, page: Page): Page {
  const { icon, cover } = request
  return {
    icon: icon === undefined ? page.icon : icon === null ? null : storeIcon(icon, 'body.icon', references, scope.baseUrl),
    cover: cover === undefined ? page.cover : cover === null ? null : storeCover(cover, 'body.cover', references),
    isLocked: ('is_locked' in request ? request.is_locked : undefined) ?? page.isLocked,
    isArchived: ('is_archived' in request ? request.is_archived : undefined) ?? page.isArchived,
  }
}

async function pageOf(scope: Scope, block: Block): Promise<Page> {
  const page = await findPage(scope.db, scope.actor.workspaceId, block.id)
  if (!page) throw new Error(`page ${block.id} has no row of its own`)
  return page
}

/** Parts of the page operations that later releases bring. They are refused rather than ignored. */
function requireNoPendingParts(request: CreatePageRequest | UpdatePageRequest): void {
  if (request.template !== undefined && request.template.type !== 'none') throw notYet('Templates')
  if ('erase_content' in request && request.erase_content) throw notYet('Erasing content')
}

function notYet(what: string): ServiceError {
  return new ServiceError('service_unavailable', { message: `${what} cannot be used yet: this release does not implement it.` })
}
