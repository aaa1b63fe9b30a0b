/** The public bundle, generated from the current sources. */

import { join } from 'node:path'
import { bundleContract } from '../../../scripts/generate/contract.ts'
import {
  operationsOf,
  resolve,
  requestBodyOf,
  webhooksOf,
  type Document,
  type Example,
  type MediaType,
  type PlacedOperation,
  type ResponseObject,
} from '../../../scripts/generate/document.ts'
import { specFolder } from './files.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export async function readPublicDocument(): Promise<Document> {
  return (await bundleContract(join(specFolder, 'openapi.yaml'))).document
}

/** A use of an example, with the path of its schema. */
export interface UsedExample {
  /** for people: operation, status or `request`, media type, key */
  label: string
  /** component name of the example */
  name: string
  type: string
  value: unknown
  /** JSON pointer keys of the schema it must fit */
  schema: string[]
}

/** Every example of every request body, response and event, with the path of its schema. */
export function usedExamples(document: Document): UsedExample[] {
  return [
    ...operationsOf(document).map((placed) => ({ placed, root: 'paths' })),
    ...webhooksOf(document).map((placed) => ({ placed, root: 'webhooks' })),
  ].flatMap(({ placed, root }) => [...bodyExamples(document, placed, root), ...examplesOfResponses(document, placed, root)])
}

function bodyExamples(document: Document, { path, method, operation }: PlacedOperation, root: string): UsedExample[] {
  const body = requestBodyOf(document, operation)
  return Object.entries(body?.content ?? {}).flatMap(([type, media]) =>
    mediaExamples(document, media, `${operation.operationId ?? path} request ${type}`, type, [
      root,
      path,
      method,
      'requestBody',
      'content',
      type,
      'schema',
    ]),
  )
}

function examplesOfResponses(document: Document, { path, method, operation }: PlacedOperation, root: string): UsedExample[] {
  return Object.entries(operation.responses ?? {}).flatMap(([status, reference]) => {
    const location =
      '$ref' in reference && typeof reference.$ref === 'string'
        ? reference.$ref.slice(2).split('/')
        : [root, path, method, 'responses', status]
    return responseExamples(
      document,
      resolve<ResponseObject>(document, reference),
      `${operation.operationId ?? path} ${status}`,
      location,
    )
  })
}

/** Examples of shared responses, including reserved ones, which no operation lists. */
export function sharedExamples(document: Document): UsedExample[] {
  return Object.entries(document.components.responses ?? {}).flatMap(([name, response]) =>
    responseExamples(document, response, name, ['components', 'responses', name]),
  )
}

function responseExamples(
  document: Document,
  { content = {} }: ResponseObject,
  label: string,
  location: string[],
): UsedExample[] {
  return Object.entries(content).flatMap(([type, media]) =>
    mediaExamples(document, media, `${label} ${type}`, type, [...location, 'content', type, 'schema']),
  )
}

function mediaExamples(document: Document, media: MediaType, label: string, type: string, schema: string[]): UsedExample[] {
  return Object.entries(media.examples ?? {}).map(([key, reference]) => {
    const name = isObject(reference) && typeof reference['$ref'] === 'string' ? (reference['$ref'].split('/').at(-1) ?? key) : key
    return { label: `${label} ${key}`, name, type, value: resolve<Example>(document, reference).value, schema }
  })
}
