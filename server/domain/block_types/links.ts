import type { UrlContent, UrlContentRequest } from '../../../generated/types.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { asStored, contentOf, plain, richText } from './content.ts'
import { formless } from './markdown_forms.ts'

const link: BlockTypeDefinition<never> = {
  ...plainBlock,
  content: contentOf<UrlContentRequest, UrlContent>({ url: plain(), caption: richText }),
  children: noChildren,
  markdown: formless,
}

export { link as bookmark, link as embed }

export const linkPreview: BlockTypeDefinition<'link_preview'> = { ...link, content: asStored }
