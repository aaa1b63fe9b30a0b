import type { PageMarkdown, UpdatePageMarkdownRequest } from '../../../../generated/types.ts'
import type { Block } from '../../../store/blocks.ts'
import { requireOpen, requireVisible } from '../blocks/access.ts'
import { invalid, type Scope, type WriteScope } from '../../shared/index.ts'
import { requirePage } from '../blocks/page_access.ts'
import { pageMarkdown, renderBlock, type Rendering } from './write/render_block.ts'
import { applyAppendix, planAppendix, type PlannedAppendix } from './update/append_beyond.ts'
import { applyUpdate } from './update/apply_update.ts'
import { MarkdownUpdate, type PlannedUpdate } from './update/markdown_update.ts'
import { renderAfter } from './update/render_after.ts'

/** The content of a page, or a block with its descendants, as Markdown. */
export async function retrievePageMarkdown(scope: Scope, id: string, includeTranscripts: boolean): Promise<PageMarkdown> {
  const block = await requireVisible(scope, id, 'page')
  if (block.type === 'child_database')
    throw invalid('path.page_id', 'should be the id of a page or a block, instead was the id of a database')
  return pageMarkdown(await renderBlock(scope, block, includeTranscripts))
}

/** The page to update, if the caller may edit it. */
export async function requireMarkdownPage(scope: WriteScope, id: string): Promise<Block> {
  const page = await requirePage(scope, id, 'path.page_id')
  await requireOpen(scope, page, 'page', 'path.page_id')
  return page
}

/** A change of a page's Markdown, ready to be stored. */
export type PreparedMarkdown =
  | {
      readonly appendix: PlannedAppendix
      /** Renders the page without its content. */
      readonly present: Rendering
    }
  | {
      readonly appendix: undefined
      readonly present: Rendering
      /** Undefined if nothing changes. */
      readonly update: PlannedUpdate | undefined
      /** Renders the page after the change, if that can be predicted. */
      readonly after: Rendering | undefined
    }

/**
 * Reads a page, and computes the changes that a command on its Markdown makes. This takes long for a large page, and needs no transaction.
 */
export async function prepareMarkdown(scope: Scope, id: string, request: UpdatePageMarkdownRequest): Promise<PreparedMarkdown> {
  const page = await requirePage(scope, id, 'path.page_id')
  await requireOpen(scope, page, 'page', 'path.page_id')
  const appendix = await planAppendix(scope, page, request)
  const present = await renderBlock(scope, page, false)
  if (appendix) return { appendix, present }
  const update = await new MarkdownUpdate(scope, present).plan(request)
  const after = update && canRead(scope) ? await renderAfter(scope, present, update) : undefined
  return { appendix, present, update, after }
}

/**
 * Changes the content of a page by one command on its Markdown, atomically. Blocks whose Markdown is unchanged keep their ids.
 * @throws OutdatedError if the page has changed since it was prepared
 */
export async function updatePageMarkdown(
  scope: WriteScope,
  id: string,
  request: UpdatePageMarkdownRequest,
  prepared: PreparedMarkdown,
): Promise<PageMarkdown> {
  const page = await requireMarkdownPage(scope, id)
  let rendering = prepared.present
  if (prepared.appendix) await applyAppendix(scope, page, prepared.appendix)
  else if (prepared.update) rendering = await applyUpdate(scope, prepared, prepared.update, request)
  return canRead(scope) ? pageMarkdown(rendering) : confirmation(page.id)
}

function canRead({ actor }: Scope): boolean {
  return actor.capabilities.has('read_content')
}

/** The response to callers without the read content capability. */
function confirmation(id: string): PageMarkdown {
  return { object: 'page_markdown', id, markdown: '', truncated: true, unknown_block_ids: [] }
}
