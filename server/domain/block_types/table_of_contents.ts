import type { TableOfContentsContent, TableOfContentsContentRequest } from '../../../generated/types.ts'
import { colorFields } from '../markdown/parse/reading.ts'
import { colorWord } from '../markdown/shared/color_words.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf } from './content.ts'
import { drafted, loadsNothing, loneTag, made, ownForm, presentColor } from './markdown_forms.ts'

export const tableOfContents: BlockTypeDefinition<'table_of_contents'> = {
  ...plainBlock,
  content: contentOf<TableOfContentsContentRequest, TableOfContentsContent>({ color }),
  children: noChildren,
  markdown: {
    ...ownForm('table_of_contents', loadsNothing),
    present: ({ block }) => made('table_of_contents', [], presentColor(block.content)),
    write: ({ fields }, writer, depth) =>
      writer.line(depth, `<table_of_contents${writeAttributes({ color: colorWord(fields.color) })}/>`),
    line: null,
    tags: {
      table_of_contents: loneTag((_state, { tag, line }, label) =>
        label === '' ? made('table_of_contents', [], colorFields(tag.attributes), [], line) : undefined,
      ),
    },
    draft: drafted(({ fields }, maker) => [maker.made('table_of_contents', { color: fields.color ?? 'default' })]),
  },
}
