import { z } from 'zod'
import { isFullDataSource, isFullPage, plainText } from '../../../client/src/index.ts'
import { titleOf } from '../records.ts'
import { defineTool } from '../tool.ts'

export const searchMcpTool = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds pages and data sources by words in their titles, and lists the most recently edited ones if no words are given. Returns ids for the other tools.',
  operations: ['search'],
  input: z.object({
    query: z.string().optional().describe('Words in the title. Omit to list everything that is shared.'),
    kind: z.enum(['page', 'data_source']).optional().describe('Only pages, or only data sources (tables of rows).'),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().optional().describe('next_cursor of the previous result'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['page', 'data_source']).optional(),
        title: z.string().optional(),
        edited: z.string().optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ client }, { query, kind, limit, cursor }) {
    const { results, next_cursor } = await client.search({
      ...(query !== undefined && { query }),
      ...(kind && { filter: { property: 'object', value: kind } }),
      ...(cursor !== undefined && { start_cursor: cursor }),
      page_size: limit,
    })
    return {
      results: results.map((found) => {
        if (isFullPage(found))
          return { id: found.id, kind: 'page' as const, title: titleOf(found), edited: found.last_edited_time }
        if (isFullDataSource(found))
          return { id: found.id, kind: 'data_source' as const, title: plainText(found.title), edited: found.last_edited_time }
        return { id: found.id }
      }),
      ...(next_cursor !== null && { next_cursor }),
    }
  },
})
