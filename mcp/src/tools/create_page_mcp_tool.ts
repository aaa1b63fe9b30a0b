import { z } from 'zod'
import { recordIdIn } from '../forgiving.ts'
import { requireFull } from '../records.ts'
import { defineTool } from '../tool.ts'
import { undoCreation } from '../undo_steps.ts'
import { richTextItems } from '../values/value_request.ts'
import { undoToken } from './undo_token.ts'

export const createPageMcpTool = defineTool({
  name: 'create_page',
  title: 'Create a page',
  description:
    'Creates a page with a title and Markdown content, below another page or at the top level. For rows of a table, use create_rows.',
  operations: ['createPage'],
  input: z.object({
    title: z.string(),
    markdown: z.string().default('').describe('The content, without the title'),
    parent: z.string().optional().describe('Id or URL of the page above. If omitted: the top level of the workspace'),
    icon: z.string().optional().describe('An emoji'),
  }),
  output: z.object({ id: z.string(), url: z.string(), undo: undoToken }),
  async run({ client, undo }, { title, markdown, parent, icon }) {
    const created = await client.pages.create({
      parent: parent === undefined ? { type: 'workspace', workspace: true } : { page_id: recordIdIn(parent, 'parent') },
      properties: { title: { title: richTextItems(title) } },
      ...(markdown !== '' && { markdown }),
      ...(icon !== undefined && { icon: { emoji: icon } }),
    })
    const page = requireFull(created)
    return { id: page.id, url: page.url, undo: undo.add(undoCreation(client, [page.id])) }
  },
})
