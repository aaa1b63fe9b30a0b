import { addBlock, lineText, type BlockRule } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { emptyContent } from './content.ts'
import { drafted, loadsNothing, ownForm } from './markdown_forms.ts'

/**
 * Whether a line is a divider: three or more of the same character, with or without blanks between them.
 * @param line has no blanks at its end
 */
export function isDivider(line: string): boolean {
  return /^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$/.test(line)
}

const parseDivider: BlockRule = (state, line, _endLine, silent) => {
  return isDivider(lineText(state, line)) && (silent || addBlock(state, markdownBlock('divider', { line }), line + 1))
}

export const divider: BlockTypeDefinition<'divider'> = {
  ...plainBlock,
  content: emptyContent,
  children: noChildren,
  markdown: {
    ...ownForm('divider', loadsNothing),
    present: () => markdownBlock('divider'),
    write: (_block, writer, depth) => writer.line(depth, '---'),
    line: { first: '-*_', parse: parseDivider },
    draft: drafted((_block, maker) => [maker.create('divider', {})]),
  },
}
