import type { CreatePageRequest, PageObject, PartialPage } from '../../../../generated/types.ts'
import { newRecordId } from '../../../kernel/ids.ts'
import { inSlices } from '../../../kernel/yield_to_event_loop.ts'
import { insertBlocks, touch, type Block } from '../../../store/blocks.ts'
import type { PageDetails } from '../../../store/page_details.ts'
import {
  requireOpen,
  requireOriginals,
  draftBlocks,
  newRow,
  requireFit,
  rowsOfDrafts,
  storedNow,
  draftMarkdown,
  parseMarkdown,
  ReferenceList,
  requireReferences,
  requireStillThere,
  type Draft,
  type Place,
  type DraftedMarkdown,
  type PageContent,
  type MarkdownBlock,
} from '../../content/index.ts'
import { expectEvents, recordEvent, creation } from '../../events/index.ts'
import { invalid, type Scope, type WriteScope } from '../../shared/index.ts'
import { insertRow, parseNewRow, requireRoomForRow } from '../rows/create.ts'
import { keepPrivate } from '../../people/index.ts'
import { requirePageRow } from '../rows/row.ts'
import { detailsAfter, PLAIN_PAGE } from './details.ts'
import { placeOf, requireParent, type PageParent } from './parents.ts'
import { writtenTitle } from './written_title.ts'
import { presentPage } from './present.ts'
import { chosenTemplate, fillLater, namedTemplate, requireUsable } from './templates.ts'

/** The ids of the properties to return, percent-encoded or not; undefined for all. */
export type Filter = readonly string[] | undefined

const MARKDOWN_PATH = 'body.markdown'

export async function retrievePage(scope: Scope, id: string, filter?: Filter): Promise<PageObject | PartialPage> {
  return presentPage(scope, await requirePageRow(scope, id, 'path.page_id'), filter)
}

/** The blocks of a request's Markdown; undefined for a request without it. */
type ParsedMarkdown = readonly MarkdownBlock[] | undefined

/** Parses the Markdown of a request. Long Markdown takes a while to parse, so this is done before the transaction. */
export async function parsePageMarkdown({ markdown }: CreatePageRequest): Promise<ParsedMarkdown> {
  return markdown === undefined ? undefined : parseMarkdown(markdown, MARKDOWN_PATH)
}

/** Turns the parsed Markdown of a request into drafts of blocks, also before the transaction. */
export async function draftPageMarkdown(scope: Scope, parsed: ParsedMarkdown): Promise<DraftedMarkdown | undefined> {
  return parsed && draftMarkdown(scope, parsed, MARKDOWN_PATH)
}

/**
 * Creates a page with its content, below another page or at the top of the workspace: all of it or nothing.
 * @param markdown the result of `draftPageMarkdown`
 * @throws OutdatedError if a record that the Markdown refers to has been deleted since
 */
export async function createPage(
  scope: WriteScope,
  request: CreatePageRequest,
  filter: Filter,
  markdown: DraftedMarkdown | undefined,
): Promise<PageObject | PartialPage> {
  expectEvents(scope)
  const references = markdown?.references ?? new ReferenceList()
  if (markdown) await requireStillThere(scope, references)
  const parent = await requireParent(scope, request.parent)
  const row = parent.dataSource && parseNewRow(scope, parent.dataSource, request.properties, references)
  const title = row ? row.title : writtenTitle(request.properties, references)
  const page = detailsAfter(scope, request, references, PLAIN_PAGE)
  const path = request.children === undefined ? 'body.content' : 'body.children'
  const notes = { ...scope, references }
  const content: PageContent = markdown
    ? markdown.content(title === undefined)
    : { title: undefined, drafts: draftBlocks(request.children ?? request.content ?? [], path, notes) }
  const template = chosenTemplate(scope, await namedTemplate(scope, request.template, parent.dataSource), references)
  await requireOpenParent(scope, parent, request, references)
  await requireOriginals(scope, references)
  requireFit({ type: 'child_page', content: {} }, content.drafts, path)
  if (parent.dataSource && row) await requireRoomForRow(scope, parent.dataSource, row)
  if (template) await requireUsable(scope, template)

  const place = await placeOf(scope, parent, request.position)
  const block = await insertNewPage(scope, place, { ...content, title: title ?? content.title ?? [] }, page)
  const { id } = block
  if (parent.dataSource && row) await insertRow(scope, parent.dataSource, block, row)
  if (!parent.block) await keepPrivate(scope, id)
  if (parent.block && !parent.dataSource)
    await touch(scope.db, scope.actor.workspaceId, [parent.block.id], scope.actor.userId, scope.now)
  await recordEvent(scope, creation(block))
  if (template) await fillLater(scope, id, template, request)
  // A caller who may create a page below another one also sees the new page, so it need not be read again.
  const isBelowPage = parent.block && !parent.dataSource
  return isBelowPage ? presentPage(scope, { block, ...page, values: {} }, filter) : retrievePage(scope, id, filter)
}

/** Checks everything about a new page except its content. */
export async function requireCreatable(scope: WriteScope, request: CreatePageRequest): Promise<void> {
  const references = new ReferenceList()
  const parent = await requireParent(scope, request.parent)
  const row = parent.dataSource && parseNewRow(scope, parent.dataSource, request.properties, references)
  if (!row) writtenTitle(request.properties, references)
  detailsAfter(scope, request, references, PLAIN_PAGE)
  await requireOpenParent(scope, parent, request, references)
  if (parent.dataSource && row) await requireRoomForRow(scope, parent.dataSource, row)
  await placeOf(scope, parent, request.position)
}

/** Checks that the parent can be edited and that all other references of the request exist and are visible. */
async function requireOpenParent(
  scope: WriteScope,
  { block, dataSource }: PageParent,
  { position }: CreatePageRequest,
  references: ReferenceList,
): Promise<void> {
  await requireReferences(scope, references)
  if (dataSource && position !== undefined) throw invalid('body.position', 'should be not present: rows have no position')
  if (block) await requireOpen(scope, block, dataSource ? 'data source' : 'page', 'body.parent')
}

/** @returns the block of the page */
async function insertNewPage(
  scope: WriteScope,
  place: Place,
  { title, drafts }: { readonly title: unknown; readonly drafts: readonly Draft[] },
  page: PageDetails,
): Promise<Block> {
  const row = newRow(scope, place, { id: newRecordId('block'), type: 'child_page', content: { title } })
  const inside = { parentType: 'page_id', parentId: row.id, pageId: row.id, after: null, before: null } as const
  const { rows } = await inSlices(rowsOfDrafts(scope, drafts, inside))
  await insertBlocks(scope.db, scope.actor.workspaceId, [row, ...rows], [{ id: row.id, ...page }])
  return storedNow(row, drafts.length > 0)
}
