import type { IconRequest, ParagraphContent, ParagraphContentRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { takeAttributes, wholeLine, type BlockRule } from '../markdown/parse/parse_state.ts'
import { escapeLineStart } from '../markdown/shared/escapes.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, icon, richText } from './content.ts'
import { addTextBlock, drafted, iconContents, loneTag, textForm, textLine } from './markdown_forms.ts'

/** Parses any line that no other rule accepts. */
export const parseParagraph: BlockRule = (state, line, endLine, silent) => {
  if (silent) return true
  return addTextBlock(state, 'paragraph', takeAttributes(wholeLine(state, line)), line, endLine)
}

export const paragraph: BlockTypeDefinition<'paragraph'> = {
  ...plainBlock,
  content: contentOf<ParagraphContentRequest, ParagraphContent>({ rich_text: richText, color, icon: icon<IconRequest>(null) }),
  children: anyChildren,
  placement: {
    partOf: null,
    fitsAnywhere: (content) => content['icon'] === null,
    requireFit(content, parent, path) {
      if (content['icon'] !== null && parent?.type !== 'tab') throw invalid(`${path}.icon`, 'should be not present outside a tab')
    },
  },
  markdown: {
    ...textForm('paragraph'),
    write(block, writer, depth) {
      writer.line(depth, escapeLineStart(textLine(block)) || '<empty-block/>')
      writer.list(block.children, depth + 1)
    },
    // No line syntax: any line that no other type accepts is a paragraph.
    tags: {
      'empty-block': loneTag(
        (_state, { line }, label) => (label === '' ? markdownBlock('paragraph', { line }) : undefined),
        true,
      ),
    },
    draft: drafted(iconContents),
  },
}
