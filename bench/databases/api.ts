import { newestRelease } from '../../generated/operations.ts'
import type { PropertyType } from '../../server/domain/data/properties/stored.ts'

export const TOKEN = 'itk_bench_token_of_the_demo_connection'

export function headersOf(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}`, 'Service-Version': newestRelease, Accept: 'application/json' }
}

/** Headers of the demo connection. */
export const headers = headersOf(TOKEN)

async function call(url: string, method: string, path: string, body?: object, token = TOKEN): Promise<object> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headersOf(token), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const received: unknown = await response.json()
  if (!response.ok || typeof received !== 'object' || received === null)
    throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(received).slice(0, 500)}`)
  return received
}

function idOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id
  throw new Error('a response without an id')
}

function resultsOf(list: object): Record<string, unknown>[] {
  if (!('results' in list) || !Array.isArray(list.results)) throw new Error('a response that is not a list')
  return list.results as Record<string, unknown>[]
}

function idsOf(list: object): string[] {
  return resultsOf(list).map(idOf)
}

/** @returns the id of the new page */
export async function createPage(url: string, body: object, token?: string): Promise<string> {
  return idOf(await call(url, 'POST', '/v1/pages', body, token))
}

/** Changes the content of a page with a command on its Markdown. */
export async function updateMarkdown(url: string, page: string, command: object): Promise<void> {
  await call(url, 'PATCH', `/v1/pages/${page}/markdown`, command)
}

/** @returns ids of the new blocks */
export async function appendChildren(url: string, parent: string, body: object): Promise<string[]> {
  return idsOf(await call(url, 'PATCH', `/v1/blocks/${parent}/children`, body))
}

/** @returns ids of the first hundred children */
export async function listChildren(url: string, parent: string, token?: string): Promise<string[]> {
  return idsOf(await call(url, 'GET', `/v1/blocks/${parent}/children`, undefined, token))
}

/** @returns the first hundred children as the service returns them */
export async function listBlocks(url: string, parent: string): Promise<Record<string, unknown>[]> {
  return resultsOf(await call(url, 'GET', `/v1/blocks/${parent}/children`))
}

/** @returns the response of `retrieveBlock` as JSON text */
export async function blockJson(url: string, id: string): Promise<string> {
  return JSON.stringify(await call(url, 'GET', `/v1/blocks/${id}`))
}

/** The first data source of a new database, with its columns by name. */
export async function createDatabase(
  url: string,
  body: object,
): Promise<{ readonly dataSourceId: string; readonly columns: Readonly<Record<string, MadeColumn>> }> {
  const made = await call(url, 'POST', '/v1/databases', body)
  const [source] = 'data_sources' in made && Array.isArray(made.data_sources) ? made.data_sources : []
  const dataSourceId = idOf(source)
  const read = await call(url, 'GET', `/v1/data_sources/${dataSourceId}`)
  const { properties } = read as {
    properties: Record<string, { id: string; type: PropertyType; select?: { options: { id: string }[] } }>
  }
  const columns = Object.entries(properties).map(([name, { id, type, select }]) => {
    return [name, { id, type, options: select?.options.map((option) => option.id) ?? [] }] as const
  })
  return { dataSourceId, columns: Object.fromEntries(columns) }
}

export interface MadeColumn {
  readonly id: string
  readonly type: PropertyType
  /** Ids of options. */
  readonly options: readonly string[]
}

/** @returns the cursor of the next page of a list */
export async function nextCursor(url: string, path: string, body: object): Promise<string> {
  const list = await call(url, 'POST', path, body)
  if ('next_cursor' in list && typeof list.next_cursor === 'string') return list.next_cursor
  throw new Error('the list has ended')
}
