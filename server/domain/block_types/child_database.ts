import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { titleContent } from './content.ts'
import { loadsNothing } from './markdown_forms.ts'
import { recordForm } from './record_lines.ts'

export const childDatabase: BlockTypeDefinition<'child_database'> = {
  ...plainBlock,
  content: titleContent,
  // The rows below it are its data sources.
  children: { ...noChildren, areListed: false },
  record: 'database',
  takesPlaceholder: ({ title }) => !Array.isArray(title) || title.length === 0,
  markdown: { ...recordForm('database'), load: loadsNothing },
}
