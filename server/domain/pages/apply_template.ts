import { generateNKeysBetween } from 'fractional-indexing'
import { idsTogether } from '../../kernel/ids.ts'
import { inSlices } from '../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../store/access.ts'
import { insertBlocks, touch, updateContent, type Block, type StoredContent } from '../../store/blocks.ts'
import { updatePageDetails } from '../../store/pages.ts'
import { lastRank } from '../../store/sibling_ranks.ts'
import { meOf } from '../actor.ts'
import { requireNotTrashed, requireOpen } from '../blocks/access.ts'
import { hasColumns } from '../data_sources/load.ts'
import { recordEvent } from '../events/record_event.ts'
import { contentChange } from '../events/tree_changes.ts'
import { fillRow } from '../rows/fill.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { requirePage } from './access.ts'
import { copyDetails, copiedBlocks, collectBelow } from './copy_tree.ts'
import { pageOf } from './details.ts'
import { variablesAt, withVariables, type ResolveVariable } from './template_variables.ts'

/** The name of these tasks. It is no operation: callers cannot poll them. */
export const APPLY_TEMPLATE = 'apply template'

/** The work that is done after the response. */
export interface TemplateWork {
  readonly pageId: string
  readonly templateId: string
  /** IANA name. */
  readonly timeZone: string
  /** Keys of the properties that the request set; `.icon` and `.cover` for the icon and cover. */
  readonly sent: readonly string[]
}

/** The blocks of a template that are visible to the caller. @throws TooLargeError */
export function collectTemplate(scope: Scope, template: Block, besides?: string): Promise<Block[]> {
  return collectBelow(scope.db, scope.actor.workspaceId, template, async (siblings) => {
    const pages = siblings.filter(({ type }) => type === 'child_page').map(({ id }) => id)
    const visible = await visibleAmong(scope.db, scope.actor, pages)
    return siblings.filter(({ id, type }) => type !== 'child_page' || (visible.has(id) && id !== besides))
  })
}

/**
 * Appends the content of a template to that of a page, with its variables resolved, and fills in what the page lacks: property
 * values, icon and cover. References inside the template lead to the copies.
 */
export async function applyTemplate(scope: WriteScope, work: TemplateWork): Promise<object> {
  const page = await requirePage(scope, work.pageId, 'path.page_id')
  await requireOpen(scope, page, 'page', 'path.page_id')
  const template = await requirePage(scope, work.templateId, 'body.template.template_id')
  requireNotTrashed(template, 'body.template.template_id')
  const variables = variablesAt(scope.now, work.timeZone, meOf(scope.actor))
  await copyContent(scope, template, page, variables)
  await fillDetails(scope, template, page, work.sent, variables)
  await touch(scope.db, scope.actor.workspaceId, [page.id], scope.actor.userId, scope.now)
  return { object: 'page', id: page.id }
}

async function copyContent(scope: WriteScope, template: Block, page: Block, variables: ResolveVariable): Promise<void> {
  const { db, actor, now } = scope
  const { workspaceId, userId } = actor
  const blocks = await collectTemplate(scope, template, page.id)
  const newId = idsTogether()
  const ids = new Map([[template.id, page.id], ...blocks.map(({ id }) => [id, newId()] as const)])
  const top = blocks.filter(({ parentId }) => parentId === template.id)
  const ranks = generateNKeysBetween(await lastRank(db, workspaceId, page.id), null, top.length)
  const rankOf = new Map(top.map(({ id }, index) => [id, ranks[index] ?? '']))
  const waiting = blocksOfTemplateBlocks(blocks)
  const rows = await inSlices(
    copiedBlocks(blocks, ids, { userId, now }, (copy, block) => {
      const content = waiting.has(block.id) ? copy.content : (withVariables(copy.content, variables) as StoredContent)
      return { ...copy, rank: rankOf.get(block.id) ?? copy.rank, content }
    }),
  )
  await insertBlocks(db, workspaceId, rows)
  await copyDetails(db, blocks, ids, { from: workspaceId, to: workspaceId })
  const place = { parentType: 'page_id', parentId: page.id, pageId: page.id } as const
  const pages = rows.filter(({ type }) => type === 'child_page')
  const added = rows.filter(({ parentId }) => parentId === page.id)
  const created = pages.map(({ id }) => ({ type: 'page.created', id }) as const)
  await recordEvent(scope, contentChange(place, added), created)
}

/** The ids of blocks below a block of type `template`. Their variables are resolved when that template is used. */
function blocksOfTemplateBlocks(blocks: readonly Block[]): Set<string> {
  const waiting = new Set<string>()
  const holders = new Set(blocks.filter(({ type }) => type === 'template').map(({ id }) => id))
  // Parents come before their children.
  for (const { id, parentId } of blocks) if (holders.has(parentId) || waiting.has(parentId)) waiting.add(id)
  return waiting
}

/** Sets what the page lacks and the request did not set. */
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
