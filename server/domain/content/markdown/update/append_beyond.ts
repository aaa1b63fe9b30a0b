import type { UpdatePageMarkdownRequest } from '../../../../../generated/types.ts'
import { inSlices } from '../../../../kernel/yield_to_event_loop.ts'
import { hasMoreChildren } from '../../../../store/block_trees.ts'
import type { Block } from '../../../../store/blocks.ts'
import { ReferenceList, requireReferences } from '../../references.ts'
import type { Scope, WriteScope } from '../../../shared/index.ts'
import { diffInsertion } from '../diff/diff_insertion.ts'
import { parseMarkdown } from '../parse/draft_markdown.ts'
import { Drafter } from '../parse/drafter.ts'
import { resolveReferencesOf } from '../parse/resolve_references.ts'
import { BLOCKS_MAX } from '../shared/markdown_block.ts'
import { MISSING_MAX } from '../write/load_tree.ts'
import { applyPlan } from './apply_plan.ts'
import { hasHostedFile } from './gather_hosted_files.ts'
import { planBlocks, type Planned } from './plan_blocks.ts'

/** New content for the end of a page that has more blocks than responses show. It does not depend on any of them. */
export interface PlannedAppendix {
  readonly plan: readonly Planned[]
  /** The records to which the new blocks refer. */
  readonly references: ReferenceList
}

/** @returns undefined if the request may depend on the content of the page, which must then be read first */
export async function planAppendix(
  scope: Scope,
  page: Block,
  request: UpdatePageMarkdownRequest,
): Promise<PlannedAppendix | undefined> {
  if (request.type !== 'insert_content') return undefined
  const { content, after, position } = request.insert_content
  const { db, actor, baseUrl } = scope
  // A hosted file belongs to a block of the page, which would have to be read.
  if (after !== undefined || position?.type === 'start' || hasHostedFile(content, baseUrl)) return undefined
  if (!(await hasMoreChildren(db, actor.workspaceId, page.id, BLOCKS_MAX + MISSING_MAX))) return undefined
  const path = 'body.insert_content.content'
  const blocks = await parseMarkdown(content.replace(/\r\n?/g, '\n'), path)
  const references = new ReferenceList()
  const drafter = new Drafter(await resolveReferencesOf(scope, blocks), { ...scope, references }, path)
  const { wanted } = diffInsertion([], new Map(), blocks, 'end')
  return { plan: await inSlices(planBlocks(wanted, drafter)), references }
}

/** Adds blocks after all others on a page. */
export async function applyAppendix(scope: WriteScope, page: Block, { plan, references }: PlannedAppendix): Promise<void> {
  await requireReferences(scope, references)
  const root = { block: page, children: [], isMissing: false }
  const unread = { root, originals: new Map(), hasMore: true, isWhole: false, extent: { blocks: 0, size: 0 } }
  await applyPlan(scope, unread, plan, [], undefined)
}
