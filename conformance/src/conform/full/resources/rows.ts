import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecord } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { fittedValues } from './properties.ts'

/** The rows of the data sources of the examples, with values of every type that requests can set. */
export const rows: Resource = {
  async make(context) {
    for (const record of context.records.of('page')) await makeRow(context, record)
    // Rows refer to each other, so their values are set once all of them exist.
    for (const record of context.records.of('page')) await fillRow(context, record)
  },

  exercise: () => Promise.resolve(),
}

async function makeRow(context: FullRunContext, record: ExampleRecord): Promise<void> {
  const { replacements, writer } = context
  const dataSourceId = dataSourceOf(record)
  if (dataSourceId === undefined || !replacements.has(dataSourceId) || replacements.has(record.id)) return
  const body = { parent: { data_source_id: replacements.of(dataSourceId) }, properties: {} }
  const row = await writer.send(operations.createPage, { body }, { name: 'a row of the examples', isCertain: true })
  if (row) replacements.set(record.id, row.id)
}

async function fillRow(context: FullRunContext, record: ExampleRecord): Promise<void> {
  const { replacements, writer } = context
  const dataSourceId = dataSourceOf(record)
  const own = replacements.has(record.id) ? replacements.of(record.id) : undefined
  const { properties } = record.values
  if (dataSourceId === undefined || own === undefined || !replacements.has(dataSourceId) || !isObject(properties)) return
  const input = { path: { page_id: own }, body: { properties: fittedValues(context, properties, dataSourceId) } }
  await writer.send(operations.updatePage, input, { name: 'the values of a row of the examples', isCertain: true })
}

/** The row that replaces a row of the examples, in a data source of the examples. */
export function replacementRow({ records, replacements }: FullRunContext, dataSourceId: string): string | undefined {
  const record = records.of('page').find((one) => dataSourceOf(one) === dataSourceId && replacements.has(one.id))
  return record && replacements.of(record.id)
}

function dataSourceOf({ values }: ExampleRecord): string | undefined {
  const { parent } = values
  return isObject(parent) && parent['type'] === 'data_source_id' ? String(parent['data_source_id']) : undefined
}
