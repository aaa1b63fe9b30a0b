import type { TemplateContent, TemplateContentRequest } from '../../../generated/types.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { contentOf, richText } from './content.ts'
import { formless } from './markdown_forms.ts'

export const template: BlockTypeDefinition<'template'> = {
  ...plainBlock,
  content: contentOf<TemplateContentRequest, TemplateContent>({ rich_text: richText }),
  children: anyChildren,
  markdown: formless,
}
