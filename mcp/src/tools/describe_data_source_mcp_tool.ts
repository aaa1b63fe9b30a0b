import { z } from 'zod'
import { plainText, type PropertyConfig } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { dataSourceOf } from '../records.ts'
import { defineTool } from '../tool.ts'

export const describeDataSourceMcpTool = defineTool({
  name: 'describe_data_source',
  title: 'Describe a data source',
  description:
    'Lists the properties of a data source (the columns of a table): names, types, options. Call this tool before you query or create rows.',
  operations: ['retrieveDataSource', 'retrieveDatabase'],
  input: z.object({ data_source: z.string().describe('Id or URL of the data source, or of a database with one data source') }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    properties: z
      .record(z.string(), z.union([z.string(), z.looseObject({ type: z.string() })]))
      .describe('Types of the properties by name, with their options and so on'),
  }),
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
function described(config: PropertyConfig): string | { readonly type: string; readonly [detail: string]: unknown } {
  const { type } = config
  const options = optionsOf(config)
  if (options) return { type, options: options.map(({ name }) => name) }
  if (type === 'relation') return { type, data_source: config.relation.data_source_id }
  return type === 'formula' ? { type, expression: config.formula.expression } : type
}

function optionsOf(config: PropertyConfig): readonly { readonly name: string }[] | undefined {
  if (config.type === 'select') return config.select.options
  if (config.type === 'multi_select') return config.multi_select.options
  return config.type === 'status' ? config.status.options : undefined
}
