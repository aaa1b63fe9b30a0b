import type { BlockType, RichTextItemRequest } from '../../../../../generated/types.ts'
import type { StoredContent } from '../../../../store/blocks.ts'
import type { WriteNotes } from '../../block_types/content.ts'
import { blockTypes } from '../../block_types/index.ts'
import type { ContentMaker, DraftRules, NewContent } from '../../block_types/markdown_rules.ts'
import type { Draft } from '../../blocks/plan.ts'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { invalid } from '../../../shared/index.ts'
import { PIECES_MAX, splitPieces } from '../../rich_text/split_text.ts'
import { noHostedFiles, type HostedFiles } from '../shared/hosted_files.ts'
import type { Inline, MarkdownBlock } from '../shared/markdown_block.ts'
import type { Resolved } from './resolved.ts'
import { toRichText, withEmojis } from './to_rich_text.ts'

/** Turns parsed Markdown blocks into drafts of stored blocks, in steps. */
export class Drafter implements ContentMaker {
  readonly resolved: Resolved
  readonly hosted: HostedFiles
  readonly #notes: WriteNotes
  readonly #path: string

  /**
   * @param path of the Markdown in the request, for messages
   * @param hosted hosted files that a block keeps when it refers to them
   */
  constructor(resolved: Resolved, notes: WriteNotes, path: string, hosted = noHostedFiles) {
    this.resolved = resolved
    this.#notes = notes
    this.#path = path
    this.hosted = hosted
  }

  *list(blocks: readonly MarkdownBlock[]): SlicedWork<Draft[]> {
    const drafts: Draft[][] = []
    for (const block of blocks) drafts.push(yield* this.#block(block))
    return drafts.flat()
  }

  /** The drafts of one block: several if its text is too long for one. The last one gets the children. */
  *#block(block: MarkdownBlock): SlicedWork<Draft[]> {
    const form = this.formOf(block)
    if (form === 'nothing') return []
    if (form === 'inside')
      return yield* this.list(rulesOf(block).isGrid ? block.children.flatMap(({ children }) => children) : block.children)
    const contents = yield* this.contentsOf(block)
    const children = form === 'alone' ? [] : yield* this.list(block.children)
    return contents.map(({ type, content }, index) => ({
      type,
      content,
      path: this.#path,
      children: index === contents.length - 1 ? children : [],
    }))
  }

  /** How a new block is drafted; see `DraftRules`. */
  formOf(block: MarkdownBlock): ReturnType<DraftRules['form']> {
    return rulesOf(block).form(block, this.resolved)
  }

  /** The content of a block without its children: several entries if its text has to be split. */
  *contentsOf(block: MarkdownBlock): SlicedWork<NewContent[]> {
    const contents: NewContent[] = []
    const text = yield* withEmojis(block.text, this.resolved)
    for (const content of rulesOf(block).contents(text === block.text ? block : { ...block, text }, this)) {
      contents.push(content)
      yield
    }
    return contents
  }

  create(type: BlockType, written: object): NewContent {
    return { type, content: blockTypes[type].content.create(written, this.#path, this.#notes) }
  }

  update(type: BlockType, stored: StoredContent, written: object): NewContent {
    return { type, content: blockTypes[type].content.update(stored, written, this.#path, this.#notes) }
  }

  whole(text: readonly Inline[], what: string): RichTextItemRequest[] {
    const [pieces = [], more] = splitPieces(toRichText(text, this.resolved))
    if (more) throw invalid(this.#path, `should contain no ${what} of more than ${PIECES_MAX} pieces of text`)
    return pieces
  }
}

function rulesOf({ type }: MarkdownBlock): DraftRules {
  return blockTypes[type].markdown.draft
}
