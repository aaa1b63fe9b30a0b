import MarkdownItParser, { type MarkdownIt } from 'markdown-it'
import { addBlockRules } from './line_rules.ts'
import { begin, Reading } from './reading.ts'
import { addInlineRules } from './inline_rules.ts'
import { parseInline } from './parse_inline.ts'
import { parseSpans } from './parse_spans.ts'
import { BLOCKS_MAX, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'

export { TooManyBlocksError } from './reading.ts'

/** markdown-it with the rules of the dialect in place of its own: its line and text scanners, escapes and code spans stay. */
const markdownIt: MarkdownIt = makeParser()

function makeParser(): MarkdownIt {
  const parser = new MarkdownItParser('zero', { maxNesting: Number.MAX_SAFE_INTEGER })
  addBlockRules(parser)
  addInlineRules(parser)
  return parser
}

/**
 * Reads a text of the dialect. Whatever it holds, it is read somehow: what is no mark is text.
 * @param blocksMax a text with more blocks is refused
 * @throws TooManyBlocksError
 */
export function parseBlocks(text: string, blocksMax = BLOCKS_MAX): readonly MarkdownBlock[] {
  return parsePart(text, blocksMax).blocks
}

/** As `parseBlocks`, and whether it is the same if other blocks stand behind it. */
export function parsePart(
  text: string,
  blocksMax: number,
): { readonly blocks: readonly MarkdownBlock[]; readonly isClosed: boolean } {
  const state = new markdownIt.block.State(text.replace(/\r\n?/g, '\n'), markdownIt, {}, [])
  const { ends, isClosed } = parseSpans(state)
  const reading = new Reading(ends, blocksMax)
  begin(state, reading)
  markdownIt.block.tokenize(state, 0, state.lineMax)
  return { blocks: reading.blocks, isClosed }
}

/** Reads a text that has no blocks, such as a comment. Line breaks in it stay. */
export function parseInlineText(text: string): readonly Inline[] {
  return parseInline(markdownIt, text.replace(/\r\n?/g, '\n'))
}
