import { z } from 'zod'
import { recordIdIn } from '../forgiving.ts'
import { defineTool } from '../tool.ts'
import { undoToken } from './undo_token.ts'

export const trashPageMcpTool = defineTool({
  name: 'trash_page',
  title: 'Move a page to the trash',
  description: 'Moves a page or row, with everything below it, to the trash, or restores it.',
  operations: ['updatePage'],
  input: z.object({
    page: z.string().describe('Id or URL of the page or row'),
    restore: z.boolean().default(false).describe('Restores it instead'),
  }),
  output: z.object({ trashed: z.string().optional(), restored: z.string().optional(), undo: undoToken }),
  async run({ client, undo }, { page, restore }) {
    const id = recordIdIn(page, 'page')
    await client.pages.update({ page_id: id, in_trash: !restore })
    const undoTrash = async (): Promise<string> => {
      await client.pages.update({ page_id: id, in_trash: restore })
      return restore ? 'Moved the page to the trash again.' : 'Took the page out of the trash.'
    }
    return { ...(restore ? { restored: id } : { trashed: id }), undo: undo.add(undoTrash) }
  },
})
