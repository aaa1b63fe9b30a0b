import { generateNKeysBetween } from 'fractional-indexing'
import { idsTogether } from '../../../kernel/ids.ts'
import { inSlices } from '../../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../../store/access.ts'
import { insertBlocks, touch, updateContent, type Block, type NewBlock, type StoredContent } from '../../../store/blocks.ts'
import { updatePageDetails } from '../../../store/pages.ts'
import { lastRank } from '../../../store/sibling_ranks.ts'
import { meOf, type Scope, type WriteScope } from '../../shared/index.ts'
import { requireNotTrashed, requireOpen, requirePage } from '../../content/index.ts'
import { hasColumns } from '../data_sources/load.ts'
import { recordEvent, contentChange } from '../../events/index.ts'
import { fillRow } from '../rows/fill.ts'
import { copyDetails, copiedBlocks, collectBelow, requireCopyable, type Choice } from './copy_tree.ts'
import { pageOf } from './details.ts'
import { variablesAt, withVariables, type ResolveVariable } from './template_variables.ts'

/** The name of the tasks that apply templates. It is not an operation: callers cannot poll these tasks. */
export const APPLY_TEMPLATE = 'apply template'

/** The work that is done after the response. */
export interface TemplateWork {
  readonly pageId: string
  readonly templateId: string
  /** An IANA name. */
  readonly timeZone: string
  /** Keys of the properties that the request set, including `.icon` and `.cover` for the icon and the cover. */
  readonly sent: readonly string[]
}

/** Checks that the blocks of a template that are visible to the caller can be copied. @throws TooLargeError */
export function requireCopyableTemplate(scope: Scope, template: Block): Promise<void> {
  return requireCopyable(scope.db, scope.actor.workspaceId, template, visibleTo(scope))
}

function visibleTo({ db, actor }: Scope, besides?: string): Choice {
  return async (siblings) => {
    const pages = siblings.filter(({ type }) => type === 'child_page').map(({ id }) => id)
    const visible = await visibleAmong(db, actor, pages)
    return siblings.filter(({ id, type }) => type !== 'child_page' || (visible.has(id) && id !== besides))
  }
}

/** Copies of the blocks of a template. At the top level, their ranks are not final. */
export interface PreparedTemplate {
  /** The originals. */
  readonly blocks: readonly Block[]
  readonly ids: ReadonlyMap<string, string>
  readonly copies: readonly NewBlock[]
}

/**
 * Copies the current content of a template and resolves its variables. This takes long for a large template, and needs no transaction.
 * References between its blocks are changed to refer to the copies.
 */
export async function prepareTemplate(scope: Scope, work: TemplateWork): Promise<PreparedTemplate> {
  const { page, template } = await requirePages(scope, work)
  const blocks = await collectBelow(scope.db, scope.actor.workspaceId, template, visibleTo(scope, page.id))
  const newId = idsTogether()
  const ids = new Map([[template.id, page.id], ...blocks.map(({ id }) => [id, newId()] as const)])
  const waiting = blocksOfTemplateBlocks(blocks)
  const variables = variablesOf(scope, work)
  const copies = await inSlices(
    copiedBlocks(blocks, ids, { userId: scope.actor.userId, now: scope.now }, (copy, block) =>
      waiting.has(block.id) ? copy : { ...copy, content: withVariables(copy.content, variables) as StoredContent },
    ),
  )
  return { blocks, ids, copies }
}

/** Appends the prepared content of a template to a page, and fills in what the page lacks: property values, icon and cover. */
export async function applyTemplate(scope: WriteScope, work: TemplateWork, prepared: PreparedTemplate): Promise<object> {
  const { page, template } = await requirePages(scope, work)
  await insertCopies(scope, page, prepared)
  await fillDetails(scope, template, page, work.sent, variablesOf(scope, work))
  await touch(scope.db, scope.actor.workspaceId, [page.id], scope.actor.userId, scope.now)
  return { object: 'page', id: page.id }
}

async function requirePages(scope: Scope, work: TemplateWork): Promise<{ readonly page: Block; readonly template: Block }> {
  const page = await requirePage(scope, work.pageId, 'path.page_id')
  await requireOpen(scope, page, 'page', 'path.page_id')
  const template = await requirePage(scope, work.templateId, 'body.template.template_id')
  requireNotTrashed(template, 'body.template.template_id')
  return { page, template }
}

function variablesOf({ now, actor }: Scope, { timeZone }: TemplateWork): ResolveVariable {
  return variablesAt(now, timeZone, meOf(actor))
}

async function insertCopies(scope: WriteScope, page: Block, { blocks, ids, copies }: PreparedTemplate): Promise<void> {
  const { db, actor } = scope
  const { workspaceId } = actor
  const top = copies.filter(({ parentId }) => parentId === page.id)
  const ranks = generateNKeysBetween(await lastRank(db, workspaceId, page.id), null, top.length)
  const rankOf = new Map(top.map(({ id }, index) => [id, ranks[index] ?? '']))
  const rows = copies.map((copy) => ({ ...copy, rank: rankOf.get(copy.id) ?? copy.rank }))
  await insertBlocks(db, workspaceId, rows)
  await copyDetails(db, blocks, ids, { from: workspaceId, to: workspaceId })
  const place = { parentType: 'page_id', parentId: page.id, pageId: page.id } as const
  const pages = rows.filter(({ type }) => type === 'child_page')
  const created = pages.map(({ id }) => ({ type: 'page.created', id }) as const)
  await recordEvent(scope, contentChange(place, top), created)
}

/** The ids of blocks below a block of type `template`. Their variables are resolved when that template is used. */
function blocksOfTemplateBlocks(blocks: readonly Block[]): Set<string> {
  const waiting = new Set<string>()
  const nested = new Set(blocks.filter(({ type }) => type === 'template').map(({ id }) => id))
  // Parents come before their children in the list.
  for (const { id, parentId } of blocks) if (nested.has(parentId) || waiting.has(parentId)) waiting.add(id)
  return waiting
}

/** Sets the data that the page lacks and the request did not set. */
async function fillDetails(
  scope: WriteScope,
  template: Block,
  page: Block,
  sent: readonly string[],
  variables: ResolveVariable,
): Promise<void> {
  const { db, actor } = scope
  const resolve = (value: unknown): unknown => withVariables(value, variables)
  if (hasColumns(page)) await fillRow(scope, template, page, sent, resolve)
  else await fillTitle(scope, template, page, sent, resolve)
  const [own, theirs] = [await pageOf(scope, page), await pageOf(scope, template)]
  const icon = sent.includes('.icon') ? own.icon : (own.icon ?? theirs.icon)
  const cover = sent.includes('.cover') ? own.cover : (own.cover ?? theirs.cover)
  if (icon === own.icon && cover === own.cover) return
  await updatePageDetails(db, actor.workspaceId, page.id, { ...own, icon, cover })
  await recordEvent(scope, { type: 'page.properties_updated', id: page.id, properties: [] })
}

async function fillTitle(
  scope: WriteScope,
  template: Block,
  page: Block,
  sent: readonly string[],
  resolve: (value: unknown) => unknown,
): Promise<void> {
  const title = page.content['title']
  if (sent.includes('title') || !Array.isArray(title) || title.length > 0) return
  const content = { ...page.content, title: resolve(template.content['title']) }
  await updateContent(scope.db, scope.actor.workspaceId, page.id, content)
  await recordEvent(scope, { type: 'page.properties_updated', id: page.id, properties: ['title'] })
}
