import type { TextContent, TextContentRequest } from '../../../generated/types.ts'
import { takeAttributes, wholeLine, type BlockRule } from '../markdown/parse/parse_state.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, richText } from './content.ts'
import { addTextBlock, textForm, textLine, writeLine } from './markdown_forms.ts'

const parseQuote: BlockRule = (state, line, endLine, silent) => {
  if (silent) return true
  const text = wholeLine(state, line)
  return addTextBlock(state, 'quote', takeAttributes(text.slice(text[1] === ' ' ? 2 : 1)), line, endLine)
}

export const quote: BlockTypeDefinition<'quote'> = {
  ...plainBlock,
  content: contentOf<TextContentRequest, TextContent>({ rich_text: richText, color }),
  children: anyChildren,
  markdown: {
    ...textForm('quote'),
    write: (block, writer, depth) => writeLine('>', textLine(block), block, writer, depth),
    line: { first: '>', parse: parseQuote },
  },
}
