/** `spec/shared/headers/answer_headers.yaml`: which answer carries which response header. Its comment explains the format. */

import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isReference, operationsOf, type Document, type PlacedOperation, type ReferenceObject } from './document.ts'
import { forEachItem } from './faults.ts'
import { nameOf, parseYaml } from './files.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { placesOfEntries, within } from './places.ts'

/** One header and the answers that carry it. A condition left out holds always. */
export interface AnswerHeader {
  /** `file:line:column` of the entry */
  place: string
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

/** Reads the table below the folder of the contract's root; an absent table means no headers. Throws with every malformed entry. */
export async function readAnswerHeaders(specFolder: string): Promise<AnswerHeader[]> {
  const file = join(specFolder, 'shared/headers/answer_headers.yaml')
  const text = await readFile(file, 'utf8').catch(() => '[]')
  const known = readBefore.get(file)
  if (known?.text === text) return known.table
  const table = entriesIn(file, text)
  readBefore.set(file, { text, table })
  return table
}

/** What files said when they were last read. */
const readBefore = new Map<string, { readonly text: string; readonly table: AnswerHeader[] }>()

function entriesIn(file: string, text: string): AnswerHeader[] {
  const folder = dirname(file)
  const entries = parseYaml(file, text)
  if (!Array.isArray(entries)) throw new Error(`${nameOf(file)}  The file is not a list.`)
  const places = placesOfEntries(file, text)
  return forEachItem(entries.entries(), ([index, entry]) => readEntry(entry, folder, places[index] ?? nameOf(file)))
}

function readEntry(entry: unknown, folder: string, place: string): AnswerHeader {
  if (!isObject(entry) || typeof entry['name'] !== 'string' || typeof entry['header'] !== 'string' || !isObject(entry['on'])) {
    throw new Error(`${place}  not an entry: ${JSON.stringify(entry)}`)
  }
  const file = resolve(folder, entry['header'])
  const conditions = Object.entries(entry['on']).map(([key, value]) => {
    if (!['credentials', 'methods', 'operations', 'except', 'statuses'].includes(key) || !Array.isArray(value)) {
      throw new Error(`${place}  ${entry['name']} has an unknown condition: ${key}`)
    }
    return [key, value.map(String)]
  })
  return { place, name: entry['name'], file, component: basename(file, '.yaml'), ...Object.fromEntries(conditions) }
}

/** Checks that the operations named in the table exist. Throws with every one that does not. */
export function checkAnswerHeaders(table: readonly AnswerHeader[], document: Document): void {
  const ids = new Set(operationsOf(document).map(({ operation }) => operation.operationId))
  const named = table.flatMap(({ place, name, operations = [], except = [] }) =>
    [...operations, ...except].map((id) => ({ place, name, id })),
  )
  forEachItem(named, ({ place, name, id }) => {
    if (!ids.has(id)) throw new Error(`${place}  ${name} names the operation ${id}, which does not exist.`)
  })
}

/**
 * Puts the header references on every response of every operation. Shared responses get them once.
 * Throws if two operations want different headers on one shared response, or if one answer would get the same header twice.
 */
export function addAnswerHeaders(document: Document, table: readonly AnswerHeader[]): void {
  const shared = new Map<string, { headers: string; by: string }>()
  const answers = operationsOf(document).flatMap((placed) =>
    Object.entries(placed.operation.responses).map(([status, response]) => ({ placed, status, response })),
  )
  forEachItem(answers, ({ placed, status, response }) =>
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

function headersFor(table: readonly AnswerHeader[], placed: PlacedOperation, status: string): Record<string, ReferenceObject> {
  const headers: Record<string, ReferenceObject> = {}
  for (const entry of table) {
    if (!holds(entry, placed, status)) continue
    if (headers[entry.name] !== undefined) {
      throw new Error(`answer_headers.yaml gives ${entry.name} twice to ${placed.operation.operationId} ${status}`)
    }
    headers[entry.name] = { $ref: `#/components/headers/${entry.component}` }
  }
  return headers
}

function holds(entry: AnswerHeader, { operation, method }: PlacedOperation, status: string): boolean {
  return (
    (entry.credentials?.includes(operation['x-credentials'] ?? 'bearer') ?? true) &&
    (entry.methods?.includes(method) ?? true) &&
    (entry.operations?.includes(operation.operationId) ?? true) &&
    (entry.statuses?.includes(status) ?? true) &&
    !(entry.except?.includes(operation.operationId) ?? false)
  )
}
