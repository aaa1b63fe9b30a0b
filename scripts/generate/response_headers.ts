/** `spec/shared/headers/response_headers.yaml`: the response headers of each response. The comment in that file explains the format. */

import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isReference, operationsOf, type Document, type PlacedOperation, type ReferenceObject } from './document.ts'
import { forEachItem } from './faults.ts'
import { nameOf, parseYaml } from './files.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { locationsOfEntries, within } from './fault_locations.ts'

/** One header and the responses that carry it. An omitted condition always holds. */
export interface ResponseHeader {
  /** `file:line:column` of the entry */
  location: string
  name: string
  /** absolute path of the header's file */
  file: string
  /** its component name */
  component: string
  credentials?: readonly string[]
  methods?: readonly string[]
  operations?: readonly string[]
  except?: readonly string[]
  statuses?: readonly string[]
}

/** Reads the table below the folder of the contract's root; without a table there are no headers. Throws with every malformed entry. */
export async function readResponseHeaders(specFolder: string): Promise<ResponseHeader[]> {
  const file = join(specFolder, 'shared/headers/response_headers.yaml')
  const text = await readFile(file, 'utf8').catch(() => '[]')
  const known = readBefore.get(file)
  if (known?.text === text) return known.table
  const table = entriesIn(file, text)
  readBefore.set(file, { text, table })
  return table
}

/** Cache of parsed files by their text. */
const readBefore = new Map<string, { readonly text: string; readonly table: ResponseHeader[] }>()

function entriesIn(file: string, text: string): ResponseHeader[] {
  const folder = dirname(file)
  const entries = parseYaml(file, text)
  if (!Array.isArray(entries)) throw new Error(`${nameOf(file)}  The file is not a list.`)
  const locations = locationsOfEntries(file, text)
  return forEachItem(entries.entries(), ([index, entry]) => readEntry(entry, folder, locations[index] ?? nameOf(file)))
}

function readEntry(entry: unknown, folder: string, location: string): ResponseHeader {
  if (!isObject(entry) || typeof entry['name'] !== 'string' || typeof entry['header'] !== 'string' || !isObject(entry['on'])) {
    throw new Error(`${location}  not an entry: ${JSON.stringify(entry)}`)
  }
  const file = resolve(folder, entry['header'])
  const conditions = Object.entries(entry['on']).map(([key, value]) => {
    if (!['credentials', 'methods', 'operations', 'except', 'statuses'].includes(key) || !Array.isArray(value)) {
      throw new Error(`${location}  ${entry['name']} has an unknown condition: ${key}`)
    }
    return [key, value.map(String)]
  })
  return { location, name: entry['name'], file, component: basename(file, '.yaml'), ...Object.fromEntries(conditions) }
}

/** Checks that the operations named in the table exist. Throws with every unknown one. */
export function checkResponseHeaders(table: readonly ResponseHeader[], document: Document): void {
  const ids = new Set(operationsOf(document).map(({ operation }) => operation.operationId))
  const named = table.flatMap(({ location, name, operations = [], except = [] }) =>
    [...operations, ...except].map((id) => ({ location, name, id })),
  )
  forEachItem(named, ({ location, name, id }) => {
    if (!ids.has(id)) throw new Error(`${location}  ${name} names the operation ${id}, which does not exist.`)
  })
}

/**
 * Adds the header references to every response of every operation, to shared responses once. Throws if two operations need different
 * headers on one shared response, or if one response would get the same header twice.
 */
export function addResponseHeaders(document: Document, table: readonly ResponseHeader[]): void {
  const shared = new Map<string, { headers: string; by: string }>()
  const responses = operationsOf(document).flatMap((placed) =>
    Object.entries(placed.operation.responses).map(([status, response]) => ({ placed, status, response })),
  )
  forEachItem(responses, ({ placed, status, response }) =>
    within(['paths', placed.path, placed.method, 'responses', status], () => {
      const headers = headersFor(table, placed, status)
      if (!isReference(response)) {
        response.headers = { ...headers, ...response.headers }
        return
      }
      const name = response.$ref.slice('#/components/responses/'.length)
      const component = document.components.responses?.[name]
      if (component === undefined) throw new Error(`No such response: ${response.$ref}`)
      const text = JSON.stringify(headers)
      const earlier = shared.get(name)
      if (earlier === undefined) {
        shared.set(name, { headers: text, by: placed.operation.operationId })
        component.headers = { ...headers, ...component.headers }
      } else if (earlier.headers !== text) {
        throw new Error(`Response ${name} would need other headers for ${placed.operation.operationId} than for ${earlier.by}`)
      }
    }),
  )
}

function headersFor(table: readonly ResponseHeader[], placed: PlacedOperation, status: string): Record<string, ReferenceObject> {
  const headers: Record<string, ReferenceObject> = {}
  for (const entry of table) {
    if (!holds(entry, placed, status)) continue
    if (headers[entry.name] !== undefined) {
      throw new Error(`response_headers.yaml gives ${entry.name} twice to ${placed.operation.operationId} ${status}`)
    }
    headers[entry.name] = { $ref: `#/components/headers/${entry.component}` }
  }
  return headers
}

function holds(entry: ResponseHeader, { operation, method }: PlacedOperation, status: string): boolean {
  return (
    (entry.credentials?.includes(operation['x-credentials'] ?? 'bearer') ?? true) &&
    (entry.methods?.includes(method) ?? true) &&
    (entry.operations?.includes(operation.operationId) ?? true) &&
    (entry.statuses?.includes(status) ?? true) &&
    !(entry.except?.includes(operation.operationId) ?? false)
  )
}
