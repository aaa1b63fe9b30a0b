import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { idOfAddress } from '../markdown/shared/tags.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { asStored } from './content.ts'
import { formless, loneTag } from './markdown_forms.ts'

export const unsupported: BlockTypeDefinition<'unsupported'> = {
  ...plainBlock,
  content: asStored,
  children: noChildren,
  markdown: {
    ...formless,
    tags: {
      unknown: loneTag((_state, { tag, line }, label) => {
        const id = idOfAddress(tag.attributes.get('url'))
        return label === '' ? markdownBlock('unsupported', { fields: id === undefined ? {} : { id }, line }) : undefined
      }),
    },
  },
}
