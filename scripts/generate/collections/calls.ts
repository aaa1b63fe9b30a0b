/** The calls of a collection: every operation with its own examples, in folders of their tags. */

import { sampleCall, type SampleCall } from '../../docs/samples/sample_call.ts'
import {
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type JsonValue,
  type PlacedOperation,
} from '../document.ts'

export interface CollectionFolder {
  readonly name: string
  readonly description: string
  readonly calls: readonly CollectionCall[]
}

export interface CollectionCall {
  readonly name: string
  readonly description: string
  readonly sample: SampleCall
  /** As in the contract, with `{name}` for parameters. */
  readonly path: string
  /** Query parameters, and whether the call sends them: required ones, and one of several alternatives. */
  readonly query: readonly { readonly name: string; readonly value: string; readonly isSent: boolean }[]
  /** Request bodies by title; the call sends the first. */
  readonly requests: readonly NamedBody[]
  readonly responses: readonly (NamedBody & { readonly status: number })[]
}

interface NamedBody {
  readonly name: string
  readonly body: JsonValue
}

/** The default address of the collections: a service on the same machine with default settings. */
export const BASE_URL = 'http://127.0.0.1:4000'

/** A folder for each tag. Pages for browsers are left out: a collection cannot show them. */
export function collectionFolders(document: Document): CollectionFolder[] {
  const calls = operationsOf(document).map((placed) => ({ tag: placed.operation.tags?.[0], call: callOf(document, placed) }))
  return (document.tags ?? []).flatMap(({ name, description = '' }) => {
    const own = calls.filter(({ tag, call: { sample } }) => tag === name && !sample.forBrowsers)
    return own.length === 0 ? [] : [{ name, description, calls: own.map(({ call }) => call) }]
  })
}

function callOf(document: Document, placed: PlacedOperation): CollectionCall {
  const { operation, path } = placed
  const query = parametersOf(document, placed).filter((parameter) => parameter.in === 'query')
  const oneOfSeveral = query.some(({ required }) => required) ? undefined : query.find(({ name }) => name.endsWith('_id'))?.name
  return {
    name: operation.summary ?? operation.operationId,
    description: operation.description ?? '',
    sample: sampleCall(document, placed),
    path,
    query: query.flatMap(({ name, example, required = false }) =>
      example === undefined ? [] : [{ name, value: String(example), isSent: required || name === oneOfSeveral }],
    ),
    requests: namedBodies(document, requestBodyOf(document, operation)?.content?.['application/json']?.examples),
    responses: Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        namedBodies(document, resolve(document, response).content?.['application/json']?.examples).map((body) => ({
          ...body,
          status: Number(status),
        })),
      ),
  }
}

function namedBodies(document: Document, examples: Readonly<Record<string, Example | { $ref: string }>> = {}): NamedBody[] {
  return Object.entries(examples).flatMap(([key, example]) => {
    const { summary, value } = resolve<Example>(document, example)
    return value === undefined ? [] : [{ name: summary ?? key, body: value }]
  })
}

/** The value of a path parameter: a variable of the collection if it is an id of the sample workspace. */
export function pathVariables(folders: readonly CollectionFolder[]): ReadonlyMap<string, string> {
  return new Map(folders.flatMap(({ calls }) => calls.flatMap(({ sample }) => Object.entries(sample.path))))
}
