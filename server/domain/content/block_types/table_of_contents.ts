import type { TableOfContentsContent, TableOfContentsContentRequest } from '../../../../generated/types.ts'
import { colorFields } from '../markdown/parse/parse_state.ts'
import { colorWord } from '../markdown/shared/color_words.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf } from './content.ts'
import { drafted, loadsNothing, loneTag, ownForm, presentColor } from './markdown_forms.ts'

export const tableOfContents: BlockTypeDefinition<'table_of_contents'> = {
  ...plainBlock,
  content: contentOf<TableOfContentsContentRequest, TableOfContentsContent>({ color }),
  children: noChildren,
  markdown: {
    ...ownForm('table_of_contents', loadsNothing),
    present: ({ block }) => markdownBlock('table_of_contents', { fields: presentColor(block.content) }),
    write: ({ fields }, writer, depth) =>
      writer.line(depth, `<table_of_contents${writeAttributes({ color: colorWord(fields.color) })}/>`),
    tags: {
      table_of_contents: loneTag((_state, { tag, line }, label) =>
        label === '' ? markdownBlock('table_of_contents', { fields: colorFields(tag.attributes), line }) : undefined,
      ),
    },
    draft: drafted(({ fields }, maker) => [maker.create('table_of_contents', { color: fields.color ?? 'default' })]),
  },
}
