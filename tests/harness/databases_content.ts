import type { Caller } from './caller.ts'
import { text } from './content.ts'
import { at, idOf, type JsonObject } from './json.ts'

/** A database and its only data source. */
export interface MadeDatabase {
  readonly id: string
  readonly sourceId: string
}

/** Creates a database. @param properties its schema; without a title property, `Name` is added */
export async function makeDatabase(
  caller: Caller,
  parent: string,
  properties: object = {},
  more: object = {},
): Promise<MadeDatabase> {
  const hasTitle = Object.values(properties).some(
    (column: unknown) => typeof column === 'object' && column !== null && 'title' in column,
  )
  const response = await caller.call('createDatabase', {
    body: {
      parent: { page_id: parent },
      title: [text('Repairs')],
      initial_data_source: { properties: hasTitle ? properties : { Name: { title: {} }, ...properties } },
      ...more,
    },
  })
  if (response.status !== 200) throw new Error(response.text)
  return { id: idOf(response.body), sourceId: String(at(response.body, 'data_sources', 0, 'id')) }
}

/**
 * Creates a row.
 * @returns the page from the response
 */
export async function makeRow(caller: Caller, sourceId: string, properties: object = {}, more: object = {}): Promise<JsonObject> {
  const response = await caller.call('createPage', { body: { parent: { data_source_id: sourceId }, properties, ...more } })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** The properties of a data source by name. */
export async function columnsOf(caller: Caller, sourceId: string): Promise<Record<string, JsonObject>> {
  const { body } = await caller.call('retrieveDataSource', { path: { data_source_id: sourceId } })
  return body['properties'] as Record<string, JsonObject>
}

export async function readRow(caller: Caller, id: string): Promise<JsonObject> {
  return (await caller.call('retrievePage', { path: { page_id: id } })).body
}

/** The values of a row by property name, each the value under the key of its type. */
export async function valuesOf(caller: Caller, id: string): Promise<Record<string, unknown>> {
  return plainValues(await readRow(caller, id))
}

export function plainValues(page: JsonObject): Record<string, unknown> {
  const properties = page['properties'] as Record<string, JsonObject>
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value[String(value['type'])]]))
}
