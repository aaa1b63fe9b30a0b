import type { StateBlock } from 'markdown-it'
import type { BlockType, ToDoContent, ToDoContentRequest } from '../../../../generated/types.ts'
import { addBlock, parseLevel, parseStateOf, takeAttributes, wholeLine, type BlockRule } from '../markdown/parse/parse_state.ts'
import { escapeLineStart } from '../markdown/shared/escapes.ts'
import { markdownBlock, PARSE_DEPTH_MAX, type BlockFields, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { textBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, flag, richText } from './content.ts'
import { isDivider } from './divider.ts'
import { addTextBlock, drafted, textContents, textForm, textLine, writeLine } from './markdown_forms.ts'
import type { MarkdownRules } from './markdown_rules.ts'

const ITEM = /^(?:([-*+])|(\d{1,9})[.)])(?:[ \t]+|$)/
const CHECKBOX = /^\[([ xX])\](?:[ \t]+|$)/

const parseItem: BlockRule = (state, line, endLine, silent) => {
  const text = wholeLine(state, line)
  const marker = ITEM.exec(text)
  if (!marker || isDivider(text)) return false
  if (silent) return true
  const [whole, bullet, number] = marker
  const checkbox = bullet === undefined ? undefined : (CHECKBOX.exec(text.slice(whole.length)) ?? undefined)
  const type = number !== undefined ? 'numbered_list_item' : checkbox ? 'to_do' : 'bulleted_list_item'
  const textStart = whole.length + (checkbox?.[0].length ?? 0)
  // Two blanks below a bullet are enough indentation, as in other Markdown dialects.
  const indent = (state.sCount[line] ?? 0) + Math.min((bullet ?? `${number}.`).length + 1, 4)
  const own: BlockFields = checkbox ? { checked: checkbox[1] !== ' ' } : startOf(state, number)
  const inner = textStart < text.length ? innerBlocks(state, type, line, endLine, textStart, indent) : undefined
  if (inner) return addBlock(state, markdownBlock(type, { fields: own, children: inner, line }), state.line)
  return addTextBlock(state, type, takeAttributes(text.slice(textStart)), line, endLine, own, indent)
}

/** The start number of a list item. Only the first number of a run counts. */
function startOf(state: StateBlock, number: string | undefined): BlockFields {
  if (number === undefined || parseStateOf(state).blocks.at(-1)?.type === 'numbered_list_item') return {}
  return Number(number) === 1 ? {} : { start: Number(number) }
}

/** Parses a block after a list marker, as in `- ## Title`: the line is parsed again without its marker. */
function innerBlocks(
  state: StateBlock,
  type: BlockType,
  line: number,
  endLine: number,
  textStart: number,
  indent: number,
): MarkdownBlock[] | undefined {
  const [tShift, sCount] = [state.tShift[line] ?? 0, state.sCount[line] ?? 0]
  if (parseStateOf(state).depth >= PARSE_DEPTH_MAX) return undefined
  state.tShift[line] = tShift + textStart
  state.sCount[line] = Math.max(indent, sCount + textStart)
  // The last rule is that of paragraphs, which accepts every line.
  const isBlock = state.md.block.ruler
    .getRules('')
    .slice(0, -1)
    .some((rule) => rule(state, line, endLine, true))
  const blocks = isBlock ? parseLevel(state, type, line, endLine, indent) : undefined
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  return blocks
}

function itemForm(marker: (block: MarkdownBlock, number: number) => string): Pick<MarkdownRules, 'write' | 'line'> {
  return {
    write: (block, writer, depth, number) =>
      writeLine(marker(block, number), escapeLineStart(textLine(block)), block, writer, depth),
    line: { first: '-*+0123456789', parse: parseItem },
  }
}

export const bulletedListItem: BlockTypeDefinition<'bulleted_list_item'> = {
  ...textBlock,
  markdown: { ...textForm('bulleted_list_item'), ...itemForm(() => '-') },
}

export const numberedListItem: BlockTypeDefinition<'numbered_list_item'> = {
  ...textBlock,
  isNumbered: true,
  markdown: {
    ...textForm('numbered_list_item', ({ list_start_index: start }) => (typeof start === 'number' ? { start } : {})),
    ...itemForm((_block, number) => `${number}.`),
    draft: drafted(function* (block, maker) {
      let { start } = block.fields
      for (const { type, content } of textContents(block, maker, {})) {
        yield { type, content: start === undefined ? content : { ...content, list_start_index: start } }
        start = undefined
      }
    }),
  },
}

export const toDo: BlockTypeDefinition<'to_do'> = {
  ...textBlock,
  content: contentOf<ToDoContentRequest, ToDoContent>({ rich_text: richText, color, checked: flag }),
  markdown: {
    ...textForm(
      'to_do',
      (content) => ({ checked: content['checked'] === true }),
      ({ checked = false }) => ({ checked }),
    ),
    ...itemForm(({ fields }) => (fields.checked ? '- [x]' : '- [ ]')),
  },
}
