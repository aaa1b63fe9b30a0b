import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { StoredProperty } from '../../server/domain/data/properties/stored.ts'
import { findDataSources, updateColumns } from '../../server/store/data_sources.ts'
import type { TestResponse } from './responses.ts'
import type { Caller } from './caller.ts'
import { makeDatabase, type MadeDatabase } from './databases_content.ts'
import { at, idOf, type JsonObject } from './json.ts'
import type { TestServer } from './server.ts'
import { textColumns } from './text_types.ts'

/** Properties of every type that views treat differently. */
const COLUMNS = {
  Job: { title: {} },
  Stage: { status: {} },
  Priority: { select: { options: [{ name: 'High' }, { name: 'Low' }] } },
  Skills: { multi_select: { options: [{ name: 'Rigging' }] } },
  Cost: { number: { format: 'euro' } },
  Total: { formula: { expression: 'prop("Cost") * 2' } },
  Label: { formula: { expression: 'prop("Notes")' } },
  Late: { formula: { expression: 'prop("Cost") > 2' } },
  Ready: { formula: { expression: 'dateAdd(prop("Due"), 1, "days")' } },
  Due: { date: {} },
  Owner: { people: {} },
  Approved: { checkbox: {} },
  Notes: { rich_text: {} },
  Photos: { files: {} },
  Guide: { url: {} },
  Mail: { email: {} },
  ...textColumns,
  Ticket: { unique_id: {} },
  Checked: { verification: {} },
  Start: { button: {} },
  Dock: { place: {} },
  Created: { created_time: {} },
  Author: { created_by: {} },
  Edited: { last_edited_time: {} },
  Editor: { last_edited_by: {} },
}

export interface Tracker extends MadeDatabase {
  /** The ids of the properties by name. */
  readonly columns: Readonly<Record<string, string>>
}

/** Creates a database with a property of every type. With `relatedId`, it also gets the relation `Boat` to that data source, and rollups. */
export async function makeTracker(caller: Caller, parent: string, relatedId?: string): Promise<Tracker> {
  const relation =
    relatedId === undefined
      ? {}
      : {
          Boat: { relation: { data_source_id: relatedId, single_property: {} } },
          First: {
            rollup: { function: 'earliest_date', relation_property_name: 'Boat', rollup_property_name: 'Due' },
          },
          Spent: { rollup: { function: 'sum', relation_property_name: 'Boat', rollup_property_name: 'Cost' } },
          Names: { rollup: { function: 'show_original', relation_property_name: 'Boat', rollup_property_name: 'Job' } },
        }
  const made = await makeDatabase(caller, parent, { ...COLUMNS, ...relation })
  return { ...made, columns: await columnIds(caller, made.sourceId) }
}

/** Changes the properties of a data source by a schema change. */
export async function changeColumns(
  server: TestServer,
  sourceId: string,
  change: (column: StoredProperty) => StoredProperty | undefined,
): Promise<void> {
  const { id: workspaceId } = exampleWorkspace.workspace
  await server.service.database.write(async (db) => {
    const source = (await findDataSources(db, workspaceId, [sourceId])).get(sourceId)
    if (!source) throw new Error('no data source')
    const properties = (source.properties as StoredProperty[]).flatMap((column) => change(column) ?? [])
    await updateColumns(db, workspaceId, sourceId, { ...source, properties })
  })
}

export async function columnIds(caller: Caller, sourceId: string): Promise<Record<string, string>> {
  const { body } = await caller.call('retrieveDataSource', { path: { data_source_id: sourceId } })
  const columns = body['properties'] as Record<string, JsonObject>
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, String(column['id'])]))
}

/** Sends a request to create a view, by default a table as a tab. */
export function createView(caller: Caller, { id, sourceId }: MadeDatabase, body: object = {}): Promise<TestResponse> {
  return caller.call('createView', { body: { database_id: id, data_source_id: sourceId, name: 'View', type: 'table', ...body } })
}

/**
 * Creates a view.
 * @returns the view from the response
 * @throws Error unless it worked
 */
export async function makeView(caller: Caller, made: MadeDatabase, body: object = {}): Promise<JsonObject> {
  const response = await createView(caller, made, body)
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** Creates a widget on a dashboard. @throws Error unless it worked */
export async function makeWidget(
  caller: Caller,
  made: MadeDatabase,
  dashboardId: string,
  body: object = {},
): Promise<JsonObject> {
  return makeView(caller, made, { database_id: undefined, view_id: dashboardId, ...body })
}

export function retrieveView(caller: Caller, id: string): Promise<TestResponse> {
  return caller.call('retrieveView', { path: { view_id: id } })
}

export function updateView(caller: Caller, id: string, body: object): Promise<TestResponse> {
  return caller.call('updateView', { path: { view_id: id }, body })
}

export function deleteView(caller: Caller, id: string): Promise<TestResponse> {
  return caller.call('deleteView', { path: { view_id: id } })
}

export function createViewQuery(caller: Caller, id: string, body?: object): Promise<TestResponse> {
  return caller.call('createViewQuery', { path: { view_id: id }, ...(body === undefined ? {} : { body }) })
}

export function listResults(
  caller: Caller,
  id: string,
  queryId: string,
  query: Record<string, string> = {},
): Promise<TestResponse> {
  return caller.call('listViewQueryResults', { path: { view_id: id, query_id: queryId }, query })
}

export function deleteViewQuery(caller: Caller, id: string, queryId: string): Promise<TestResponse> {
  return caller.call('deleteViewQuery', { path: { view_id: id, query_id: queryId } })
}

/** The ids of a list of views, in order. */
export async function viewIds(caller: Caller, query: Record<string, string>): Promise<string[]> {
  const { body } = await caller.call('listDatabaseViews', { query })
  return (body['results'] as JsonObject[]).map(idOf)
}

/** The views in the rows of a dashboard, with their widths. */
export async function widgetsOf(caller: Caller, dashboardId: string): Promise<[id: string, width: number][][]> {
  const { body } = await retrieveView(caller, dashboardId)
  const rows = at(body, 'configuration', 'rows') as JsonObject[]
  return rows.map((row, index) =>
    (row['widgets'] as JsonObject[]).map((widget) => {
      if (widget['row_index'] !== index) throw new Error(`widget in row ${index} says ${String(widget['row_index'])}`)
      return [String(widget['view_id']), Number(widget['width'])]
    }),
  )
}
