import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { titleContent } from './content.ts'
import { loadsChildren } from './markdown_forms.ts'
import { recordForm } from './record_lines.ts'

export const childPage: BlockTypeDefinition<'child_page'> = {
  ...plainBlock,
  content: titleContent,
  children: anyChildren,
  record: 'page',
  markdown: { ...recordForm('page'), load: { ...loadsChildren, children: 'as root' } },
}
