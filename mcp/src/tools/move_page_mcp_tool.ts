import { z } from 'zod'
import type { MovePageParentRequest, PageObject } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { dataSourceOf, requireFull } from '../records.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoToken } from './undo_token.ts'

export const movePageMcpTool = defineTool({
  name: 'move_page',
  title: 'Move a page',
  description: 'Moves a page and everything below it: below another page, or as a row into a data source.',
  operations: ['retrievePage', 'movePage', 'retrieveDataSource'],
  input: z.object({
    page: z.string().describe('Id or URL of the page to move'),
    to_page: z.string().optional().describe('Id or URL of the page that it goes below'),
    to_data_source: z.string().optional().describe('Id of the data source that it goes into'),
  }),
  output: z.object({ moved: z.string(), undo: undoToken }),
  async run({ client, undo }, { page, to_page: toPage, to_data_source: toDataSource }) {
    if ((toPage === undefined) === (toDataSource === undefined)) throw new ToolError('Give either to_page or to_data_source.')
    const id = recordIdIn(page, 'page')
    const before = requireFull(await client.pages.retrieve({ page_id: id }))
    const parent =
      toPage === undefined
        ? { data_source_id: (await dataSourceOf(client, recordIdIn(toDataSource ?? '', 'to_data_source'))).id }
        : { page_id: recordIdIn(toPage, 'to_page') }
    await client.pages.move({ page_id: id, parent })
    const back = parentOf(before)
    const undoMove = async (): Promise<string> => {
      if (back) await client.pages.move({ page_id: id, parent: back })
      return 'Moved the page back.'
    }
    return { moved: id, ...(back && { undo: undo.add(undoMove) }) }
  },
})

/** Where a page can be moved back to; undefined for the top level, and for places that need a position. */
function parentOf({ parent }: PageObject): MovePageParentRequest | undefined {
  if (parent.type === 'page_id') return { page_id: parent.page_id }
  return parent.type === 'data_source_id' ? { data_source_id: parent.data_source_id } : undefined
}
