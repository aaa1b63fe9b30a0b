import { z } from 'zod'
import type { PropertyValueRequest } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { dataSourceOf, requireFull } from '../records.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoCreation } from '../undo_steps.ts'
import { Lookup } from '../values/lookup.ts'
import { richTextItems, titleName, valueRequests } from '../values/value_request.ts'
import { writtenValues } from './written_values.ts'
import { undoToken } from './undo_token.ts'

export const createRowsMcpTool = defineTool({
  name: 'create_rows',
  title: 'Create rows',
  description:
    'Creates rows in a data source, with a title, property values and Markdown content. All values are checked before the first row is created.',
  operations: ['retrieveDataSource', 'retrieveDatabase', 'listUsers', 'queryDataSource', 'createPage'],
  input: z.object({
    data_source: z.string().describe('Id or URL of the data source, or of a database with one data source'),
    rows: z
      .array(z.object({ title: z.string().default(''), values: writtenValues.default({}), markdown: z.string().default('') }))
      .min(1)
      .max(50),
  }),
  output: z.object({ ids: z.array(z.string()), undo: undoToken }),
  async run({ client, undo, progress }, { data_source: written, rows }) {
    const source = await dataSourceOf(client, recordIdIn(written, 'data_source'))
    const lookup = new Lookup(client, async () => source)
    const prepared: { properties: Record<string, PropertyValueRequest>; markdown?: string }[] = []
    for (const [index, { title, values, markdown }] of rows.entries()) {
      const properties = await valueRequests(lookup, source.properties, values, `rows[${index}].values`)
      if (title !== '') properties[titleName(source.properties)] = { title: richTextItems(title) }
      prepared.push({ properties, ...(markdown !== '' && { markdown }) })
    }
    const ids: string[] = []
    for (const [index, row] of prepared.entries()) {
      const created = await client.pages.create({ parent: { data_source_id: source.id }, ...row }).catch((error: unknown) => {
        if (ids.length === 0) throw error
        const reason = error instanceof Error ? error.message : String(error)
        const token = undo.add(undoCreation(client, ids))
        const remedy = token === undefined ? '' : ` To remove them, call undo with ${token}.`
        throw new ToolError(`rows[${index}] was refused: ${reason} The rows before it were created: ${ids.join(', ')}.${remedy}`)
      })
      ids.push(requireFull(created).id)
      await progress(ids.length, prepared.length)
    }
    return { ids, undo: undo.add(undoCreation(client, ids)) }
  },
})
