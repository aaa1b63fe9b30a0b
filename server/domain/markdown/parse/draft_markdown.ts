import { inSlices, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import type { Draft } from '../../blocks/plan.ts'
import type { WriteNotes } from '../../block_types/content.ts'
import { invalid } from '../../failures.ts'
import { storeRichText } from '../../rich_text/store_rich_text.ts'
import type { StoredRichText } from '../../rich_text/stored.ts'
import type { Scope } from '../../scope.ts'
import { Drafter } from './drafter.ts'
import { parsePart, TooManyBlocksError } from './parse_blocks.ts'
import { resolveReferencesOf } from './resolve_references.ts'
import { BLOCKS_MAX, type MarkdownBlock } from '../shared/markdown_block.ts'

/** The content of a new page, parsed from Markdown. */
export interface PageContent {
  /** The text of the first heading, if the page takes its title from it; undefined if there is none. */
  readonly title: StoredRichText | undefined
  readonly drafts: readonly Draft[]
}

/**
 * Parses the Markdown of a new page, which needs no database.
 * @param path its place in the request
 * @throws ServiceError `validation_error` when it is too large
 */
export async function parseMarkdown(markdown: string, path: string): Promise<readonly MarkdownBlock[]> {
  const { blocks } = await withBlockLimit(BLOCKS_MAX, path, parsePart(markdown, BLOCKS_MAX))
  return blocks
}

/**
 * Turns parsed Markdown into the content of a new page.
 * @param path its place in the request
 * @param takesTitle whether the first `# ` heading is the page's title rather than content
 * @throws ServiceError `validation_error` when it is too large
 */
export async function draftMarkdown(
  scope: Scope,
  blocks: readonly MarkdownBlock[],
  path: string,
  notes: WriteNotes,
  takesTitle: boolean,
): Promise<PageContent> {
  const resolved = await resolveReferencesOf(scope, blocks)
  const heading = takesTitle ? blocks.find(({ type }) => type === 'heading_1') : undefined
  const content = heading === undefined ? blocks : blocks.flatMap((block) => (block === heading ? heading.children : [block]))
  const drafter = new Drafter(resolved, notes, path)
  return {
    title: heading && storeRichText(drafter.whole(heading.text, 'title'), path, notes.references),
    drafts: await inSlices(drafter.list(content)),
  }
}

/** Parses in slices. @throws ServiceError `validation_error` if the text has too many blocks */
export async function withBlockLimit<Result>(blocksMax: number, path: string, parse: SlicedWork<Result>): Promise<Result> {
  try {
    return await inSlices(parse)
  } catch (error) {
    if (error instanceof TooManyBlocksError) throw invalid(path, `should make at most ${blocksMax} blocks`)
    throw error
  }
}
