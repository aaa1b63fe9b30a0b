import { colorFields, lineText, parseBlockText, parseLevel } from '../markdown/parse/parse_state.ts'
import { colorWord } from '../markdown/shared/color_words.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { writeText } from '../markdown/write/write_text.ts'
import { textBlock, type BlockTypeDefinition } from './block_type.ts'
import { enclosingTag, textForm } from './markdown_forms.ts'

const SUMMARY = /^<summary>([^]*)<\/summary>$/

export const toggle: BlockTypeDefinition<'toggle'> = {
  ...textBlock,
  markdown: {
    ...textForm('toggle'),
    write({ text, fields, children }, writer, depth) {
      writer.line(depth, `<details${writeAttributes({ color: colorWord(fields.color) })}>`)
      writer.line(depth, `<summary>${writeText(text)}</summary>`)
      writer.list(children, depth + 1)
      writer.line(depth, '</details>')
    },
    tags: {
      details: enclosingTag(
        (state, { tag, rest, line }, end) => {
          let first = line + 1
          while (first < end && state.isEmpty(first)) first += 1
          const below = rest === '' && first < end ? SUMMARY.exec(lineText(state, first))?.[1] : undefined
          const text = below ?? SUMMARY.exec(rest)?.[1] ?? ''
          const children = parseLevel(state, 'toggle', below === undefined ? line + 1 : first + 1, end, 0)
          const fields = colorFields(tag.attributes)
          return markdownBlock('toggle', { text: parseBlockText(state, text), fields, children, line })
        },
        { trailing: '<summary>' },
      ),
    },
  },
}
