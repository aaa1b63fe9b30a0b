import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { emptyContent } from './content.ts'
import { formless } from './markdown_forms.ts'

export const breadcrumb: BlockTypeDefinition<'breadcrumb'> = {
  ...plainBlock,
  content: emptyContent,
  children: noChildren,
  markdown: formless,
}
