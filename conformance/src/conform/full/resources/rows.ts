import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecord } from '../example_records.ts'
import type { FullParts, Resource } from '../parts.ts'
import { fittedValues } from './properties.ts'

/** The rows of the data sources of the examples, with values of every type that requests can set. */
export const rows: Resource = {
  async make(parts) {
    for (const record of parts.records.of('page')) await makeRow(parts, record)
    // Rows refer to each other, so their values are set once all of them exist.
    for (const record of parts.records.of('page')) await fillRow(parts, record)
  },

  exercise: () => Promise.resolve(),
}

async function makeRow(parts: FullParts, record: ExampleRecord): Promise<void> {
  const { standIns, writer } = parts
  const dataSourceId = dataSourceOf(record)
  if (dataSourceId === undefined || !standIns.has(dataSourceId) || standIns.has(record.id)) return
  const body = { parent: { data_source_id: standIns.of(dataSourceId) }, properties: {} }
  const row = await writer.send(operations.createPage, { body }, { name: 'a row of the examples', isCertain: true })
  if (row) standIns.set(record.id, row.id)
}

async function fillRow(parts: FullParts, record: ExampleRecord): Promise<void> {
  const { standIns, writer } = parts
  const dataSourceId = dataSourceOf(record)
  const own = standIns.has(record.id) ? standIns.of(record.id) : undefined
  const { properties } = record.values
  if (dataSourceId === undefined || own === undefined || !standIns.has(dataSourceId) || !isObject(properties)) return
  const asked = { path: { page_id: own }, body: { properties: fittedValues(parts, properties, dataSourceId) } }
  await writer.send(operations.updatePage, asked, { name: 'the values of a row of the examples', isCertain: true })
}

/** The row that replaces a row of the examples, in a data source of the examples. */
export function rowStandingIn({ records, standIns }: FullParts, dataSourceId: string): string | undefined {
  const record = records.of('page').find((one) => dataSourceOf(one) === dataSourceId && standIns.has(one.id))
  return record && standIns.of(record.id)
}

function dataSourceOf({ values }: ExampleRecord): string | undefined {
  const { parent } = values
  return isObject(parent) && parent['type'] === 'data_source_id' ? String(parent['data_source_id']) : undefined
}
