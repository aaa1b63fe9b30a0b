import { z } from 'zod'
import { isFullPage, type PageObject } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { dataSourceOf, titleOf, valuesOf } from '../records.ts'
import { RESULT_CHARACTERS_MAX, cutText } from '../texts.ts'
import { defineTool } from '../tool.ts'
import type { ShownValue } from '../values/shown_value.ts'
import { Lookup } from '../values/lookup.ts'
import { propertyNamed } from '../values/properties.ts'
import { conditions, filterOf } from '../values/filter_of.ts'

/** Longer texts are cut; `read_page` shows them whole. */
const TEXT_CHARACTERS_MAX = 300
/** Members of rows that are not properties; a property may have the same name. */
const OWN_MEMBERS = new Set(['id', 'title'])

export const queryRowsMcpTool = defineTool({
  name: 'query_rows',
  title: 'Query rows',
  description:
    'Returns the rows of a data source that meet conditions, in an order. Conditions and orders use the property names that describe_data_source lists. A row is a page: read_page shows its text.',
  operations: ['retrieveDataSource', 'retrieveDatabase', 'listUsers', 'queryDataSource'],
  input: z.object({
    data_source: z.string().describe('Id or URL of the data source, or of a database with one data source'),
    where: z
      .array(
        z.object({
          property: z.string(),
          condition: z.enum(conditions),
          value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        }),
      )
      .default([]),
    match: z.enum(['all', 'any']).default('all').describe('Whether rows have to meet all conditions, or any of them'),
    sort: z.array(z.object({ property: z.string(), descending: z.boolean().optional() })).default([]),
    columns: z.array(z.string()).optional().describe('Only these properties'),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().optional().describe('next_cursor of the previous result'),
  }),
  output: z.object({
    rows: z.array(z.object({ id: z.string(), title: z.string() }).catchall(z.unknown())).describe('With values by property name'),
    next_cursor: z.string().optional(),
    left_out: z.string().optional(),
  }),
  async run({ client }, { data_source: written, where, match, sort, columns, limit, cursor }) {
    const source = await dataSourceOf(client, recordIdIn(written, 'data_source'))
    const properties = Object.entries(source.properties).map(([name, { type, id }]) => ({ name, type, id }))
    const filter = await filterOf(new Lookup(client, async () => source), properties, where, match)
    const sorts = sort.map(({ property, descending }, index) => ({
      property: propertyNamed(properties, property, `sort[${index}].property`).name,
      direction: descending === true ? ('descending' as const) : ('ascending' as const),
    }))
    const shown = columns?.map((name, index) => propertyNamed(properties, name, `columns[${index}]`).id)
    const { results, next_cursor } = await client.dataSources.query({
      data_source_id: source.id,
      ...(filter && { filter }),
      ...(sorts.length > 0 && { sorts }),
      ...(shown && { filter_properties: shown }),
      ...(cursor !== undefined && { start_cursor: cursor }),
      page_size: limit,
    })
    const rows = results.filter(isFullPage).map(rowOf)
    const fitting = fittingRows(rows)
    const rest = {
      rows: fitting,
      left_out: `The last ${rows.length - fitting.length} rows do not fit. Ask for fewer columns, or limit: ${fitting.length}.`,
    }
    if (fitting.length < rows.length) return rest
    return { rows, ...(next_cursor !== null && { next_cursor }) }
  },
})

function rowOf(page: PageObject): { id: string; title: string; [name: string]: ShownValue } {
  const values = Object.entries(valuesOf(page)).map(([name, value]) => [
    OWN_MEMBERS.has(name) ? `${name} (property)` : name,
    typeof value === 'string' ? cutText(value, TEXT_CHARACTERS_MAX) : value,
  ])
  return { id: page.id, title: titleOf(page), ...Object.fromEntries(values) }
}

/** The first rows whose JSON has no more characters than a result may have. */
function fittingRows<Row>(rows: Row[]): Row[] {
  let characters = 0
  const end = rows.findIndex((row) => (characters += JSON.stringify(row).length) > RESULT_CHARACTERS_MAX)
  return end === -1 ? rows : rows.slice(0, Math.max(1, end))
}
