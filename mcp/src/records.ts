import {
  ApiError,
  isFullDatabase,
  isFullDataSource,
  isFullPage,
  plainText,
  type AsyncTask,
  type DataSourceObject,
  type PageObject,
  type PageOrPartialPage,
  type WorkspaceClient,
} from '../../client/src/index.ts'
import { ToolError } from './tool.ts'
import { shownValue, type ShownValue } from './values/shown_value.ts'

/** @throws ToolError for a page of which the token may read only the id */
export function requireFull(page: PageOrPartialPage | AsyncTask): PageObject {
  if (isFullPage(page)) return page
  throw new ToolError(`The page ${page.id} may not be read with this token.`)
}

export function titleOf(page: PageObject): string {
  const title = Object.values(page.properties).find(({ type }) => type === 'title')
  return title?.type === 'title' ? plainText(title.title) : ''
}

/** The values of a page without its title, by name; empty ones are left out. */
export function valuesOf(page: PageObject): Record<string, ShownValue> {
  const values: Record<string, ShownValue> = {}
  for (const [name, value] of Object.entries(page.properties)) {
    const plain = value.type === 'title' ? null : shownValue(value)
    if (plain !== null && plain !== '' && !(Array.isArray(plain) && plain.length === 0)) values[name] = plain
  }
  return values
}

/** The data source of a row. @throws ToolError for a page that is not a row */
export async function sourceOfRow(client: WorkspaceClient, { id, parent }: PageObject): Promise<DataSourceObject> {
  if (parent.type === 'data_source_id') return dataSourceOf(client, parent.data_source_id)
  throw new ToolError(`The page ${id} is not a row of a data source.`)
}

/**
 * The data source with an id, or the only one of the database with that id.
 * @throws ToolError if the database has several, with their ids
 */
export async function dataSourceOf(client: WorkspaceClient, id: string): Promise<DataSourceObject> {
  const found = await client.dataSources.retrieve({ data_source_id: id }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'object_not_found')) throw error
    const database = await client.databases.retrieve({ database_id: id }).catch(() => undefined)
    if (database === undefined || !isFullDatabase(database)) throw error
    const [only] = database.data_sources
    if (only && database.data_sources.length === 1) return client.dataSources.retrieve({ data_source_id: only.id })
    const names = database.data_sources.map((source) => `${source.id} (${source.name})`).join(', ')
    throw new ToolError(`data_source: this is a database with several data sources. Give one of them: ${names}.`)
  })
  if (isFullDataSource(found)) return found
  throw new ToolError(`The data source ${id} may not be read with this token.`)
}
