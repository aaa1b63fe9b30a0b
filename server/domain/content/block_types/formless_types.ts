import type { TemplateContent, TemplateContentRequest, UrlContent, UrlContentRequest } from '../../../../generated/types.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { idOfAddress } from '../markdown/shared/tags.ts'
import { anyChildren, noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { asStored, contentOf, emptyContent, plain, richText } from './content.ts'
import { embedContent } from './embed.ts'
import { formless, loneTag } from './markdown_forms.ts'

export const template: BlockTypeDefinition<'template'> = {
  ...plainBlock,
  content: contentOf<TemplateContentRequest, TemplateContent>({ rich_text: richText }),
  children: anyChildren,
  markdown: formless,
}

const leaf = { ...plainBlock, children: noChildren, markdown: formless }

export const breadcrumb: BlockTypeDefinition<'breadcrumb'> = { ...leaf, content: emptyContent }

const link: BlockTypeDefinition<never> = {
  ...leaf,
  content: contentOf<UrlContentRequest, UrlContent>({ url: plain(), caption: richText }),
}

export { link as bookmark }

export const embed: BlockTypeDefinition<'embed'> = { ...leaf, content: embedContent }

export const linkPreview: BlockTypeDefinition<'link_preview'> = { ...leaf, content: asStored }

/** Its tag is used for every type without a Markdown form of its own. */
export const unsupported: BlockTypeDefinition<'unsupported'> = {
  ...leaf,
  content: asStored,
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
