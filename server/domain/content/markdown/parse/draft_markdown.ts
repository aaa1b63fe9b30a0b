import { inSlices, yieldToEventLoop, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { Draft } from '../../blocks/plan.ts'
import { invalid, type Scope } from '../../../shared/index.ts'
import { ReferenceList } from '../../references.ts'
import { storeRichText } from '../../rich_text/store_rich_text.ts'
import type { StoredRichText } from '../../rich_text/stored.ts'
import { Drafter } from './drafter.ts'
import { parsePart, TooManyBlocksError } from './parse_blocks.ts'
import { resolveReferencesOf } from './resolve_references.ts'
import { BLOCKS_MAX, type MarkdownBlock } from '../shared/markdown_block.ts'

export interface PageContent {
  /** The text of the first heading, if the page takes its title from it, or undefined. */
  readonly title: StoredRichText | undefined
  readonly drafts: readonly Draft[]
}

/** The Markdown of a new page as drafts of blocks. */
export interface DraftedMarkdown {
  /** The records that the Markdown refers to. */
  readonly references: ReferenceList
  /**
   * @param takesTitle whether the first `# ` heading is the page's title rather than content
   * @throws ServiceError `validation_error` for a title that is too long
   */
  content(takesTitle: boolean): PageContent
}

/**
 * Parses the Markdown of a new page, which needs no database.
 * @param path its path in the request
 * @throws ServiceError `validation_error` when it is too large
 */
export async function parseMarkdown(markdown: string, path: string): Promise<readonly MarkdownBlock[]> {
  const { blocks } = await withBlockLimit(BLOCKS_MAX, path, parsePart(markdown, BLOCKS_MAX))
  return blocks
}

/**
 * Turns parsed Markdown into drafts of blocks.
 * @param path its path in the request
 * @throws ServiceError `validation_error` for content that no block can hold
 */
export async function draftMarkdown(scope: Scope, blocks: readonly MarkdownBlock[], path: string): Promise<DraftedMarkdown> {
  const resolved = await resolveReferencesOf(scope, blocks)
  await yieldToEventLoop()
  const references = new ReferenceList()
  const drafter = new Drafter(resolved, { ...scope, references }, path)
  const place = blocks.findIndex(({ type }) => type === 'heading_1')
  const heading = blocks[place]
  const [before, own, after] = [
    await inSlices(drafter.list(heading ? blocks.slice(0, place) : blocks)),
    await inSlices(drafter.list(heading ? [heading] : [])),
    await inSlices(drafter.list(heading ? blocks.slice(place + 1) : [])),
  ]
  return {
    references,
    content: (takesTitle) =>
      heading && takesTitle
        ? {
            title: storeRichText(drafter.whole(heading.text, 'title'), path, references),
            drafts: [...before, ...(own.at(-1)?.children ?? []), ...after],
          }
        : { title: undefined, drafts: [...before, ...own, ...after] },
  }
}

/** Parses in slices. @throws ServiceError `validation_error` if the text has too many blocks */
export async function withBlockLimit<Result>(blocksMax: number, path: string, parse: SlicedWork<Result>): Promise<Result> {
  try {
    return await inSlices(parse)
  } catch (error) {
    if (error instanceof TooManyBlocksError) throw invalid(path, `should produce at most ${blocksMax} blocks`)
    throw error
  }
}
