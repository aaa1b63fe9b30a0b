import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { recordIdIn } from './forgiving.ts'
import type { Suggestions } from './suggestions.ts'
import type { ToolContext } from './tool.ts'
import { describeDataSourceMcpTool } from './tools/describe_data_source_mcp_tool.ts'
import { readPageMcpTool } from './tools/read_page_mcp_tool.ts'

/** Offers pages as Markdown and the properties of data sources, for clients that let a person attach them. */
export function registerResources(server: McpServer, context: ToolContext, { pages, dataSources }: Suggestions): void {
  server.registerResource(
    'page',
    new ResourceTemplate('workspace://pages/{id}', { list: undefined, complete: { id: pages } }),
    { title: 'Page', description: 'A page as Markdown', mimeType: 'text/markdown' },
    async (uri, { id }) => {
      const text = String(await readPageMcpTool.run(context, { page: recordIdIn(String(id), 'id'), from: 0 }))
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
  server.registerResource(
    'data_source',
    new ResourceTemplate('workspace://data_sources/{id}', { list: undefined, complete: { id: dataSources } }),
    { title: 'Data source', description: 'The properties of a data source', mimeType: 'application/json' },
    async (uri, { id }) => {
      const described = await describeDataSourceMcpTool.run(context, { data_source: recordIdIn(String(id), 'id') })
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(described) }] }
    },
  )
}
