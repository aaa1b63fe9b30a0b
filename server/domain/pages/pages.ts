import { generateNKeysBetween } from 'fractional-indexing'
import type { CreatePageRequest, PageObject, PartialPage } from '../../../generated/types.ts'
import { newId } from '../../kernel/ids.ts'
import { insertBlocks, touch, type Block } from '../../store/blocks.ts'
import { insertPage } from '../../store/pages.ts'
import { placeBelow, requireOriginals } from '../blocks/blocks.ts'
import { draftBlocks, insertDrafts, requireFit, type Place } from '../blocks/plan.ts'
import { draftMarkdown, type PageContent } from '../markdown/page_content.ts'
import { ReferenceList, requireReferences } from '../references.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { keepPrivate } from '../sharing.ts'
import { requirePage } from './access.ts'
import { detailsAfter, pageOf, PLAIN_PAGE } from './details.ts'
import { requireOpen, requireParent, topOfWorkspace } from './parents.ts'
import { writtenTitle } from './properties.ts'
import { readPage } from './read.ts'
import { chosenTemplate, fillLater, requireUsable } from './templates.ts'

/** Property ids to show, percent-encoded or not; undefined shows all. */
export type Filter = readonly string[] | undefined

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
  const references = new ReferenceList()
  const title = writtenTitle(request.properties, references)
  const page = detailsAfter(scope, request, references, PLAIN_PAGE)
  const path = request.children === undefined ? 'body.content' : 'body.children'
  const content = await contentOf(scope, request, path, references, title === undefined)
  const template = chosenTemplate(scope, request.template, references)
  const parent = await requireOpenParent(scope, request, references)
  await requireOriginals(scope, references)
  requireFit({ type: 'child_page', content: {} }, content.drafts, path)
  if (template) await requireUsable(scope, template)

  const place = parent ? await placeBelow(scope, parent, request.position) : await topOfWorkspace(scope)
  const id = await insertPageBlock(scope, place, title ?? content.title ?? [])
  await insertPage(scope.db, scope.actor.workspaceId, id, page)
  if (!parent) await keepPrivate(scope, id)
  await insertDrafts(scope, content.drafts, { parentType: 'page_id', parentId: id, pageId: id, behind: null, before: null })
  if (parent) await touch(scope.db, scope.actor.workspaceId, [parent.id], scope.actor.userId, scope.now)
  if (template) await fillLater(scope, id, template, request)
  return retrievePage(scope, id, filter)
}

/** Checks everything about a new page but its content. */
export async function requireCreatable(scope: WriteScope, request: CreatePageRequest): Promise<void> {
  const references = new ReferenceList()
  writtenTitle(request.properties, references)
  detailsAfter(scope, request, references, PLAIN_PAGE)
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
  if (parent) await requireOpen(scope, parent, 'body.parent')
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
