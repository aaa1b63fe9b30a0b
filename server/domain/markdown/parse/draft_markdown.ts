import type { Draft } from '../../blocks/plan.ts'
import type { WriteNotes } from '../../block_types/content.ts'
import { invalid } from '../../failures.ts'
import { storeRichText } from '../../rich_text/store_rich_text.ts'
import { PIECES_MAX } from '../../rich_text/split_text.ts'
import type { StoredRichText } from '../../rich_text/stored.ts'
import type { Scope } from '../../scope.ts'
import { Drafter } from './drafter.ts'
import { parseBlocks, TooManyBlocksError } from './parse_blocks.ts'
import { resolveReferencesOf } from './resolve_references.ts'
import { toRichText } from './to_rich_text.ts'
import { BLOCKS_MAX } from '../shared/markdown_block.ts'

/** The content of a new page, parsed from Markdown. */
export interface PageContent {
  /** The text of the first heading, if the page takes its title from it; undefined if there is none. */
  readonly title: StoredRichText | undefined
  readonly drafts: readonly Draft[]
}

/**
 * Parses the content of a new page from Markdown.
 * @param path its place in the request
 * @param takesTitle whether the first `# ` heading is the page's title rather than content
 * @throws ServiceError `validation_error` when it is too large
 */
export async function draftMarkdown(
  scope: Scope,
  markdown: string,
  path: string,
  notes: WriteNotes,
  takesTitle: boolean,
): Promise<PageContent> {
  const blocks = withBlockLimit(BLOCKS_MAX, path, () => parseBlocks(markdown, BLOCKS_MAX))
  const resolved = await resolveReferencesOf(scope, blocks)
  const heading = takesTitle ? blocks.find(({ type }) => type === 'heading_1') : undefined
  const content = heading === undefined ? blocks : blocks.flatMap((block) => (block === heading ? heading.children : [block]))
  const pieces = heading && toRichText(heading.text, resolved)
  if (pieces && pieces.length > PIECES_MAX) throw invalid(path, `should hold no title of more than ${PIECES_MAX} pieces of text`)
  return {
    title: pieces && storeRichText(pieces, path, notes.references),
    drafts: new Drafter(resolved, notes, path).list(content),
  }
}

/** Returns the result of `parse`. @throws ServiceError `validation_error` if the text has too many blocks */
export function withBlockLimit<Result>(blocksMax: number, path: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TooManyBlocksError) throw invalid(path, `should make at most ${blocksMax} blocks`)
    throw error
  }
}
