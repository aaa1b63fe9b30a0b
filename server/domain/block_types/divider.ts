import { lineText, readingOf, type BlockRule } from '../markdown/parse/reading.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { emptyContent } from './content.ts'
import { drafted, loadsNothing, made, ownForm } from './markdown_forms.ts'

const parseDivider: BlockRule = (state, line, _endLine, silent) => {
  if (!/^(?:-{3,}|\*{3,}|_{3,})$/.test(lineText(state, line))) return false
  if (silent) return true
  readingOf(state).add(made('divider', [], {}, [], line))
  state.line = line + 1
  return true
}

export const divider: BlockTypeDefinition<'divider'> = {
  ...plainBlock,
  content: emptyContent,
  children: noChildren,
  markdown: {
    ...ownForm('divider', loadsNothing),
    present: () => made('divider', [], {}),
    write: (_block, writer, depth) => writer.line(depth, '---'),
    line: { first: '-*_', parse: parseDivider },
    tags: {},
    draft: drafted((_block, maker) => [maker.made('divider', {})]),
  },
}
