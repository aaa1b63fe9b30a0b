import type { EquationContent, EquationContentRequest } from '../../../../generated/types.ts'
import { addBlock, lineText, parseStateOf, type BlockRule } from '../markdown/parse/parse_state.ts'
import { EXPRESSION_LENGTH_MAX } from '../markdown/shared/equations.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { contentOf, plain } from './content.ts'
import { drafted, loadsNothing, ownForm } from './markdown_forms.ts'

const parseEquation: BlockRule = (state, line, _endLine, silent) => {
  const text = lineText(state, line)
  if (!text.startsWith('$$')) return false
  const end = text === '$$' ? parseStateOf(state).spans.get(line) : undefined
  const onOneLine = /^\$\$([^]+)\$\$$/.exec(text)?.[1]?.trim()
  const expression = end === undefined ? onOneLine : state.getLines(line + 1, end, state.sCount[line] ?? 0, false)
  if (expression === undefined || expression.trim() === '' || [...expression].length > EXPRESSION_LENGTH_MAX) return false
  if (end === undefined && /(?:^|[^\\])(?:\\\\)*\$/.test(expression)) return false
  return silent || addBlock(state, markdownBlock('equation', { fields: { expression }, line }), (end ?? line) + 1)
}

export const equation: BlockTypeDefinition<'equation'> = {
  ...plainBlock,
  content: contentOf<EquationContentRequest, EquationContent>({
    expression: { ...plain(), text: String },
  }),
  children: noChildren,
  markdown: {
    ...ownForm('equation', loadsNothing),
    // An expression that contains its own closing fence cannot be written. Only a line feed ends a line of Markdown.
    present(node, view) {
      const expression = String(node.block.content['expression'])
      return expression.trim() === '' || /(?:^|\n)[ \t]*\$\$[ \t]*(?:\n|$)/.test(expression) || expression.includes('\r')
        ? view.unknown(node)
        : markdownBlock('equation', { fields: { expression } })
    },
    write({ fields }, writer, depth) {
      writer.line(depth, '$$')
      for (const line of (fields.expression ?? '').split('\n')) writer.line(depth, line)
      writer.line(depth, '$$')
    },
    line: { first: '$', parse: parseEquation },
    draft: drafted(({ fields: { expression } }, maker) => [maker.create('equation', { expression })]),
  },
}
