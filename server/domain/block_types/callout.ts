import type { CalloutContent, CalloutContentRequest, CalloutIconRequest } from '../../../generated/types.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf, icon, richText } from './content.ts'
import { labelledTag } from './labelled_tag.ts'
import { drafted, iconContents, loadsChildren, ownForm, presentIconField, presentText, writeLabelled } from './markdown_forms.ts'

export const callout: BlockTypeDefinition = {
  ...plainBlock,
  content: contentOf<CalloutContentRequest, CalloutContent>({
    rich_text: richText,
    color,
    icon: icon<CalloutIconRequest>({ type: 'emoji', emoji: '💡' }),
  }),
  children: anyChildren,
  markdown: {
    ...ownForm('callout'),
    load: loadsChildren,
    present: (node, view) => presentText('callout', node, view, presentIconField(node.block.content, view)),
    write: (block, writer, depth) => writeLabelled('callout', block, writer, depth),
    line: null,
    tags: { callout: labelledTag('callout', { hasColons: true, mayStand: () => true }) },
    draft: drafted(iconContents),
  },
}
