import type { HeadingContent, HeadingContentRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { takeAttributes, wholeLine, type BlockRule } from '../markdown/parse/parse_state.ts'
import { escapeClosingMarks, withoutClosingMarks } from '../markdown/shared/escapes.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, flag, richText } from './content.ts'
import { addTextBlock, textForm, textLine, writeLine } from './markdown_forms.ts'

const TYPES = ['heading_1', 'heading_2', 'heading_3', 'heading_4'] as const
const MARKER = /^(#{1,6})(?:[ \t]+|$)/

const parseHeading: BlockRule = (state, line, endLine, silent) => {
  const text = wholeLine(state, line)
  const marker = MARKER.exec(text)
  if (!marker) return false
  if (silent) return true
  const attributed = takeAttributes(text.slice(marker[0].length), true)
  const type = TYPES[(marker[1]?.length ?? 1) - 1] ?? 'heading_4'
  return addTextBlock(
    state,
    type,
    { ...attributed, text: withoutClosingMarks(attributed.text) },
    line,
    endLine,
    {},
    attributed.toggle ? undefined : Infinity,
  )
}

function heading<Type extends (typeof TYPES)[number]>(type: Type): BlockTypeDefinition<Type> {
  const marker = '#'.repeat(TYPES.indexOf(type) + 1)
  return {
    ...plainBlock,
    content: contentOf<HeadingContentRequest, HeadingContent>({ rich_text: richText, color, is_toggleable: flag }),
    async requireChange({ from, to, path, hasChildren }) {
      if (from['is_toggleable'] === true && to['is_toggleable'] === false && (await hasChildren()))
        throw invalid(`${path}.is_toggleable`, 'should be true while the heading has children')
    },
    children: {
      ...anyChildren,
      areTaken: (content) => content['is_toggleable'] === true,
      contentAround: (content) => ({ ...content, is_toggleable: true }),
    },
    markdown: {
      ...textForm(
        type,
        (content) => (content['is_toggleable'] === true ? { toggle: true } : {}),
        ({ toggle = false }) => ({ is_toggleable: toggle }),
      ),
      write: (block, writer, depth) => writeLine(marker, escapeClosingMarks(textLine(block)), block, writer, depth),
      line: { first: '#', parse: parseHeading },
    },
  }
}

export const heading1 = heading('heading_1')
export const heading2 = heading('heading_2')
export const heading3 = heading('heading_3')
export const heading4 = heading('heading_4')
