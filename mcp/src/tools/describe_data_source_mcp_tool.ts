import { z } from 'zod'
import { plainText, type PropertyConfig } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { dataSourceOf } from '../records.ts'
import { defineTool } from '../tool.ts'

export const describeDataSourceMcpTool = defineTool({
  name: 'describe_data_source',
  title: 'Describe a data source',
  description:
    'Lists the properties of a data source (the columns of a table): names, types, options. Read it before you query or create rows.',
  operations: ['retrieveDataSource', 'retrieveDatabase'],
  input: z.object({ data_source: z.string().describe('Id or URL of the data source, or of a database with one data source') }),
  async run({ client }, { data_source: written }) {
    const source = await dataSourceOf(client, recordIdIn(written, 'data_source'))
    return {
      id: source.id,
      title: plainText(source.title),
      ...(source.description.length > 0 && { description: plainText(source.description) }),
      properties: Object.fromEntries(Object.entries(source.properties).map(([name, config]) => [name, described(config)])),
    }
  },
})

/** The type, and what values depend on. */
function described(config: PropertyConfig): string | { readonly [detail: string]: unknown } {
  switch (config.type) {
    case 'select':
      return { type: config.type, options: config.select.options.map(({ name }) => name) }
    case 'multi_select':
      return { type: config.type, options: config.multi_select.options.map(({ name }) => name) }
    case 'status':
      return { type: config.type, options: config.status.options.map(({ name }) => name) }
    case 'relation':
      return { type: config.type, data_source: config.relation.data_source_id }
    case 'formula':
      return { type: config.type, expression: config.formula.expression }
    default:
      return config.type
  }
}
