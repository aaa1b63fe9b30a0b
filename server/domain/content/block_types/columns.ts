import type { ColumnContent, ColumnContentRequest } from '../../../../generated/types.ts'
import { parseLevel } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { contentOf, emptyContent, plain } from './content.ts'
import { drafted, enclosingTag, loadsChildren, loadsWhole, ownForm, writeContainer } from './markdown_forms.ts'
import { wrapLoose } from './wrap_loose.ts'

export const columnList: BlockTypeDefinition<'column_list'> = {
  ...plainBlock,
  content: emptyContent,
  children: { ...anyChildren, only: 'column' },
  markdown: {
    ...ownForm('column_list', loadsWhole),
    present: ({ children }, view) => markdownBlock('column_list', { children: view.list(children) }),
    write: (block, writer, depth) => writeContainer('columns', '', block, writer, depth),
    tags: {
      columns: enclosingTag((state, { line }, end) => {
        const inside = parseLevel(state, 'column_list', line + 1, end, 0)
        const children = wrapLoose(inside, 'column', ({ type }) => type === 'column')
        return markdownBlock('column_list', { children, line })
      }),
    },
    draft: {
      ...drafted((_block, maker) => [maker.create('column_list', {})]),
      form: ({ children }) => (children.length < 2 ? 'inside' : 'block'),
      isGrid: true,
    },
  },
}

export const column: BlockTypeDefinition<'column'> = {
  ...plainBlock,
  content: contentOf<ColumnContentRequest, ColumnContent>({ width_ratio: plain() }),
  children: anyChildren,
  placement: { partOf: 'column_list', requireFit: null },
  markdown: {
    ...ownForm('column', loadsChildren),
    present({ block, children }, view) {
      const ratio = block.content['width_ratio']
      const fields = typeof ratio === 'number' ? { widthRatio: ratio } : {}
      return markdownBlock('column', { fields, children: view.list(children) })
    },
    write: (block, writer, depth) =>
      writeContainer('column', writeAttributes({ width_ratio: block.fields.widthRatio?.toString() }), block, writer, depth),
    tags: {
      column: enclosingTag(
        (state, { tag, line }, end) => {
          const ratio = Number(tag.attributes.get('width_ratio') ?? Number.NaN)
          const fields = ratio > 0 && ratio <= 1 ? { widthRatio: ratio } : {}
          return markdownBlock('column', { fields, children: parseLevel(state, 'column', line + 1, end, 0), line })
        },
        { mayStand: (_tag, parent) => parent === 'column_list' },
      ),
    },
    draft: drafted(({ fields: { widthRatio } }, maker) => [
      maker.create('column', widthRatio === undefined ? {} : { width_ratio: widthRatio }),
    ]),
  },
}
