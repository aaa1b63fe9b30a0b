import type { CalloutContent, CalloutContentRequest, CalloutIconRequest } from '../../../../generated/types.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, icon, richText } from './content.ts'
import { labeledTag } from './labeled_tag.ts'
import { drafted, iconContents, presentIconField, textForm, writeLabeled } from './markdown_forms.ts'

export const callout: BlockTypeDefinition<'callout'> = {
  ...plainBlock,
  content: contentOf<CalloutContentRequest, CalloutContent>({
    rich_text: richText,
    color,
    icon: icon<CalloutIconRequest>({ type: 'emoji', emoji: '💡' }),
  }),
  children: anyChildren,
  markdown: {
    ...textForm('callout', presentIconField),
    write: (block, writer, depth) => writeLabeled('callout', block, writer, depth),
    tags: { callout: labeledTag('callout', { hasColons: true }) },
    draft: drafted(iconContents),
  },
}
