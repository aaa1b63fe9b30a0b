import MarkdownItParser, { type MarkdownIt, type StateBlock } from 'markdown-it'
import { atOnce, type SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { addBlockRules } from './line_rules.ts'
import { ParseState } from './parse_state.ts'
import { addInlineRules } from './inline_rules.ts'
import { parseInline } from './parse_inline.ts'
import { parseSpans } from './parse_spans.ts'
import { BLOCKS_MAX, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'

export { TooManyBlocksError } from './parse_state.ts'

/** markdown-it with the rules of the dialect in place of its own. Its line and text scanners, escapes and code spans are used. */
const markdownIt: MarkdownIt = new MarkdownItParser('zero', { maxNesting: Number.MAX_SAFE_INTEGER })
addBlockRules(markdownIt)
addInlineRules(markdownIt)

/**
 * Parses a text of the dialect. No text is malformed: anything that is not valid syntax is plain text.
 * @param blocksMax a text with more blocks is rejected
 * @throws TooManyBlocksError
 */
export function parseBlocks(text: string, blocksMax = BLOCKS_MAX): readonly MarkdownBlock[] {
  return atOnce(parsePart(text, blocksMax)).blocks
}

interface ParsedPart {
  readonly blocks: readonly MarkdownBlock[]
  /** Whether parsing this part gives the same result if other blocks follow it. */
  readonly isClosed: boolean
  /** How many more blocks the limit allows. */
  readonly blocksLeft: number
}

/** Like `parseBlocks`, for a part of a text, in steps. */
export function* parsePart(text: string, blocksMax: number): SlicedWork<ParsedPart> {
  const state = new markdownIt.block.State(text.replace(/\r\n?/g, '\n'), markdownIt, {}, [])
  yield
  const { ends, isClosed } = parseSpans(state)
  yield
  const own = new ParseState(state, ends, blocksMax)
  yield* tokenize(state)
  yield* own.finish(markdownIt)
  return { blocks: own.blocks, isClosed, blocksLeft: own.remaining }
}

/** Applies the block rules to all lines, a step for each block. Blocks inside others are parsed by the library. */
function* tokenize(state: StateBlock): SlicedWork<void> {
  const rules = markdownIt.block.ruler.getRules('')
  for (let line = state.skipEmptyLines(0); line < state.lineMax; line = state.skipEmptyLines(state.line)) {
    state.line = line
    rules.some((rule) => rule(state, line, state.lineMax, false))
    yield
  }
}

/** Parses a text without blocks, such as a comment, in steps. Line breaks are kept. */
export function parseInlineText(text: string): SlicedWork<readonly Inline[]> {
  return parseInline(markdownIt, text.replace(/\r\n?/g, '\n'))
}
