import { takeAttributes, wholeLine, type BlockRule } from '../markdown/parse/parse_state.ts'
import { textBlock, type BlockTypeDefinition } from './block_type.ts'
import { addTextBlock, textForm, textLine, writeLine } from './markdown_forms.ts'

const parseQuote: BlockRule = (state, line, endLine, silent) => {
  if (silent) return true
  const text = wholeLine(state, line)
  return addTextBlock(state, 'quote', takeAttributes(text.slice(text[1] === ' ' ? 2 : 1)), line, endLine)
}

export const quote: BlockTypeDefinition<'quote'> = {
  ...textBlock,
  markdown: {
    ...textForm('quote'),
    write: (block, writer, depth) => writeLine('>', textLine(block), block, writer, depth),
    line: { first: '>', parse: parseQuote },
  },
}
